import { cp, mkdtemp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { days, FULL_DAY, nameOf, tagOf, tags } from '../dataset.mjs';
import { putName, timeOf } from '../measure/http.mjs';
import { Peer } from '../measure/peer.mjs';
import { valuesOfPeers, valuesOfRounds } from '../measure/rounds.mjs';
import { compare } from '../measure/table.mjs';

const { Level } = createRequire(new URL('../../packages/store-level/package.json', import.meta.url))('level');

const YEAR = 365;
const RANGE = `from=${(FULL_DAY - YEAR + 1) * 86_400}&to=${FULL_DAY * 86_400}`;
const PEOPLE_OF_YEAR = 300;
const PERSONS = 5_000;
const HANDED_ON = 500;
const GROUPS = 20;
const PAIRS = 30;
/** After this time a tap of the same tag is another scan. */
const SCAN_MS = 2_000;
/** A tag that is tapped again is recorded at once. */
const EACH_TAP = ['--repeat-window', '0'];
const MANY_NAMES = 100_000;
const ENTRY = 0x03;

/**
 * Persons: ranges by person, pages of persons, and what they cost who only taps, or only knows names.
 *
 * BENCH_BEFORE is the program of an earlier commit, for a comparison of the mapping: packages/server/bin/tallybook.cjs of its
 * checkout.
 */
export async function run({ rounds, stores }) {
  const year = await stores.get('year-of-people', {
    names: PEOPLE_OF_YEAR,
    days: days(YEAR).map((day) => ({ day, ids: PEOPLE_OF_YEAR })),
    handedOn: PEOPLE_OF_YEAR / 10,
  });
  const named = await stores.get('names-of-people', { names: PERSONS });
  const held = await stores.get('people', { names: PERSONS, handedOn: HANDED_ON });
  const grouped = await stores.get('year-of-groups', {
    names: PEOPLE_OF_YEAR,
    days: days(YEAR).map((day) => ({ day, ids: PEOPLE_OF_YEAR })),
    groups: GROUPS,
  });
  const many = await stores.get('people-in-groups', { names: PERSONS, groups: GROUPS });
  return [
    ...(await measureRanges(year, rounds)),
    ...(await measureGroups({ year, grouped, many }, rounds)),
    ...(await measurePages(held, rounds)),
    ...(await measureTaps({ named, held })),
    ...(await measureMapping(stores)),
  ];
}

/** Measures a request that is the first one of its program. */
function first(store, path) {
  return async () => {
    const peer = await Peer.start('tallybook', { store });
    const ms = await timeOf(peer.url + path);
    await peer.stop();
    return ms;
  };
}

async function measureRanges(year, rounds) {
  const values = await valuesOfRounds(rounds, {
    plain: () => readPlainly(year),
    table: first(year, `/api/table?${RANGE}`),
    csv: first(year, `/api/csv?${RANGE}`),
    xlsx: first(year, `/api/xlsx?${RANGE}`),
  });
  const what = `a year of ${PEOPLE_OF_YEAR} people, the first time`;
  return ['table', 'csv', 'xlsx'].map((each) => ({
    ...{ what: `GET /api/${each} of ${what}`, ours: values[each], unit: 'ms' },
    ...{ theirs: values.plain, peer: 'plain read of the rows', most: 2 },
  }));
}

/** What groups cost: tables of a year and of one group, and the pages of one group of many. */
async function measureGroups({ year, grouped, many }, rounds) {
  const group = `group=${encodeURIComponent('group 7')}`;
  const values = await valuesOfRounds(rounds, {
    without: first(year, `/api/table?${RANGE}`),
    table: first(grouped, `/api/table?${RANGE}`),
    ofGroup: first(grouped, `/api/table?${RANGE}&${group}`),
    csv: first(grouped, `/api/csv?${RANGE}&${group}`),
    xlsx: first(grouped, `/api/xlsx?${RANGE}&${group}`),
    days: first(grouped, `/api/days?${RANGE}&${group}`),
    people: first(many, `/api/people?limit=1000&${group}`),
    groups: first(many, '/api/groups'),
  });
  const ofYear = `of a year of ${PEOPLE_OF_YEAR} people in ${GROUPS} groups, the first time`;
  const theirs = { theirs: values.without, peer: 'the table without groups', unit: 'ms', most: 1.25 };
  const rows = [
    ['table', `GET /api/table ${ofYear}`],
    ['ofGroup', `GET /api/table ${ofYear}, one group`],
    ['csv', `GET /api/csv ${ofYear}, one group`],
    ['xlsx', `GET /api/xlsx ${ofYear}, one group`],
    ['days', `GET /api/days ${ofYear}, one group`],
  ];
  const title = `${PERSONS.toLocaleString('en')} people in ${GROUPS} groups`;
  return [
    ...rows.map(([key, what]) => ({ what, ours: values[key], ...theirs })),
    { what: `GET /api/people of one group, the first time, ${title}`, ours: values.people, unit: 'ms' },
    { what: `GET /api/groups, the first time, ${title}`, ours: values.groups, unit: 'ms' },
  ];
}

/** Reads the rows of all entries with LevelDB alone, as fast as it can. */
async function readPlainly(store) {
  const folder = join(await mkdtemp(join(tmpdir(), 'plain-read-')), 'store');
  await cp(store, folder, { recursive: true });
  const level = new Level(folder, {
    keyEncoding: 'buffer',
    valueEncoding: 'buffer',
    compression: false,
  });
  await level.open();
  const before = performance.now();
  const rows = level.iterator({ gte: Buffer.of(ENTRY), lt: Buffer.of(ENTRY + 1) });
  for (let count = -1; count !== 0;) count = (await rows.nextv(1_000)).length;
  const ms = performance.now() - before;
  await rows.close();
  await level.close();
  return ms;
}

async function measurePages(held, rounds) {
  const peer = await Peer.start('tallybook', { store: held });
  const values = await valuesOfPeers(rounds, { tallybook: peer }, () =>
    timeOf(`${peer.url}/api/people?limit=200`),
  );
  const all = await valuesOfPeers(rounds, { tallybook: peer }, async () => {
    const before = performance.now();
    for (let after = ''; after !== null;) {
      const query = after === '' ? '' : `&after=${encodeURIComponent(after)}`;
      after = (await (await fetch(`${peer.url}/api/people?limit=1000${query}`)).json()).next;
    }
    return performance.now() - before;
  });
  await peer.stop();
  const title = `${PERSONS.toLocaleString('en')} people`;
  return [
    { what: `GET /api/people, a page of 200 of ${title}`, ours: values.tallybook, unit: 'ms' },
    { what: `GET /api/people, all pages of 1,000 of ${title}`, ours: all.tallybook, unit: 'ms' },
  ];
}

/** People of a day tap: first as one in ten of all has a timeline, then only those who have one. */
async function measureTaps({ named, held }) {
  const peers = {
    tallybook: await Peer.start('tallybook', { store: held, args: EACH_TAP }),
    names: await Peer.start('tallybook', { store: named, args: EACH_TAP }),
  };
  const tappedAt = new Map();
  const rates = (first) =>
    valuesOfPeers(PAIRS, peers, async (peer) => {
      await pause(Math.max(0, (tappedAt.get(peer) ?? -Infinity) + SCAN_MS - performance.now()));
      const before = performance.now();
      tappedAt.set(peer, before);
      await peer.record(tags(HANDED_ON, first));
      return (HANDED_ON * 1_000) / (performance.now() - before);
    });
  const mixed = await rates(HANDED_ON * (1 - HANDED_ON / PERSONS));
  const only = await rates(0);
  await Peer.stopAll();
  const title = 'the same tags with names only';
  return [
    compare(`taps of ${HANDED_ON} tags, of which a tenth has a timeline`, mixed, 'names', {
      title,
      least: 1 / 1.05,
    }),
    compare(`taps of ${HANDED_ON} tags with a timeline`, only, 'names', { title }),
  ];
}

async function measureMapping(stores) {
  const program = process.env.BENCH_BEFORE;
  if (program === undefined) return [];
  const store = await stores.get('many-names', { names: MANY_NAMES });
  const peers = {
    tallybook: await Peer.start('tallybook', { store }),
    before: await Peer.start('tallybook', { store, program }),
  };
  let renamed = 0;
  const rename = (peer) => putName(peer, tagOf(renamed % MANY_NAMES), nameOf(renamed++));
  const posting = await valuesOfPeers(PAIRS, peers, async (peer) => {
    const before = performance.now();
    await Promise.all(Array.from({ length: 200 }, () => rename(peer)));
    return performance.now() - before;
  });
  const reading = await valuesOfPeers(PAIRS, peers, async (peer) => {
    await rename(peer);
    return timeOf(`${peer.url}/api/mapping`);
  });
  await Peer.stopAll();
  const what = `${MANY_NAMES.toLocaleString('en')} names`;
  const budget = { title: 'an earlier commit', unit: 'ms', most: 1.05 };
  return [
    compare(`200 times POST /api/mapping, ${what}`, posting, 'before', budget),
    compare(`GET /api/mapping after a change, ${what}`, reading, 'before', budget),
  ];
}
