import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import type { Random } from '../../random.js';
import { hostileText, hostileValue } from '../hostile-values.js';

/** A body, and the header fields about it. */
export interface HostileBody {
  readonly bytes: Buffer;
  readonly fields: readonly string[];
}

const QUICK = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const ZEROS = Buffer.alloc(32 * 2 ** 20);

/** Small bodies that inflate to 32 MiB. */
const bombs: Readonly<Record<string, Buffer>> = {
  gzip: gzipSync(ZEROS, { level: 1 }),
  deflate: deflateSync(ZEROS, { level: 1 }),
  br: brotliCompressSync(ZEROS, QUICK),
};

const compressors: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  identity: (bytes) => bytes,
  gzip: (bytes) => gzipSync(bytes, { level: 1 }),
  deflate: (bytes) => deflateSync(bytes, { level: 1 }),
  br: (bytes) => brotliCompressSync(bytes, QUICK),
  'x-gzip': (bytes) => gzipSync(bytes, { level: 1 }),
  zstd: (bytes) => bytes,
  'gzip, br': (bytes) => bytes,
  GZIP: (bytes) => gzipSync(bytes, { level: 1 }),
  'deflate ': (bytes) => deflateRawSync(bytes),
};

/**
 * Makes a body that is nearly valid, or far from it.
 *
 * @param type The media type that the endpoint accepts.
 * @param sound A value that the endpoint would accept.
 */
export function hostileBody(random: Random, type: string, sound: unknown): HostileBody {
  const coding = random.chance(0.75) ? 'identity' : random.pick(Object.keys(compressors));
  const contentType = random.chance(0.9) ? `Content-Type: ${type}` : random.pick(contentTypes(type));
  const fields = coding === 'identity' ? [contentType] : [contentType, `Content-Encoding: ${coding}`];
  const bomb = bombs[coding];
  if (bomb !== undefined && random.chance(0.02)) return { bytes: bomb, fields };
  const bytes = compressors[coding]?.(hostileBytes(random, hostileJson(random, sound))) ?? Buffer.alloc(0);
  return { bytes: coding === 'identity' ? bytes : damage(random, bytes), fields };
}

function contentTypes(type: string): readonly string[] {
  return [
    'X: no type',
    'Content-Type: ',
    'Content-Type: text/plain',
    'Content-Type: application/x-www-form-urlencoded',
    'Content-Type: multipart/form-data; boundary=x',
    'Content-Type: application/json-patch+json',
    'Content-Type: application/vnd.x+json',
    `Content-Type: ${type.toUpperCase()}`,
    `Content-Type: ${type}, ${type}`,
    `Content-Type: ${type}; charset=utf-8`,
    `Content-Type: ${type}; charset=utf-16`,
    `Content-Type: ${type}; charset=`,
    `Content-Type: ${type}; charset="utf-8"`,
    `Content-Type: ${type}; charset=utf-8; charset=latin1`,
    `Content-Type: ${type}; \xff`,
    'Content-Type: */*',
    `Content-Type: ${type};;;`,
    'Content-Type: application/',
  ];
}

function hostileJson(random: Random, sound: unknown): string {
  const draw = random.next();
  if (draw < 0.04) return nested(random);
  if (draw < 0.08) return JSON.stringify(hostileValue(random));
  let value = sound;
  for (let n = random.between(0, 2); n > 0; n--) value = replacePart(random, value);
  const text = JSON.stringify(value);
  return random.chance(0.3) ? breakJson(random, text) : text;
}

function nested(random: Random): string {
  const depth = random.between(10, 20_000);
  const [open, close] = random.pick([
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"name":', '}]'],
  ] as const);
  return open.repeat(depth) + (random.chance(0.5) ? '1' + close.repeat(depth) : '');
}

/** Replaces a part of a value by another value, or adds a member. */
function replacePart(random: Random, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || random.chance(0.15)) return hostileValue(random);
  if (Array.isArray(value))
    return value.map((item: unknown) => (random.chance(0.5) ? replacePart(random, item) : item));
  const members = Object.entries(value);
  const [name] = members.length > 0 ? random.pick(members) : [''];
  const draw = random.next();
  if (draw < 0.1) return Object.fromEntries(members.filter(([each]) => each !== name));
  if (draw < 0.2) return Object.fromEntries([...members, [hostileText(random), hostileValue(random)]]);
  return Object.fromEntries(
    members.map(([each, part]) => [each, each === name ? replacePart(random, part) : part]),
  );
}

function breakJson(random: Random, text: string): string {
  const at = random.between(0, text.length);
  const inner = text.slice(1, -1);
  return random.pick([
    text.slice(0, at),
    text.slice(at),
    text + text,
    `${text},`,
    `${text}//`,
    `[${text}]`,
    `{${inner},${inner}}`,
    `{"__proto__":{"x":1},${inner}}`,
    text.replaceAll('"', "'"),
    text.replaceAll('"', ''),
    text.slice(0, at) + '\0' + text.slice(at),
    `\ufeff${text}`,
    `\ufeff\ufeff${text}`,
    text.replace(/[0-9]+/, '1e999'),
    text.replace(':', ':,'),
    text.replace(/.$/, ',}'),
    `${' '.repeat(random.between(1, 20_000))}${text}`,
    text.replace(/[a-z]/i, '\\ud800'),
    text.replace(/[a-z]/i, '\\u0000'),
    '',
    text.replace('"', '"\\x'),
    text.replace('}', `,"pad":"${'x'.repeat(random.between(16_000, 17_000))}"}`),
  ]);
}

function hostileBytes(random: Random, text: string): Buffer {
  if (random.chance(0.05)) return Buffer.from(text, 'utf16le');
  return random.chance(0.9) ? Buffer.from(text) : damage(random, Buffer.from(text));
}

/** Changes some bytes, or leaves the end out. */
function damage(random: Random, bytes: Buffer): Buffer {
  if (bytes.length === 0 || random.chance(0.3)) return bytes;
  if (random.chance(0.3)) return bytes.subarray(0, random.between(0, bytes.length - 1));
  const damaged = Buffer.from(bytes);
  for (let n = random.between(1, 4); n > 0; n--)
    damaged[random.between(0, bytes.length - 1)] = random.between(0, 255);
  return random.chance(0.2) ? Buffer.concat([damaged, damaged]) : damaged;
}
