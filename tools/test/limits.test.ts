import { readFileSync } from 'node:fs';
import { maxHeaderSize } from 'node:http';
import { expect } from 'chai';
import {
  NAME_PART_MAX_LENGTH,
  PUSH_MAX_READINGS,
  TALLY_ID_MAX_BYTES,
} from '../../packages/domain/src/index.js';
import {
  NAME_LIST_MAX_LINES,
  UNNAMED_MAX_TAGS,
  BACKUP_LINE_MAX_LENGTH,
  CENTRE_ERASURES_MAX,
  CORRECTIONS_AT_ONCE_MAX,
  ENTRY_SCANS_MAX,
  ERASURE_KEYS_MAX,
  ERASURES_MAX,
  RANGE_MAX_DAYS,
} from '../../packages/domain/src/record/index.js';
import { ERASURE_MAX_TAGS } from '../../packages/domain/src/personal/index.js';
import {
  STATION_REFUSED_MAX,
  SYNC_MAX_BYTES,
  SYNC_MAX_ITEMS,
  SYNC_MAX_WAIT_MS,
} from '../../packages/domain/src/sync/index.js';
import { UNWRITTEN_MAX } from '../../packages/domain/src/access/audit/audit-trail.js';
import { settings } from '@tallybook/server';
import { SET_ASIDE_MAX } from '../../packages/devices/src/publishing/set-aside-changes.js';
import { httpLimits } from '../../packages/http-koa/src/limits.js';
import { FILE_MAX_BYTES, JSON_MAX_BYTES, PUSH_MAX_BYTES } from '../../packages/http-contract/src/index.js';
import { SNAPSHOTS_AT_ONCE, WAITS_PER_STATION } from '../../packages/http-koa/src/routes/sync/routes-sync.js';
import { TAP_LINES_PER_MINUTE } from '../../packages/server/src/log/attendance-log.js';
import { HEAP_OF_PERSON } from '../../packages/server/src/wiring/modules/tallybook-module.js';
import { HEAP_OF_TAG } from '../../packages/store-level/src/queries/read-day.js';
import { HEAP_OF_TAG as HEAP_OF_ROW } from '../../packages/store-postgres/src/rows/day-rows.js';
import { listenerDefaults } from '../../packages/server/src/http/http-listener.js';
import {
  DEFAULT_RETRY_MS,
  READERS,
  VIEWS,
} from '../../packages/store-postgres/src/database/postgres-database.js';
import { ROWS_MAX } from '../../packages/store-postgres/src/database/writer/write-queue.js';
import { LINE_LENGTH, TIMEOUT_MS } from '../../packages/upstream-http/src/http-sync-transport.js';
import { tableRows } from './fixtures/table-rows.js';

const page = new URL('../../docs/reference/limits.md', import.meta.url);
const seconds = (milliseconds: number): string => `${milliseconds / 1_000} s`;
const size = (bytes: number): string => {
  if (bytes >= 1_048_576) return `${bytes / 1_048_576} MiB`;
  return bytes >= 1_024 ? `${bytes / 1_024} KiB` : `${bytes} bytes`;
};
const number = (value: number): string => value.toLocaleString('en');
/** The heap of Node with `--max-old-space-size=200`, its young generation included, in bytes. */
const HEAP_200 = 248 * 1_048_576;
const tagsAt200 = (bytes: number): string => number(Math.floor(HEAP_200 / bytes));

/** What the code says of limits that no setting changes. */
const inCode: Readonly<Record<string, string>> = {
  'header of a request': size(maxHeaderSize),
  'time for the header': seconds(listenerDefaults.requestTimeoutMs / 3),
  'time for the whole request': seconds(listenerDefaults.requestTimeoutMs),
  'JSON body': size(JSON_MAX_BYTES),
  'readings in one request of a device': `${number(PUSH_MAX_READINGS)}, ${size(PUSH_MAX_BYTES)}`,
  'list of names': `${size(FILE_MAX_BYTES)}, ${number(NAME_LIST_MAX_LINES)} lines`,
  'range of a table or file': `${number(RANGE_MAX_DAYS)} days`,
  'requests on one connection that wait for earlier answers': String(listenerDefaults.maxWaiting),
  'time without a further request after an answer': seconds(listenerDefaults.idleMs),
  'time without progress while a request waits for its answer': seconds(listenerDefaults.stallMs),
  'memory for one answer, and for all unfinished answers together': size(httpLimits.maxAnswerBytes[2]),
  'time that a request waits for its turn to read': seconds(httpLimits.answerWaitMs[2]),
  'time in which the client reads nothing': seconds(httpLimits.answerStallMs[2]),
  'time for one answer or file': seconds(httpLimits.answerDeadlineMs[2]),
  'data waiting for a client that does not read': size(httpLimits.maxBufferedBytes[2]),
  'size of a batch': `${size(SYNC_MAX_BYTES)}, ${number(SYNC_MAX_ITEMS)} items`,
  'time that a request for changes may wait': seconds(SYNC_MAX_WAIT_MS),
  'waiting requests of one token': number(WAITS_PER_STATION),
  'snapshots at a time': number(SNAPSHOTS_AT_ONCE),
  'line of a snapshot at the station, compressed or not': `${number(LINE_LENGTH)} characters`,
  'time for an answer of the centre, beyond the requested wait': seconds(TIMEOUT_MS),
  'refused changes of a station that a centre remembers': number(STATION_REFUSED_MAX),
  'erasures at a centre, before it refuses erasures of stations': number(CENTRE_ERASURES_MAX),
  'keys of erasures in a store': number(ERASURE_KEYS_MAX),
  'erasures in a store': number(ERASURES_MAX),
  'connections for reads': number(READERS),
  'connections for backups, exports and other snapshots': number(VIEWS),
  'rows of a transaction': number(ROWS_MAX),
  'time for retries of a write while the database cannot be reached': seconds(DEFAULT_RETRY_MS),
  'entries of the audit trail that wait in memory': number(UNWRITTEN_MAX),
  'corrections in one request': number(CORRECTIONS_AT_ONCE_MAX),
  'tags in one request of an erasure': number(ERASURE_MAX_TAGS),
  'each part of a name': `${number(NAME_PART_MAX_LENGTH)} characters`,
  'id of a tag': `${TALLY_ID_MAX_BYTES} bytes`,
  'tags of a day that is read': `one for ${HEAP_OF_TAG} bytes of heap (PostgreSQL: ${HEAP_OF_ROW}): ${tagsAt200(HEAP_OF_TAG)} with 200 MB`,
  'tags, named or read, in a table or file': `one for ${number(HEAP_OF_PERSON)} bytes of heap: ${tagsAt200(HEAP_OF_PERSON)} with 200 MB`,
  'lines of the log about taps': `${TAP_LINES_PER_MINUTE} a minute`,
  'tags in the list of tags without a holder': number(UNNAMED_MAX_TAGS),
  'refused changes that are set aside for one publisher': number(SET_ASIDE_MAX),
  'known scans of an entry in a line of a backup or an element of a sync item': number(ENTRY_SCANS_MAX),
  'line of a backup': `${number(BACKUP_LINE_MAX_LENGTH)} characters`,
};

/** The rows of the tables. The last cell is a link to the test that exceeds the limit, with the beginning of its title. */
const rows = tableRows(readFileSync(page, 'utf8'))
  .filter((cells) => cells.some((cell) => cell.includes('](../../')))
  .map(([what = '', most = '', setting = '', beyond = '']) => ({ what, most, setting, beyond }));

describe('the limits', () => {
  for (const { what, most, setting, beyond } of rows) {
    it(`are those of the code: ${what}`, () => {
      const [, flag] = /^`--(.+)`$/.exec(setting) ?? [];
      const found = Object.values(settings).find((each) => each.flag === flag);
      if (flag !== undefined) expect(most).to.match(new RegExp(`^${number(Number(found?.default))}\\b`));
      else expect(most).to.equal(inCode[what] ?? most);
    });

    it(`have a test that goes beyond each: ${what}`, () => {
      const [, file = '', title = ''] = /\]\((\S+) ['"](.+)['"]\)$/.exec(beyond) ?? [];
      const text = readFileSync(new URL(file, page), 'utf8');
      // A test, or a case of a contract, which is a row of a table.
      const titles = [...text.matchAll(/\b(?:it\w*|test)\(\s*['`](.*)['`],|^ +'(.*)': (?:async )?\(/gm)];
      expect(titles.some(([, each, row]) => (each ?? row ?? '').startsWith(title))).to.equal(true);
    });
  }

  it('are all in the reference', () => {
    expect(rows.length).to.be.greaterThan(60);
    expect(rows.map(({ what }) => what)).to.include.members(Object.keys(inCode));
  });
});
