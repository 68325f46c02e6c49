import type { Random } from '../../random.js';
import { encodeText, hostileText } from '../hostile-values.js';
import type { Script } from '../script.js';

/** The parts of a request as they are written, sound or not. */
interface Parts {
  method: string;
  target: string;
  version: string;
  fields: string[];
  body: string;
}

/** A way to break a request; text is latin1, a character for each byte. */
type Breaker = (parts: Parts, random: Random) => string;

/** Asks the server to close, so that a connection that is still sound after a hostile request ends. */
export const LAST_REQUEST =
  'GET /api/days?from=0&to=0 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

const CRLF = '\r\n';

/** Ways in which bytes are no request, or only just one. */
const breakers: readonly Breaker[] = [
  // The request line.
  (parts, random) => withRequestLine(parts, random.pick(requestLines(parts, random))),
  (parts, random) => write({ ...parts, method: random.pick(methods(random)) }),
  (parts, random) => write({ ...parts, target: random.pick(targets(parts, random)) }),
  (parts, random) => write({ ...parts, version: random.pick(versions) }),
  // The header.
  (parts, random) => write({ ...parts, fields: insert(random, parts.fields, random.pick(fields(random))) }),
  (parts, random) => write({ ...parts, fields: parts.fields.filter(() => random.chance(0.3)) }),
  (parts) => write({ ...parts, fields: parts.fields.flatMap((field) => [field, field]) }),
  (parts, random) =>
    write(parts).replaceAll(CRLF, () =>
      random.chance(0.3) ? random.pick(['\n', '\r', '\n\r', '\r\r\n', '']) : CRLF,
    ),
  // How long the body is.
  (parts, random) => write({ ...parts, fields: [...parts.fields, random.pick(lengths(parts, random))] }),
  (parts, random) => {
    const codings = [
      random.pick(lengths(parts, random)),
      `Transfer-Encoding: ${random.pick(transferCodings)}`,
    ];
    const smuggled = `0\r\n\r\nGET /api/mapping?smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    return write({ ...parts, method: 'POST', fields: [...parts.fields, ...codings], body: smuggled });
  },
  (parts, random) => {
    const coding = 'Transfer-Encoding: chunked';
    return write({ ...parts, method: 'POST', fields: [...parts.fields, coding], body: brokenChunks(random) });
  },
  // Something else altogether.
  (_, random) => random.pick(prefaces),
  (_, random) => noise(random, random.between(1, 2_000)),
  (parts, random) => mutate(random, write(parts)),
  (parts, random) => mutate(random, write(parts) + write(parts)),
];

/**
 * Makes a script with one request that is broken, often after a sound one and before another.
 *
 * @param paths That answer at once.
 */
export function makeBrokenScript(random: Random, paths: readonly string[]): Script {
  const before = random.chance(0.3) ? write(soundRequest(random, paths)) : '';
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

function soundRequest(random: Random, paths: readonly string[]): Parts {
  const hasBody = random.chance(0.3);
  const body = hasBody ? '{"id":"04A2B3C4D5","name":{"first":"Ada","last":"Lovelace"}}' : '';
  return {
    method: hasBody ? 'POST' : random.pick(['GET', 'GET', 'HEAD', 'OPTIONS', 'DELETE']),
    target: random.pick(paths),
    version: 'HTTP/1.1',
    fields: [
      'Host: localhost',
      'Accept: */*',
      ...(hasBody ? ['Content-Type: application/json', `Content-Length: ${body.length}`] : []),
    ],
    body,
  };
}

function write(parts: Parts): string {
  return withRequestLine(parts, `${parts.method} ${parts.target} ${parts.version}`);
}

function withRequestLine({ fields, body }: Parts, requestLine: string): string {
  return [requestLine, ...fields, '', body].join(CRLF);
}

function requestLines({ method, target, version }: Parts, random: Random): readonly string[] {
  return [
    '',
    ' ',
    '\0',
    method,
    `${method} ${target}`,
    `${method} ${version}`,
    `${method}${target} ${version}`,
    `${method}  ${target}  ${version}`,
    `${method}\t${target}\t${version}`,
    ` ${method} ${target} ${version}`,
    `${method} ${target} ${version} `,
    `${method} ${target} ${version} ${version}`,
    `${method} ${target}\0 ${version}`,
    `${method} ${target}\r${version}`,
    `\r\n\r\n\r\n${method} ${target} ${version}`,
    version,
    `${version} 200 OK`,
    `${method} ${target} ${version.toLowerCase()}`,
    'a'.repeat(random.between(1, 70_000)),
  ];
}

function methods(random: Random): readonly string[] {
  return [
    'get',
    'Get',
    'GETT',
    'G',
    'CONNECT',
    'TRACE',
    'PROPFIND',
    'M-SEARCH',
    'PRI',
    'QUERY',
    'SOURCE',
    'PURGE',
    'PATCH',
    'PUT',
    'LINK',
    '',
    'GET\0',
    'G\u00c9T',
    'GET,POST',
    '{GET}',
    '__proto__',
    'A'.repeat(random.between(1, 20_000)),
    noise(random, 5),
  ];
}

function targets({ target }: Parts, random: Random): readonly string[] {
  const hostile = encodeText(random, hostileText(random));
  return [
    '*',
    '/',
    '//',
    '///api/day',
    '?',
    '#',
    `${target}#x`,
    `${target}/`,
    target.toUpperCase(),
    `//${target}`,
    `/.${target}`,
    `/x/..${target}`,
    target.slice(1),
    `http://localhost${target}`,
    `http://${target}`,
    'http://',
    'http:',
    'https://[::1',
    'http://[',
    'http://a:99999/',
    'localhost:80',
    'x:y@z',
    'data:,x',
    'javascript:1',
    `${target}?${hostile}`,
    `${target}?day=${hostile}`,
    `${target}?a=%`,
    `${target}?%zz=%ff`,
    `${target}%00`,
    `${target}%2f`,
    `${target}%c0%af`,
    `/%2e%2e${target}`,
    `${target};x=y`,
    `${target}\\`,
    '\\',
    `${target}\x7f`,
    `${target}\xff\xfe`,
    `${target}\u00c0\u00af`,
    `${target}?${'a=1&'.repeat(random.between(1, 3_000))}`,
    `/${'a'.repeat(random.between(1, 20_000))}`,
    `${target}${'/..'.repeat(random.between(1, 500))}`,
    '/__proto__',
    '/constructor',
    `/${hostile}`,
    '',
    '  ',
    'GET',
  ];
}

const versions = [
  '',
  'HTTP/0.9',
  'HTTP/1.0',
  'HTTP/1.2',
  'HTTP/2.0',
  'HTTP/2',
  'HTTP/3',
  'HTTP/9.9',
  'HTTP/1',
  'HTTP/1.',
  'HTTP/1.1x',
  'HTTP/1.10',
  'HTTP/01.1',
  'HTTP/-1.1',
  'HTP/1.1',
  'http/1.1',
  'HTTP1.1',
  'HTTP /1.1',
  'HTTPS/1.1',
  'ICE/1.0',
  'RTSP/1.0',
  'HTTP/1.1\0',
  'HTTP/1,1',
  'HTTP/99999999999.1',
] as const;

function fields(random: Random): readonly string[] {
  const long = 'a'.repeat(random.between(1_000, 40_000));
  return [
    'Host: a',
    'Host: a, b',
    'Host:',
    'Host: [::1',
    'Host: a:b',
    'Host: \xff',
    'Host: a/b',
    'Host: a b',
    'Host : a',
    `Host: ${long}`,
    ' folded: 1',
    '\tfolded',
    'X: a\r\n b',
    'X: a\r\n\tb\r\n c',
    ': none',
    'none',
    'no colon here',
    'Space : 1',
    'Na me: 1',
    'N\0: 1',
    'X: \0',
    'X: \x01\x1f',
    'X: a\rb',
    'X: a\nb',
    'X: \x7f',
    'X: \xe9\xff',
    '\xe9: 1',
    '(x): 1',
    '"x": 1',
    `X: ${long}`,
    `${long}: 1`,
    'X: 1\r\n'.repeat(random.between(100, 3_000)).trimEnd(),
    'Connection: close, keep-alive',
    'Connection: upgrade',
    'Connection: \0',
    'Connection: ,,,',
    'Connection: host, content-length',
    'Keep-Alive: timeout=99999999999',
    'Upgrade: websocket',
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: eA==\r\nSec-WebSocket-Version: 13',
    'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk',
    'Expect: 100-continue',
    'Expect: 200-ok',
    'Expect:',
    'Expect: 100-continue, 100-continue',
    'Range: bytes=0-',
    'Range: bytes=-1',
    'Range: bytes=9-1,2-3',
    'If-None-Match: *',
    'If-None-Match: "',
    'If-None-Match: W/"x", "y"',
    'If-Modified-Since: never',
    'If-Match: x',
    'If-Range: x',
    'Accept: */*;q=9',
    'Accept: ;',
    'Accept: a',
    `Accept: ${'a/b,'.repeat(2_000)}`,
    'Accept-Encoding: gzip;q=\xff',
    'Accept-Encoding: *;q=0',
    'Accept-Charset: utf-16',
    'Cookie: =;=;',
    'Content-Type: \xff',
    'Content-Type: application/json;charset=utf-16',
    'Content-Type: multipart/form-data',
    'Content-Type: multipart/form-data; boundary=',
    'Content-Encoding: gzip',
    'Content-Encoding: x, y',
    'Origin: null',
    'Sec-Fetch-Site: cross-site',
    'X-HTTP-Method-Override: DELETE',
    'X-Forwarded-For: 1.2.3.4, \xff',
    'X-Forwarded-Host: evil',
    'Forwarded: for=_',
    '__proto__: 1',
    'constructor: 1',
    'TE: trailers',
    'Trailer: Host',
    'Authorization: Basic \xff',
    'Authorization: Basic',
    `Authorization: Bearer ${long}`,
    'Last-Event-ID: \xff',
    'Cache-Control: only-if-cached',
    'Date: x',
    'Via: x',
    'Max-Forwards: -1',
    'Proxy-Connection: keep-alive',
  ];
}

function lengths({ body }: Parts, random: Random): readonly string[] {
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

const transferCodings = [
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

function brokenChunks(random: Random): string {
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

/** How clients of other protocols begin, and of this one's other versions. */
const prefaces = [
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0',
  '\x16\x03\x01\0\xa5\x01\0\0\xa1\x03\x03',
  '\x80\x2e\x01\x03\x01',
  'SSH-2.0-OpenSSH_9.6\r\n',
  'PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n',
  '\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c',
  'OPTIONS rtsp://x/ RTSP/1.0\r\nCSeq: 1\r\n\r\n',
  '\x05\x01\0',
  '\x04\x01\0\x50\x01\x02\x03\x04\0',
  'EHLO x\r\n',
  'USER a\r\n',
  '*1\r\n$4\r\nPING\r\n',
  'stats\r\n',
  '\x10\x1a\0\x04MQTT\x04\x02\0\x3c',
  '\0\0\0\x08\x04\xd2\x16\x2f',
  'GET /\n\n',
  'GET /api/day HTTP/1.1\n\n',
] as const;

/** Changes a few bytes. */
function mutate(random: Random, text: string): string {
  let bytes = text;
  for (let n = random.between(1, 8); n > 0; n--) {
    const at = random.between(0, bytes.length);
    const length = random.between(1, 12);
    const [head, middle, tail] = [bytes.slice(0, at), bytes.slice(at, at + length), bytes.slice(at + length)];
    bytes = random.pick([
      head + noise(random, length) + tail,
      head + noise(random, length) + middle + tail,
      head + tail,
      head + middle + middle + tail,
      tail + head,
      head + middle,
    ]);
  }
  return bytes;
}

function noise(random: Random, length: number): string {
  const special = '\0\r\n\t :;,%/?#\xff\x80HTTP';
  return Array.from({ length }, () =>
    random.chance(0.3)
      ? special.charAt(random.between(0, special.length - 1))
      : String.fromCharCode(random.between(0, 255)),
  ).join('');
}

function insert<T>(random: Random, items: readonly T[], item: T): T[] {
  const at = random.between(0, items.length);
  return [...items.slice(0, at), item, ...items.slice(at)];
}

/** Cuts into packets, mostly one. */
function cut(random: Random, text: string): Buffer[] {
  const bytes = Buffer.from(text, 'latin1');
  if (random.chance(0.8) || bytes.length < 2) return [bytes];
  const at = random.between(1, bytes.length - 1);
  return [bytes.subarray(0, at), bytes.subarray(at)];
}
