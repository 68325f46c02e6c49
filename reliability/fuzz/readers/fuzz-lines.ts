import type { PluggableLine } from '../../../packages/readers/test/serial/pluggable-line.js';
import type { FuzzedServer } from '../fuzzed-server.js';
import { randomOf } from '../../random.js';
import { makeNoise } from './line-noise.js';
import { until } from '../../until.js';
import { PATIENCE_MS } from '../planted-data.js';
import { soundFrames } from './sound-frames.js';

/** The id that is typed after the noise on standard input. */
const TYPED_ID = 'ACCE550000';
const CHUNK_BYTES = 4_096;
/** Modules repeat a tag as long as it is present. */
const AGAIN_EVERY_MS = 60;

/** Amount of noise, in bytes. */
export interface LineNoise {
  readonly serial: number;
  readonly typed: number;
  /** Bytes of one endless line. */
  readonly endless: number;
}

/**
 * Sends noise over real serial lines and standard input, then tags. These must be recorded.
 *
 * @returns The problems.
 */
export async function fuzzLines(
  server: FuzzedServer,
  lines: ReadonlyMap<string, PluggableLine>,
  { serial, typed, endless }: LineNoise,
  seed: number,
): Promise<readonly string[]> {
  const failures: string[] = [];
  const random = randomOf(seed, 'lines 0');
  for (const [protocol, line] of lines) {
    const { id = '', frame = Buffer.alloc(0) } = soundFrames[protocol] ?? {};
    for (let sent = 0; sent < serial; sent += CHUNK_BYTES)
      await line.send(makeNoise(random, CHUNK_BYTES, [frame]));
    const tag = setInterval(() => void line.send(frame), AGAIN_EVERY_MS);
    await until(`a tag on the ${protocol} line is recorded`, () => isRecorded(server, id), PATIENCE_MS).catch(
      (error: unknown) => failures.push(`lines, seed ${seed}: ${String(error)}`),
    );
    clearInterval(tag);
  }
  for (let sent = 0; sent < typed; sent += CHUNK_BYTES) {
    await server.type(makeNoise(random, CHUNK_BYTES, [Buffer.from('04A2B3C4D5\n')]));
  }
  const piece = Buffer.alloc(2 ** 20, '04 ');
  for (let sent = 0; sent < endless; sent += piece.length) await server.type(piece);
  await server.type(`\n${TYPED_ID}\n`);
  await until('a typed tag is recorded', () => isRecorded(server, TYPED_ID), PATIENCE_MS).catch(
    (error: unknown) => failures.push(`lines, seed ${seed}: ${String(error)}`),
  );
  return failures;
}

async function isRecorded(server: FuzzedServer, id: string): Promise<boolean> {
  const days = (await (
    await fetch(`${server.url}/api/days?from=0&to=18446744073709551615`)
  ).json()) as number[];
  for (const day of days) {
    const { ids } = (await (await fetch(`${server.url}/api/day?day=${day}`)).json()) as { ids: string[] };
    if (ids.includes(id)) return true;
  }
  return false;
}
