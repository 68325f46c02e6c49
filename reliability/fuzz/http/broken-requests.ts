import type { Random } from '../../random.js';
import type { Script } from '../script.js';
import { fields, methods, requestLines, targets, versions } from './broken-heads.js';
import { brokenChunks, lengths, transferCodings } from './broken-lengths.js';
import { mutate, noise } from './noise.js';
import { prefaces } from './prefaces.js';
import { CRLF, soundRequest, withRequestLine, writeRequest, type RequestParts } from './request-parts.js';

/** A way to break a request. Text is latin1: one character for each byte. */
type Breaker = (parts: RequestParts, random: Random) => string;

/** Asks the server to close, so that the connection ends if it still works after a hostile request. */
export const LAST_REQUEST =
  'GET /api/days?from=0&to=0 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

/** Ways to make bytes that are no request, or barely one. */
const breakers: readonly Breaker[] = [
  // The request line.
  (parts, random) => withRequestLine(parts, random.pick(requestLines(parts, random))),
  (parts, random) => writeRequest({ ...parts, method: random.pick(methods(random)) }),
  (parts, random) => writeRequest({ ...parts, target: random.pick(targets(parts, random)) }),
  (parts, random) => writeRequest({ ...parts, version: random.pick(versions) }),
  // The header.
  (parts, random) =>
    writeRequest({ ...parts, fields: insert(random, parts.fields, random.pick(fields(random))) }),
  (parts, random) => writeRequest({ ...parts, fields: parts.fields.filter(() => random.chance(0.3)) }),
  (parts) => writeRequest({ ...parts, fields: parts.fields.flatMap((field) => [field, field]) }),
  (parts, random) =>
    writeRequest(parts).replaceAll(CRLF, () =>
      random.chance(0.3) ? random.pick(['\n', '\r', '\n\r', '\r\r\n', '']) : CRLF,
    ),
  // The length of the body.
  (parts, random) =>
    writeRequest({ ...parts, fields: [...parts.fields, random.pick(lengths(parts, random))] }),
  (parts, random) => {
    const codings = [
      random.pick(lengths(parts, random)),
      `Transfer-Encoding: ${random.pick(transferCodings)}`,
    ];
    const smuggled = `0\r\n\r\nGET /api/mapping?smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    return writeRequest({ ...parts, method: 'POST', fields: [...parts.fields, ...codings], body: smuggled });
  },
  (parts, random) => {
    const coding = 'Transfer-Encoding: chunked';
    return writeRequest({
      ...parts,
      method: 'POST',
      fields: [...parts.fields, coding],
      body: brokenChunks(random),
    });
  },
  // Another protocol.
  (_, random) => random.pick(prefaces),
  (_, random) => noise(random, random.between(1, 2_000)),
  (parts, random) => mutate(random, writeRequest(parts)),
  (parts, random) => mutate(random, writeRequest(parts) + writeRequest(parts)),
];

/**
 * Makes a script with one broken request, often between two sound ones.
 *
 * @param paths Paths with an immediate answer.
 */
export function makeBrokenScript(random: Random, paths: readonly string[]): Script {
  const before = random.chance(0.3) ? writeRequest(soundRequest(random, paths)) : '';
  const broken = random.pick(breakers)(soundRequest(random, paths), random);
  const draw = random.next();
  if (draw < 0.08)
    return {
      pieces: cut(random, before + broken.slice(0, random.between(1, broken.length))),
      hostile: 1,
      end: 'close',
    };
  if (draw < 0.12) return { pieces: cut(random, before + broken), hostile: 1, end: 'reset' };
  return { pieces: cut(random, before + broken + LAST_REQUEST), hostile: 1, end: 'wait' };
}

function insert<T>(random: Random, items: readonly T[], item: T): T[] {
  const at = random.between(0, items.length);
  return [...items.slice(0, at), item, ...items.slice(at)];
}

/** Cuts a text into packets, mostly into one. */
function cut(random: Random, text: string): Buffer[] {
  const bytes = Buffer.from(text, 'latin1');
  if (random.chance(0.8) || bytes.length < 2) return [bytes];
  const at = random.between(1, bytes.length - 1);
  return [bytes.subarray(0, at), bytes.subarray(at)];
}
