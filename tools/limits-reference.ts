// Makes the tables of docs/reference/limits.md from the code: `npm run reference` writes them. A test checks that the setting
// and the test of each limit exist.
import { readFile, writeFile } from 'node:fs/promises';
import { maxHeaderSize } from 'node:http';
import { fileURLToPath } from 'node:url';
import { NAME_PART_MAX_LENGTH, PUSH_MAX_READINGS, TALLY_ID_MAX_BYTES } from '../packages/domain/src/index.js';
import {
  NAME_LIST_MAX_LINES,
  UNNAMED_MAX_TAGS,
  BACKUP_LINE_MAX_LENGTH,
  CENTRE_ERASURES_MAX,
  CENTRE_KEYS_MAX,
  CORRECTIONS_AT_ONCE_MAX,
  ERASURE_KEYS_MAX,
  ERASURES_MAX,
  RANGE_MAX_DAYS,
  STATION_KEYS_MAX,
} from '../packages/domain/src/record/index.js';
import { ERASURE_MAX_TAGS } from '../packages/domain/src/personal/index.js';
import {
  STATION_REFUSED_MAX,
  SYNC_MAX_BYTES,
  SYNC_MAX_ITEMS,
  SYNC_MAX_WAIT_MS,
} from '../packages/domain/src/sync/index.js';
import { ERASURE_KEPT_DAYS } from '../packages/domain/src/record/values/erasure.js';
import { UNWRITTEN_MAX } from '../packages/domain/src/access/audit/audit-trail.js';
import { settings } from '@tallybook/server';
import { SET_ASIDE_MAX } from '../packages/devices/src/publishing/set-aside-changes.js';
import { deliveryLimits } from '../packages/http-koa/src/answers/deliveries.js';
import { feedLimits } from '../packages/http-koa/src/events/feed-options.js';
import { FILE_MAX_BYTES } from '../packages/http-koa/src/requests/read-file.js';
import { SNAPSHOTS_AT_ONCE, WAITS_PER_STATION } from '../packages/http-koa/src/routes/sync/routes-sync.js';
import { JSON_MAX_BYTES } from '../packages/http-koa/src/requests/read-json.js';
import { PUSH_MAX_BYTES } from '../packages/http-koa/src/routes/readers/read-pushed.js';
import { TAP_LINES_PER_MINUTE } from '../packages/server/src/log/attendance-log.js';
import { HEAP_OF_PERSON } from '../packages/server/src/wiring/modules/domain-module.js';
import { HEAP_OF_TAG } from '../packages/store-level/src/queries/read-day.js';
import { HEAP_OF_TAG as HEAP_OF_ROW } from '../packages/store-postgres/src/rows/day-rows.js';
import { listenerDefaults } from '../packages/server/src/http/http-listener.js';
import {
  DEFAULT_RETRY_MS,
  READERS,
  VIEWS,
} from '../packages/store-postgres/src/database/postgres-database.js';
import { ROWS_MAX } from '../packages/store-postgres/src/database/writer/write-queue.js';
import { LINE_LENGTH, TIMEOUT_MS } from '../packages/upstream-http/src/http-sync-transport.js';
import { formatPage } from './format-page.mjs';

const page = fileURLToPath(new URL('../docs/reference/limits.md', import.meta.url));
const TABLES = /(?<=<!-- limits: npm run reference -->\n\n).*?(?=\n\n<!-- end of limits -->)/s;

/** A limit, and the test that exceeds it. */
export interface Limit {
  readonly what: string;
  readonly most: string;
  /** The setting that changes it, or why there is none. */
  readonly change: keyof typeof settings | { readonly because: string };
  /** Reaction to more than the limit. */
  readonly beyond: string;
  /** The test that exceeds the limit: its file, and the beginning of its title. */
  readonly test: readonly [file: string, title: string];
}

const defaultOf = (name: keyof typeof settings): string =>
  Number(settings[name].default).toLocaleString('en');
const seconds = (milliseconds: number): string => `${milliseconds / 1_000} s`;
const size = (bytes: number): string =>
  bytes >= 1_048_576
    ? `${bytes / 1_048_576} MiB`
    : bytes >= 1_024
      ? `${bytes / 1_024} KiB`
      : `${bytes} bytes`;
const number = (value: number): string => value.toLocaleString('en');

const moreHeap = { because: '`NODE_OPTIONS=--max-old-space-size` gives more heap' };
/** The heap of Node with `--max-old-space-size=200`, its young generation included, in bytes. */
const HEAP_200 = 248 * 1_048_576;
const tagsAt200 = (bytes: number): string => number(Math.floor(HEAP_200 / bytes));
const aDevice = { because: 'it bounds memory' };
const aFormat = { because: 'clients rely on it' };
const http = 'packages/http-koa/test';
const server = 'packages/server/test';
const domain = 'packages/domain/test';
const postgres = 'packages/store-postgres/test';
const upstream = 'packages/upstream-http/test';
const TOO_MANY = '429 with `Retry-After`';

/** Every limit, by topic. */
export const limits: Readonly<Record<string, readonly Limit[]>> = {
  Requests: [
    {
      what: 'reads of one client',
      most: `${defaultOf('maxReadsPerSecond')} a second, and ten times as many in a burst`,
      change: 'maxReadsPerSecond',
      beyond: TOO_MANY,
      test: [`${http}/requests/request-limits.test.ts`, 'is limited: 429 has the time of the next try'],
    },
    {
      what: 'changes by one client',
      most: `${defaultOf('maxWritesPerSecond')} a second, and ten times as many in a burst`,
      change: 'maxWritesPerSecond',
      beyond: TOO_MANY,
      test: [
        `${http}/requests/request-limits.test.ts`,
        'is counted separately for reads, changes and exports',
      ],
    },
    {
      what: 'tables, CSV, XLSX and backups for one client',
      most: `${defaultOf('maxExportsPerMinute')} a minute, all of them at once if needed`,
      change: 'maxExportsPerMinute',
      beyond: TOO_MANY,
      test: [
        `${http}/requests/request-limits.test.ts`,
        'is counted separately for reads, changes and exports',
      ],
    },
    {
      what: 'clients remembered for these limits',
      most: '10,000',
      change: aDevice,
      beyond: 'the client that was idle longest is forgotten',
      test: [`${http}/requests/pace.test.ts`, 'remembers 10,000 clients'],
    },
    {
      what: 'header of a request',
      most: size(maxHeaderSize),
      change: aDevice,
      beyond: '431',
      test: [`${server}/http/http-limits.slow.test.ts`, 'are not affected by others that are too slow'],
    },
    {
      what: 'time for the header',
      most: seconds(listenerDefaults.requestTimeoutMs / 3),
      change: { because: 'every network that can show the page is quicker' },
      beyond: '408, and the connection is cut',
      test: [
        `${server}/http/http-limits.slow.test.ts`,
        'free their place when their request came too slowly',
      ],
    },
    {
      what: 'time for the whole request',
      most: seconds(listenerDefaults.requestTimeoutMs),
      change: { because: 'at 35 kB a second it is enough for a list of names of 1 MiB' },
      beyond: '408, and the connection is cut',
      test: [
        `${server}/http/http-limits.slow.test.ts`,
        'free their place when their request came too slowly',
      ],
    },
    {
      what: 'JSON body',
      most: size(JSON_MAX_BYTES),
      change: aFormat,
      beyond: '413',
      test: [`${http}/requests/read-json.test.ts`, 'is refused as soon as it is too large'],
    },
    {
      what: 'readings in one request of a device',
      most: `${number(PUSH_MAX_READINGS)}, ${size(PUSH_MAX_BYTES)}`,
      change: aFormat,
      beyond: '413',
      test: [`${http}/routes/readers/push-readings.test.ts`, 'refuses'],
    },
    {
      what: 'waiting requests of a reader over HTTP',
      most: '16',
      change: aDevice,
      beyond: TOO_MANY,
      test: [
        'packages/readers/test/http/http-id-source.test.ts',
        'does not begin a request while 16 others wait',
      ],
    },
    {
      what: 'list of names',
      most: `${size(FILE_MAX_BYTES)}, ${number(NAME_LIST_MAX_LINES)} lines`,
      change: aFormat,
      beyond: '413, 422',
      test: [`${http}/routes/names/people.test.ts`, 'accepts at most ten thousand names'],
    },
    {
      what: 'lists of names imported at a time',
      most: '4',
      change: aDevice,
      beyond: 'further ones wait',
      test: [`${http}/routes/names/people.test.ts`, 'reads four lists at a time'],
    },
    {
      what: 'range of a table or file',
      most: `${number(RANGE_MAX_DAYS)} days`,
      change: aFormat,
      beyond: '400',
      test: [`${http}/routes/days/table.test.ts`, 'refuses a range of more than 3,660 days'],
    },
  ],
  Connections: [
    {
      what: 'connections at a time',
      most: defaultOf('maxConnections'),
      change: 'maxConnections',
      beyond: 'closed without an answer, and logged',
      test: [`${server}/http/http-limits.slow.test.ts`, 'are limited: one more is closed without an answer'],
    },
    {
      what: 'connections of one client at a time',
      most: defaultOf('maxConnectionsPerAddress'),
      change: 'maxConnectionsPerAddress',
      beyond: 'closed without an answer, and logged',
      test: [`${server}/http/http-limits.slow.test.ts`, 'are limited for ${address}, and not for others'],
    },
    {
      what: 'requests on one connection that wait for earlier answers',
      most: String(listenerDefaults.maxWaiting),
      change: aDevice,
      beyond: 'cut, and logged',
      test: [`${server}/http/http-listener.test.ts`, 'cuts a connection on which too many requests wait'],
    },
    {
      what: 'time without a further request after an answer',
      most: seconds(listenerDefaults.idleMs),
      change: { because: 'a new connection costs a client little' },
      beyond: 'closed',
      test: [`${server}/http/http-limits.slow.test.ts`, 'free their place when they send no more requests'],
    },
    {
      what: 'time without progress while a request waits for its answer',
      most: seconds(listenerDefaults.stallMs),
      change: aDevice,
      beyond: 'cut',
      test: [
        `${server}/http/http-limits.slow.test.ts`,
        'free their place when an answer is not read for a while',
      ],
    },
  ],
  Answers: [
    {
      what: 'memory for one answer, and for all unfinished answers together',
      most: size(deliveryLimits.maxAnswerBytes[2]),
      change: aDevice,
      beyond: '503; with `Retry-After` if others take the memory',
      test: [`${http}/answers/answers.test.ts`, 'is refused with 503 while others take the memory'],
    },
    {
      what: 'reads of tables, files, lists of days, corrections, unnamed tags and scans without a day, at a time',
      most: '1; clients take turns',
      change: { because: 'it bounds memory, and leaves time for taps and for today' },
      beyond: 'further ones wait',
      test: [`${http}/answers/answers.test.ts`, 'are read by clients in turn'],
    },
    {
      what: 'time that a request waits for its turn to read',
      most: seconds(deliveryLimits.answerWaitMs[2]),
      change: { because: 'clients give up soon after' },
      beyond: '503 with `Retry-After`',
      test: [`${http}/answers/answers.test.ts`, 'are refused with 503 when their turn does not come'],
    },
    {
      what: 'time in which the client reads nothing',
      most: seconds(deliveryLimits.answerStallMs[2]),
      change: aDevice,
      beyond: 'cut',
      test: [`${http}/answers/deliveries.test.ts`, 'cut off a client that takes nothing'],
    },
    {
      what: 'time for one answer or file',
      most: seconds(deliveryLimits.answerDeadlineMs[2]),
      change: aDevice,
      beyond: 'cut',
      test: [`${http}/answers/deliveries.test.ts`, 'cut off a client that does not finish in time'],
    },
    {
      what: 'backups, CSV and XLSX files, and tables above 8 MiB, at a time',
      most: defaultOf('maxExports'),
      change: 'maxExports',
      beyond: '503 with `Retry-After`',
      test: [`${http}/routes/service/export.test.ts`, 'is limited to two at a time'],
    },
    {
      what: 'backups, CSV and XLSX files, and tables above 8 MiB, of one client at a time',
      most: '1',
      change: { because: 'other clients need a place too' },
      beyond: '503 with `Retry-After`',
      test: [`${http}/routes/service/export.test.ts`, 'is limited to one at a time for each client'],
    },
  ],
  'Event streams': [
    {
      what: 'event streams at a time',
      most: defaultOf('maxSubscribers'),
      change: 'maxSubscribers',
      beyond: '500, and logged',
      test: [`${http}/events/event-limits.test.ts`, 'is limited: one more gets 500'],
    },
    {
      what: 'event streams of one client at a time',
      most: defaultOf('maxStreamsPerAddress'),
      change: 'maxStreamsPerAddress',
      beyond: TOO_MANY,
      test: [`${http}/requests/request-limits.test.ts`, 'of one client is limited: one more gets 429'],
    },
    {
      what: 'event streams of one session or token at a time',
      most: defaultOf('maxStreamsPerSession'),
      change: 'maxStreamsPerSession',
      beyond: 'the oldest one ends',
      test: [`${http}/requests/request-limits.test.ts`, 'of one session or token is limited'],
    },
    {
      what: 'data waiting for a client that does not read',
      most: size(feedLimits.maxBufferedBytes[2]),
      change: aDevice,
      beyond: 'cut; the client gets the missed events when it reconnects',
      test: [`${http}/events/event-limits.test.ts`, 'is cut off, while the others get all events'],
    },
  ],
  Stations: [
    {
      what: 'size of a batch',
      most: `${size(SYNC_MAX_BYTES)}, ${number(SYNC_MAX_ITEMS)} items`,
      change: aFormat,
      beyond: '413, 400',
      test: [`${http}/routes/sync.test.ts`, 'is 400 for an invalid batch'],
    },
    {
      what: 'time that a request for changes may wait',
      most: seconds(SYNC_MAX_WAIT_MS),
      change: { because: 'routers forget idle connections' },
      beyond: '400',
      test: [`${http}/routes/sync.test.ts`, 'is 400 for an invalid place or time'],
    },
    {
      what: 'waiting requests of one token',
      most: number(WAITS_PER_STATION),
      change: aDevice,
      beyond: TOO_MANY,
      test: [`${http}/routes/sync.test.ts`, 'allows 4 waiting requests of one token'],
    },
    {
      what: 'snapshots at a time',
      most: number(SNAPSHOTS_AT_ONCE),
      change: aDevice,
      beyond: '503 with `Retry-After`',
      test: [`${http}/routes/sync.test.ts`, 'is read by at most 4 stations at a time'],
    },
    {
      what: 'line of a snapshot at the station, compressed or not',
      most: `${number(LINE_LENGTH)} characters`,
      change: aFormat,
      beyond: 'the connection is cut, and the station requests the snapshot again later',
      test: [`${upstream}/http-sync-transport.test.ts`, 'reads no answer without end'],
    },
    {
      what: 'time for an answer of the centre, beyond the requested wait',
      most: seconds(TIMEOUT_MS),
      change: { because: 'the station sends unanswered requests again' },
      beyond: 'the connection is cut, and the station sends the request again later',
      test: [`${upstream}/http-sync-transport.test.ts`, 'gives up a centre that does not answer'],
    },
    {
      what: 'refused changes of a station that a centre remembers',
      most: number(STATION_REFUSED_MAX),
      change: aDevice,
      beyond: 'the oldest are forgotten',
      test: ['packages/testing/src/contracts/sync/station-store.ts', 'keeps the 100 items of a station'],
    },
    {
      what: 'new keys of erasures from one station',
      most: `${number(STATION_KEYS_MAX)} in ${number(ERASURE_KEPT_DAYS)} days`,
      change: { because: 'each makes the first tap of a tag slower' },
      beyond: '`TOO_MANY_ERASURE_KEYS`, and the station sends the erasure again every hour',
      test: [`${domain}/sync/erasure-keys.test.ts`, 'are accepted from a station up to 16'],
    },
    {
      what: 'keys of erasures at a centre, before it refuses new keys of stations',
      most: number(CENTRE_KEYS_MAX),
      change: { because: 'each makes the first tap of a tag slower' },
      beyond: '`TOO_MANY_ERASURE_KEYS`, and the station sends the erasure again every hour',
      test: [`${domain}/sync/erasure-keys.test.ts`, 'are at most 512 also if many stations come at once'],
    },
    {
      what: 'erasures at a centre, before it refuses erasures of stations',
      most: number(CENTRE_ERASURES_MAX),
      change: aDevice,
      beyond: '`TOO_MANY_ERASURES`, and the station sends the erasure again every hour',
      test: [`${domain}/sync/erasure-keys.test.ts`, 'are at most 50,000 of all stations'],
    },
    {
      what: 'keys of erasures in a store',
      most: number(ERASURE_KEYS_MAX),
      change: { because: 'each makes the first tap of a tag slower' },
      beyond: '`TOO_MANY_ERASURE_KEYS`; a backup with more keys is imported only if the store has no others',
      test: [
        'packages/testing/src/contracts/record/erasure/taking-over-cases.ts',
        'takes none of several erasures if they have too many keys',
      ],
    },
    {
      what: 'erasures in a store',
      most: number(ERASURES_MAX),
      change: aDevice,
      beyond:
        '409 `TOO_MANY_ERASURES`; a backup with more erasures is imported only if the store has no others',
      test: [`${domain}/personal/erasure-service.test.ts`, 'erases nobody when 100,000 erasures are kept'],
    },
  ],
  'A server on PostgreSQL': [
    {
      what: 'connections for reads',
      most: number(READERS),
      change: { because: 'with more connections a database is slower, not quicker' },
      beyond: 'reads wait for one another',
      test: [`${postgres}/connection/connection-limits.test.ts`, 'are limited for reads'],
    },
    {
      what: 'connections for backups, exports and other snapshots',
      most: number(VIEWS),
      change: { because: 'each keeps the database from removing old rows' },
      beyond: 'a further one waits 10 s, then fails',
      test: [`${postgres}/connection/connection-limits.test.ts`, 'are limited for snapshots'],
    },
    {
      what: 'rows of a transaction',
      most: number(ROWS_MAX),
      change: { because: 'during a longer transaction other writes would have to wait' },
      beyond: 'further rows are in the next transaction; the erasures of a backup are one transaction',
      test: [
        `${postgres}/database/group-commit.test.ts`,
        'are several transactions if they change more than 1,000 rows',
      ],
    },
    {
      what: 'time for retries of a write while the database cannot be reached',
      most: seconds(DEFAULT_RETRY_MS),
      change: { because: 'afterwards scans wait in memory, as with a full disk' },
      beyond: '`STORE_WRITE_FAILED`',
      test: [
        `${postgres}/connection/outage.slow.test.ts`,
        'rejects, and recovers by itself when the database is back',
      ],
    },
  ],
  Access: [
    {
      what: 'users',
      most: '1,000',
      change: aDevice,
      beyond: '409 `ACCESS_LIMIT_REACHED`',
      test: [`${domain}/access/access-users.test.ts`, 'are 1,000 at most'],
    },
    {
      what: 'tokens',
      most: '1,000',
      change: aDevice,
      beyond: '409 `ACCESS_LIMIT_REACHED`',
      test: [
        `${domain}/access/access-users.test.ts`,
        'are 1,000 at most, and a revoked one makes room for another',
      ],
    },
    {
      what: 'passkeys of one user',
      most: '20',
      change: aDevice,
      beyond: '409 `ACCESS_LIMIT_REACHED`',
      test: [
        `${domain}/access/passkeys.test.ts`,
        'is limited to 20 for one user, also for two at the same time',
      ],
    },
    {
      what: 'passkeys checked at a time',
      most: '20',
      change: aDevice,
      beyond: '429 with `Retry-After`',
      test: [
        `${domain}/access/passkey-sign-in.test.ts`,
        'is limited to 20 at the same time: the next attempt must wait',
      ],
    },
    {
      what: 'sessions of one user',
      most: '50',
      change: aDevice,
      beyond: 'the oldest ends',
      test: [`${domain}/access/access-sign-in.test.ts`, 'keeps 50 sessions of a user'],
    },
    {
      what: 'wrong setup codes',
      most: '3 from each network; then the next attempt has to wait 1 s, and twice as long each time, up to 60 s',
      change: { because: 'it slows down guessing' },
      beyond: TOO_MANY,
      test: [`${domain}/access/access-users.test.ts`, 'refuses another code, and slows down guesses'],
    },
    {
      what: 'wrong passwords',
      most: '3 for each account; then the next attempt has to wait 1 s, and twice as long each time, up to 60 s',
      change: { because: 'it slows down guessing' },
      beyond: TOO_MANY,
      test: [`${domain}/access/access-sign-in.test.ts`, 'is slowed down per account: 1 s after three'],
    },
    {
      what: 'accounts and networks remembered for these limits',
      most: '10,000',
      change: aDevice,
      beyond: 'the one that was idle longest is forgotten',
      test: [`${domain}/access/sign-in-throttle.test.ts`, 'remembers 10,000 at most'],
    },
    {
      what: 'entries of the audit trail that wait in memory',
      most: number(UNWRITTEN_MAX),
      change: aDevice,
      beyond: 'the oldest are not written to the trail; the log has them',
      test: [`${domain}/audit/audit-trail.test.ts`, 'keeps only the latest thousand notes in memory'],
    },
    {
      what: 'corrections in one request',
      most: number(CORRECTIONS_AT_ONCE_MAX),
      change: aFormat,
      beyond: '400',
      test: [
        `${domain}/corrections/correction-service.test.ts`,
        'refuses an empty list and too many corrections',
      ],
    },
    {
      what: 'tags in one request of an erasure',
      most: number(ERASURE_MAX_TAGS),
      change: aFormat,
      beyond: '400',
      test: [`${domain}/personal/erasure-service.test.ts`, 'erases 1 to 100 tags together'],
    },
  ],
  Data: [
    {
      what: 'each part of a name',
      most: `${number(NAME_PART_MAX_LENGTH)} characters`,
      change: aFormat,
      beyond: '400',
      test: [`${domain}/values/name.test.ts`, 'refuses'],
    },
    {
      what: 'id of a tag',
      most: `${TALLY_ID_MAX_BYTES} bytes`,
      change: { because: 'no tag has more' },
      beyond: '400, or a fault of the reader',
      test: [`${domain}/values/tally-id.test.ts`, 'refuses'],
    },
    {
      what: 'tags of a day that is read',
      most: `one for ${HEAP_OF_TAG} bytes of heap (PostgreSQL: ${HEAP_OF_ROW}): ${tagsAt200(HEAP_OF_TAG)} with 200 MB`,
      change: moreHeap,
      beyond: '503 `NOT_ENOUGH_MEMORY`; every tap is recorded all the same',
      test: ['packages/store-level/test/queries/day-room.test.ts', 'is refused before it is read'],
    },
    {
      what: 'tags, named or read, in a table or file',
      most: `one for ${number(HEAP_OF_PERSON)} bytes of heap: ${tagsAt200(HEAP_OF_PERSON)} with 200 MB`,
      change: moreHeap,
      beyond: '503 `NOT_ENOUGH_MEMORY`',
      test: [`${domain}/ranges/range-service.test.ts`, 'is refused as a table when its names or its tags'],
    },
    {
      what: 'lines of the log about taps',
      most: `${TAP_LINES_PER_MINUTE} a minute`,
      change: { because: 'it bounds the size of the log' },
      beyond: 'the others are counted in one line',
      test: [`${server}/log/attendance-log.test.ts`, 'logs 120 taps in a minute'],
    },
    {
      what: 'tags in the list of tags without a name',
      most: number(UNNAMED_MAX_TAGS),
      change: aDevice,
      beyond: 'only the latest are listed',
      test: [`${domain}/names/unnamed-tags.test.ts`, 'lists at most'],
    },
    {
      what: 'scans in memory while the store cannot write',
      most: defaultOf('backlogLimit'),
      change: 'backlogLimit',
      beyond: 'further scans are lost; the reader, the log, health and metrics say so',
      test: [`${domain}/attendance/attendance-backlog.test.ts`, 'keeps the oldest if there are too many'],
    },
    {
      what: 'changes in the journal',
      most: defaultOf('journalLimit'),
      change: 'journalLimit',
      beyond: 'the oldest are removed',
      test: ['packages/store-level/test/stores/level-journal.test.ts', 'removes surplus changes'],
    },
    {
      what: 'refused changes that are set aside for one publisher',
      most: number(SET_ASIDE_MAX),
      change: aDevice,
      beyond: 'the publisher stops',
      test: ['packages/devices/test/publishing/set-aside-changes.test.ts', 'stops at the 1,001st'],
    },
    {
      what: 'line of a backup',
      most: `${number(BACKUP_LINE_MAX_LENGTH)} characters`,
      change: aFormat,
      beyond: 'the backup is refused',
      test: [`${server}/backup/read-lines.test.ts`, 'names the line that is too long'],
    },
  ],
};

/** The present text of the page, and the expected text. */
export async function limitsReference(): Promise<{ readonly actual: string; readonly expected: string }> {
  const actual = await readFile(page, 'utf8');
  if (!TABLES.test(actual)) throw new Error(`${page} has no place for the tables of limits`);
  const lines = Object.entries(limits).flatMap(([topic, rows]) => [
    `## ${topic}`,
    '',
    '| what | limit | setting | beyond it |',
    '| --- | --- | --- | --- |',
    ...rows.map((limit) => row(limit)),
    '',
  ]);
  const tables = (await formatPage(lines.join('\n'))).trim();
  return { actual, expected: actual.replace(TABLES, () => tables) };
}

function row({ what, most, change, beyond }: Limit): string {
  const how = typeof change === 'string' ? `\`--${settings[change].flag}\`` : `none: ${change.because}`;
  return `| ${[what, most, how, beyond].join(' | ')} |`;
}

// Not awaited here; settings-reference.ts has the reason.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  void limitsReference().then(({ expected }) => writeFile(page, expected));
}
