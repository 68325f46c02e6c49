import pg from '../../packages/store-postgres/node_modules/pg/esm/index.mjs';
import { migratePostgres, PostgresStorage } from '../../packages/store-postgres/dist/index.js';
import { tags } from '../dataset.mjs';
import { startPostgres } from '../measure/postgres.mjs';
import { medianOfRounds, quantile } from '../measure/rounds.mjs';

const DAY = 20_411;
const AT = 1_763_500_000;
const WRITERS = 64;
/** Taps of one measurement, of all writers together. */
const TAPS = 6_400;
/** Days of a site after many years, with a scan for each tag and day. */
const FULL_DAYS = 4_000;
const FULL_TAGS = 2_500;
/** Fewer taps for a contestant that needs a transaction for each tap. */
const TAPS_ONE_BY_ONE = 640;

/** The rate of taps that are recorded in a PostgreSQL on this machine. */
export async function run({ rounds, note }) {
  const server = await startPostgres();
  if (server === undefined) {
    note('postgres is left out: PostgreSQL is not installed');
    return [];
  }
  try {
    await migratePostgres(server.url);
    return await measure(server.url, { rounds, note });
  } finally {
    await server.stop();
  }
}

async function measure(url, { rounds, note }) {
  const stores = await Promise.all(Array.from({ length: WRITERS }, () => open(url)));
  const [shared] = stores;
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(
      `CREATE TABLE plain (site text, day bigint, id bytea, at bigint, PRIMARY KEY (site, day, id, at));
       CREATE TABLE plain_change (site text, seq bigint, body text, PRIMARY KEY (site, seq))`,
    );
    let tapped = 0;
    const fresh = (count) => tags(count, (tapped += count) - count);
    // As at a server in use: the database has statistics about such rows, and plans for them.
    await rateOf(fresh(TAPS), tapOn(shared));
    await ratePlain(client, fresh(TAPS));
    await client.query('ANALYZE');
    const rates = await medianOfRounds(rounds, {
      ours: () => rateOf(fresh(TAPS), tapOn(shared)),
      plain: () => ratePlain(client, fresh(TAPS)),
      alone: () => rateOf(fresh(TAPS_ONE_BY_ONE), (id, writer) => tapOn(stores[writer])(id)),
    });
    const rows = [
      {
        what: `taps recorded in PostgreSQL, ${WRITERS} writers`,
        ours: rates.ours,
        theirs: rates.plain,
        peer: `the same rows inserted by pg, ${WRITERS} at a time`,
        unit: '/s',
        least: 0.6,
      },
      {
        what: `the same, sharing transactions`,
        ours: rates.ours,
        theirs: rates.alone,
        peer: 'a transaction for each tap',
        unit: '/s',
        least: 5,
      },
    ];
    for (const writers of [1, 8, 64]) {
      const times = await timesOf(fresh(Math.min(50 * writers, TAPS)), writers, tapOn(shared));
      rows.push({
        what: `99 of 100 taps in PostgreSQL, ${writers} writers`,
        ours: quantile(times, 0.99),
        unit: 'ms',
      });
    }
    const bytes = Math.round(await bytesOfTap(client));
    await fill(client);
    const tens = await medianOfRounds(rounds, {
      ours: () => rateOf(fresh(TAPS), tapOn(shared, DAY + 1)),
    });
    rows.push({
      what: `taps recorded in PostgreSQL, with ${(FULL_DAYS * FULL_TAGS) / 1_000_000} million scans there`,
      ours: tens.ours,
      theirs: rates.ours,
      peer: 'the same with some thousands there',
      unit: '/s',
      least: 1 / 1.3,
    });
    note(`a tap in PostgreSQL takes ${bytes} bytes on the disk, with its change in the journal`);
    return rows;
  } finally {
    await client.end();
    for (const store of stores) await store.close();
  }
}

async function open(url) {
  const store = new PostgresStorage(url, { retryMs: 60_000 });
  await store.open();
  return store;
}

function tapOn(store, day = DAY) {
  return (id) => store.days.record(day, id, AT, { reader: 'door' });
}

/** Taps per second; each writer waits for its answer. */
async function rateOf(ids, record) {
  const before = performance.now();
  await timesOf(ids, WRITERS, record);
  return (ids.length * 1_000) / (performance.now() - before);
}

/** The time of each tap, in milliseconds. */
async function timesOf(ids, writers, record) {
  const times = [];
  const rest = [...ids];
  const write = async (writer) => {
    for (let id = rest.pop(); id !== undefined; id = rest.pop()) {
      const before = performance.now();
      await record(id, writer);
      times.push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  return times;
}

let plainChanges = 0;

/**
 * The best possible rate of a program that knows all taps of a group in advance: it writes the same rows, with one statement
 * for each table and one transaction for each group, and decides nothing.
 */
async function ratePlain(client, ids) {
  const before = performance.now();
  for (let start = 0; start < ids.length; start += WRITERS) {
    const group = ids.slice(start, start + WRITERS);
    const bodies = group.map((id) => JSON.stringify({ kind: 'scan', day: DAY, id, at: AT, reader: 'door' }));
    await client.query('BEGIN');
    await client.query({
      name: 'plain',
      text: 'INSERT INTO plain SELECT $1, $2, id, $3 FROM unnest($4::bytea[]) AS t (id)',
      values: ['main', DAY, AT, group.map((id) => Buffer.from(id, 'hex'))],
    });
    await client.query({
      name: 'plain-changes',
      text: 'INSERT INTO plain_change SELECT $1, seq, body FROM unnest($2::bigint[], $3::text[]) AS t (seq, body)',
      values: ['main', group.map(() => ++plainChanges), bodies],
    });
    await client.query('COMMIT');
  }
  return (ids.length * 1_000) / (performance.now() - before);
}

/** Adds rows as if the days had been recorded: recording them would take an hour. */
async function fill(client) {
  await client.query(
    `INSERT INTO tallybook.entry (site, day, id, first_at, last_at, scans, place)
     SELECT 'main', day, decode(lpad(to_hex(tag), 8, '0'), 'hex'), day * 86400, day * 86400, 1, tag
     FROM generate_series(1000, ${1_000 + FULL_DAYS - 1}) AS day, generate_series(1, ${FULL_TAGS}) AS tag`,
  );
  await client.query(
    `INSERT INTO tallybook.day (site, day, entries, latest_place, revision)
     SELECT 'main', day, ${FULL_TAGS}, ${FULL_TAGS}, 1 FROM generate_series(1000, ${1_000 + FULL_DAYS - 1}) AS day`,
  );
  await client.query('ANALYZE');
  // Otherwise the rounds would share the disk with late writes of the filling.
  await client.query('CHECKPOINT');
}

async function bytesOfTap(client) {
  const sizes = ['entry', 'scan', 'change', 'day'].map(
    (table) => `pg_total_relation_size('tallybook.${table}')`,
  );
  const { rows } = await client.query(
    `SELECT (${sizes.join(' + ')}) / (SELECT count(*) FROM tallybook.entry) AS bytes`,
  );
  return Number(rows[0].bytes);
}
