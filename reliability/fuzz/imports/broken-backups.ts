import type { Random } from '../../random.js';
import { hostileText, hostileValue } from '../hostile-values.js';

/**
 * Breaks a backup, or makes it barely valid.
 *
 * @param sound An exported backup.
 */
export function breakBackup(random: Random, sound: string): Buffer {
  let lines = sound.split('\n');
  for (let n = random.between(0, 3); n > 0; n--) lines = random.pick(lineBreakers)(lines, random);
  const bytes = Buffer.from(
    lines.join(random.chance(0.9) ? '\n' : random.pick(['\r\n', '\r', '\n\n', '\0', '\u2028'])),
  );
  return random.chance(0.5) ? damage(random, bytes) : bytes;
}

const lineBreakers: readonly ((lines: readonly string[], random: Random) => string[])[] = [
  (lines, random) => change(lines, random, (line) => line.slice(0, random.between(0, line.length))),
  (lines, random) => change(lines, random, (line) => line.slice(random.between(0, line.length))),
  (lines, random) =>
    change(lines, random, (line) => line + random.pick([',', '{}', '\0', '\ufeff', ' ', '//'])),
  (lines, random) => change(lines, random, (line) => changeField(random, line)),
  (lines, random) => change(lines, random, (line) => changeField(random, line)),
  (lines, random) =>
    change(lines, random, () =>
      random.pick(['', 'null', '[]', '0', '"x"', '{}', '{"kind":"name"}', '['.repeat(9_000)]),
    ),
  (lines, random) =>
    change(
      lines,
      random,
      () => `{"kind":"tallybook","version":${random.pick(['1', '0', '2', '"1"', 'null', '1e9'])}}`,
    ),
  (lines, random) =>
    change(lines, random, (line) =>
      line.replace('{', `{"pad":"${'x'.repeat(random.between(15_000, 60_000))}",`),
    ),
  (lines, random) => change(lines, random, (line) => `${line}\n${line}`),
  (lines) => lines.slice(1),
  (lines) => lines.toReversed(),
  (lines, random) => lines.filter(() => random.chance(0.8)),
  () => [],
];

function change(lines: readonly string[], random: Random, work: (line: string) => string): string[] {
  const at = random.between(0, lines.length - 1);
  return lines.map((line, n) => (n === at ? work(line) : line));
}

function changeField(random: Random, line: string): string {
  if (line === '') return line;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return line;
  }
  if (typeof value !== 'object' || value === null) return line;
  const name = random.chance(0.9) ? random.pick([...Object.keys(value), 'kind']) : hostileText(random);
  const fresh = random.pick([hostileValue(random), -1, 0, 1.5, 2 ** 32, 2 ** 53, 2 ** 64, '1']);
  return JSON.stringify({ ...value, [name]: fresh });
}

function damage(random: Random, bytes: Buffer): Buffer {
  if (bytes.length === 0) return bytes;
  const damaged = Buffer.from(bytes);
  for (let n = random.between(1, 3); n > 0; n--)
    damaged[random.between(0, bytes.length - 1)] = random.between(0, 255);
  return random.chance(0.3) ? damaged.subarray(0, random.between(0, bytes.length)) : damaged;
}
