import type { Random } from '../../random.js';
import type { RequestParts } from './request-parts.js';

export function lengths({ body }: RequestParts, random: Random): readonly string[] {
  return [
    'Content-Length: -1',
    'Content-Length: +1',
    'Content-Length: 1e3',
    'Content-Length: 0x10',
    'Content-Length: ',
    'Content-Length: 1 1',
    'Content-Length: 1,1',
    'Content-Length: 1, 2',
    'Content-Length: \t5',
    'Content-Length: 5\0',
    'Content-Length: 4294967296',
    'Content-Length: 9007199254740993',
    'Content-Length: 18446744073709551616',
    `Content-Length: ${'9'.repeat(random.between(1, 300))}`,
    `Content-Length: ${'0'.repeat(50)}1`,
    `Content-Length: ${body.length + random.between(-3, 3)}`,
    'Content-Length: 0',
    'Content-Length: 5\r\nContent-Length: 6',
    'content-length: 5\r\nContent-Length: 5',
    'Content_Length: 5',
    'Content-Length\t: 5',
  ];
}

export const transferCodings = [
  'chunked',
  'identity',
  'Chunked',
  'xchunked',
  'chunked, chunked',
  'chunked, identity',
  'gzip, chunked',
  'chunked;q=1',
  '"chunked"',
  '\x0bchunked',
  'chunked\0',
  ' chunked ',
  '',
  ',',
  'chunked\r\nTransfer-Encoding: x',
  'chunked\r\n identity',
] as const;

export function brokenChunks(random: Random): string {
  const long = 'a'.repeat(random.between(1_000, 40_000));
  const size = random.pick([
    '-1',
    'g',
    '',
    ' ',
    '0x5',
    '5 ',
    ' 5',
    '5\t',
    '5;',
    '5;a',
    '5;a=',
    '5;a="b',
    `5;${long}`,
    '5;\0',
    '5\n',
    '5\r',
    '00000005',
    `${'0'.repeat(300)}5`,
    'FFFFFFFF',
    'FFFFFFFFFFFFFFFF',
    'FFFFFFFFFFFFFFFFF',
    '7fffffffffffffff',
    '5,5',
    '5.',
    '4',
    '6',
  ]);
  const end = random.pick([
    '0\r\n\r\n',
    '0\r\n',
    '0',
    '',
    '0\r\nTrailer: 1\r\n\r\n',
    `0\r\nX: ${long}\r\n\r\n`,
    '0\r\nContent-Length: 9\r\nHost: y\r\n\r\n',
    '0\r\nbad trailer\r\n\r\n',
    '0\r\n\0\r\n\r\n',
    '00\r\n\r\n',
    '0;x\r\n\r\n',
    '0\n\n',
  ]);
  return `${size}\r\n{"a":${random.pick(['\r\n', '', '\n', 'x\r\n'])}${end}`;
}
