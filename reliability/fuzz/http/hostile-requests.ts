import type { Random } from '../../random.js';
import { LAST_REQUEST } from './broken-requests.js';
import { sample, type Endpoint, type OpenApi } from './endpoints.js';
import { hostileBody } from './hostile-bodies.js';
import { encodeText, hostileText } from '../hostile-values.js';
import type { Script } from '../script.js';

/** The request of which the service does one at a time, and refuses another with 503. */
const ONE_AT_A_TIME = 'POST /api/restore ';
/** Requests on one connection, sent at once; the last one asks the server to close. */
const PIPELINE = 16;
/** With a longer query the header could exceed 16 KiB, and the server would close the connection. */
const LONGEST_QUERY = 8_000;
const LONGEST_SEGMENT = 1_000;

/** A script of requests that are valid HTTP with hostile content. Each must be answered. */
export function makeQueryScript(random: Random, endpoints: readonly Endpoint[]): Script {
  const readable = endpoints.filter(
    ({ method, isStream }) => (method === 'GET' || method === 'HEAD') && !isStream,
  );
  return pipeline(random, () => {
    const endpoint = random.pick(readable);
    const head = `${endpoint.method} ${fillPath(random, endpoint.path)}${hostileQuery(random, endpoint)} HTTP/1.1`;
    return Buffer.from(`${head}\r\nHost: localhost\r\n${hostileFields(random)}\r\n`, 'latin1');
  });
}

/** A script of requests with hostile bodies. Each body has the length that its header states. */
export function makeBodyScript(random: Random, endpoints: readonly Endpoint[], openApi: OpenApi): Script {
  const writable = endpoints.filter(takesBody);
  return pipeline(random, () => makeBodyRequest(random, random.pick(writable), openApi));
}

/**
 * The same for a claimed service. Most requests are those of an admin. The others have no credentials and must be
 * refused.
 *
 * @param token Token of the admin.
 */
export function makeClaimedScript(
  random: Random,
  endpoints: readonly Endpoint[],
  openApi: OpenApi,
  token: string,
): Script {
  const writable = endpoints.filter(takesBody);
  const refusals: number[] = [];
  let count = 0;
  let withCredentials = 0;
  const script = pipeline(random, () => {
    const endpoint = random.pick(writable);
    const isOfAdmin = random.chance(0.7);
    if (!isOfAdmin && !isForEverybody(endpoint)) refusals.push(count);
    count++;
    if (isOfAdmin) withCredentials++;
    return makeBodyRequest(random, endpoint, openApi, isOfAdmin ? [`Authorization: Bearer ${token}`] : []);
  });
  // The last request has no credentials.
  return { ...script, refusals: [...refusals, count], withCredentials };
}

function takesBody({ bodies }: Endpoint): boolean {
  return Object.keys(bodies).length > 0;
}

/** Whether an endpoint is open to everybody: signing in, and the setup. */
function isForEverybody({ path }: Endpoint): boolean {
  return path.startsWith('/api/session') || path === '/api/setup';
}

function makeBodyRequest(
  random: Random,
  { method, path, bodies }: Endpoint,
  openApi: OpenApi,
  more: readonly string[] = [],
): Buffer {
  const [type, schema] = random.pick(Object.entries(bodies));
  const { bytes, fields } = hostileBody(random, type, sample(schema, openApi));
  const head = [
    `${method} ${fillPath(random, path)} HTTP/1.1`,
    'Host: localhost',
    ...more,
    ...fields,
    `Content-Length: ${bytes.length}`,
  ].join('\r\n');
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), bytes]);
}

/** A script that opens an event stream with an invented cursor, and leaves it in a random way. */
export function makeStreamScript(random: Random, endpoints: readonly Endpoint[]): Script {
  const endpoint = random.pick(endpoints.filter(({ isStream }) => isStream));
  const cursor = random
    .pick([
      hostileText(random),
      '0123456789abcdef-1',
      `-${random.between(0, 2_000)}`,
      'x'.repeat(random.between(0, 12_000)),
    ])
    .replace(/[\0\r\n]/g, '');
  const request = `${endpoint.method} ${endpoint.path}${hostileQuery(random, endpoint)} HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: ${cursor}\r\n\r\n`;
  const end = random.pick(['leave', 'leave', 'reset', 'close'] as const);
  return { pieces: [Buffer.from(request)], hostile: 1, end, mayBeBusy: endpoint.isBusyAtTimes };
}

function pipeline(random: Random, makeRequest: () => Buffer): Script {
  const requests = Array.from({ length: random.between(1, PIPELINE) }, makeRequest);
  const bytes = Buffer.concat([...requests, Buffer.from(LAST_REQUEST)]);
  return {
    ...{ pieces: [bytes], hostile: requests.length, answers: requests.length + 1, end: 'wait' },
    // The requests of a connection, and those of others, are answered at the same time.
    mayBeBusy: requests.some((request) => request.includes(ONE_AT_A_TIME)),
  };
}

function fillPath(random: Random, path: string): string {
  return path.replace(/\{[^}]*\}/g, () => encodeText(random, hostileText(random)).slice(0, LONGEST_SEGMENT));
}

function hostileQuery(random: Random, { query }: Endpoint): string {
  if (random.chance(0.05)) return `?${encodeText(random, hostileText(random))}`.slice(0, LONGEST_QUERY);
  const names = [...query, ...query, ...query, 'x', '__proto__', `${query[0] ?? 'y'}[]`];
  const pairs = Array.from({ length: random.between(0, 4) }, () => {
    const name = random.chance(0.95) ? random.pick(names) : encodeText(random, hostileText(random));
    if (random.chance(0.03)) return name;
    return `${name}=${encodeText(random, hostileText(random))}`;
  });
  return pairs.length > 0 ? `?${pairs.join('&')}`.slice(0, LONGEST_QUERY) : '';
}

const fieldValues: Readonly<Record<string, readonly string[]>> = {
  Accept: [
    'application/json',
    'text/plain;q=0',
    'application/problem+json',
    '*/*;q=0',
    'text/html',
    ';;;',
    'application/json;q=nan',
    'text/csv',
  ],
  'Accept-Encoding': ['gzip', 'br;q=1, *;q=0', 'identity;q=0', 'x'.repeat(1_000), ';q='],
  'Accept-Language': ['de', '*', '-'],
  'If-None-Match': ['*', '"', 'W/"x"', '"a", "b"', ','.repeat(500), '"' + 'x'.repeat(2_000) + '"'],
  'If-Modified-Since': ['Thu, 01 Jan 1970 00:00:00 GMT', 'x', '-1'],
  'Cache-Control': ['no-cache', 'only-if-cached', 'max-age=-1'],
  Range: ['bytes=0-0', 'bytes=-', 'bytes=5-1', 'x'],
  'Content-Type': ['application/json', 'x'],
  Connection: ['keep-alive', 'x'],
  Cookie: ['a=b', '=', ';'],
  Origin: ['null', 'https://example.org'],
  'Last-Event-ID': ['1', '-', 'x'.repeat(500)],
};

function hostileFields(random: Random): string {
  return Array.from({ length: random.between(0, 3) }, () => {
    const [name, values] = random.pick(Object.entries(fieldValues));
    return `${name}: ${random.pick(values)}\r\n`;
  }).join('');
}
