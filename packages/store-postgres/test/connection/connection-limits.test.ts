import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import {
  openAll,
  type OpenResources,
  type DayStore,
  type SnapshotSource,
  type Lifecycle,
} from '@tallybook/domain';
import { PostgresStorage } from '@tallybook/store-postgres';
import { READERS, VIEWS } from '../../src/database/postgres-database.js';
import { usePostgres } from '../fixtures/postgres.js';
import { Connections, type Connection } from '../../src/connection/connections.js';
import { parsePostgresUrl } from '../../src/connection/postgres-url.js';
import { facetOf } from '@tallybook/testing';
import { sql } from '../fixtures/sql.js';
import { day } from '../../../testing/test/fixtures/known-values.js';

describe('The connections of a server to its PostgreSQL', () => {
  const postgres = usePostgres();
  let days: DayStore & Lifecycle;
  let snapshots: SnapshotSource & Lifecycle;
  let opened: OpenResources;
  let others: ReadonlySet<number>;

  beforeEach(async () => {
    others = await findConnections();
    const database = new PostgresStorage(postgres.current.site());
    days = facetOf(database, 'days');
    snapshots = facetOf(database, 'snapshots');
    opened = await openAll([days]);
  });

  afterEach(() => opened.close());

  /**
   * The processes of the database that serve stores. A process ends a moment after its connection, so those of the
   * test before may be among them.
   */
  async function findConnections(which = 'true'): Promise<ReadonlySet<number>> {
    const text = `SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'tallybook' AND ${which}`;
    const rows = await sql<{ pid: number }>(postgres.current.url, text);
    return new Set(rows.map(({ pid }) => pid));
  }

  /** Processes for the stores of this test. */
  async function ownConnections(which?: string): Promise<readonly number[]> {
    return [...(await findConnections(which))].filter((pid) => !others.has(pid));
  }

  it('are limited for reads: the others wait, and all are answered', async () => {
    await Promise.all(Array.from({ length: 20 * READERS }, () => days.load(day)));
    const { length: count } = await ownConnections();
    // One more writes, and one more checks for writes of other servers.
    assert.ok(count <= READERS + 2, `${count} connections for ${20 * READERS} reads`);
  });

  it('are limited for snapshots: one more waits for one of them, and reads do not', async () => {
    const held = await Promise.all(Array.from({ length: VIEWS }, () => snapshots.take()));
    // Other connections come and go: an idle one for reads ends after a while.
    const ofSnapshots = `state = 'idle in transaction'`;
    const before = await ownConnections(ofSnapshots);
    assert.equal(before.length, VIEWS);
    const next = snapshots.take();
    await days.load(day);
    await held.shift()?.[Symbol.asyncDispose]();
    held.push(await next);
    assert.deepEqual(new Set(await ownConnections(ofSnapshots)), new Set(before));
    for (const snapshot of held) await snapshot[Symbol.asyncDispose]();
  });

  it('are closed with the last store, also those of snapshots', async () => {
    await days.load(day);
    const snapshot = await snapshots.take();
    assert.notEqual((await ownConnections()).length, 0);
    await opened.close();
    // The database takes a moment to notice.
    while ((await ownConnections()).length > 0) await pause(5);
    await snapshot[Symbol.asyncDispose]();
    opened = await openAll([days]);
  });
});

describe('A connection to a PostgreSQL that was taken from the pool', () => {
  const postgres = usePostgres();

  async function pidOf(connection: Connection): Promise<number | undefined> {
    const [row] = await connection.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return row?.pid;
  }

  it('is used again if it was given back, and never after it was ended, in every state', async () => {
    const target = parsePostgresUrl(postgres.current.url);
    const connections = new Connections(target, { most: 1, idleInTransactionMs: 0 });
    const first = await connections.take();
    const pid = await pidOf(first);
    first.release();
    const second = await connections.take();
    assert.equal(await pidOf(second), pid);
    await second.query('BEGIN');
    second.destroy();
    // It is given back once.
    second.release();
    const third = await connections.take();
    assert.notEqual(await pidOf(third), pid);
    third.release();
    await connections.close();
  });
});
