import {
  implicitPerson,
  parseTallyId,
  toDay,
  toTimestamp,
  type Day,
  type Name,
  type TallyId,
} from '@tallybook/domain';
import { RANGE_MAX_DAYS, RangeService, type Presence } from '@tallybook/domain/record';
import type { Pause } from '../../../src/record/turns.js';
import {
  MemoryDayStore,
  MemoryMappingStore,
  MemorySnapshotSource,
  type MemoryDays,
} from '@tallybook/testing';
import { expect } from 'chai';
import { rejectionOf } from '../../fixtures/throws.js';
import { StoresSnapshotSource } from '../../../../store-memory/src/stores-snapshot-source.js';
import { ada, bob } from '../../../../testing/test/fixtures/known-values.js';
import { listOf } from '../../fixtures/streams.js';
import { PeoplePlace } from '../../fixtures/people-place.js';

const adasOther = parseTallyId('0011223344');
const nobody = parseTallyId('010203');
const zoe = parseTallyId('FFEEDD');

const at = (day: number, seconds: number) => toTimestamp(day * 86_400 + seconds);
const noPause: Pause = () => Promise.resolve();

/** A service over stores in memory: Ada has two tags, and Zoë has no scan. */
async function start() {
  const { storage, people: holders } = await PeoplePlace.open(at(5, 0));
  const { mapping, days, people, snapshots } = storage;
  const stores = { mapping, days, people };
  await stores.mapping.put(ada, { first: 'Ada', last: 'Lovelace' });
  await stores.mapping.put(bob, { first: 'Bob', last: 'Äpfel' });
  await stores.mapping.put(zoe, { first: 'Zoë', last: '' });
  await holders.act(adasOther, { act: 'give', person: implicitPerson(ada) });
  const ranges = new RangeService({ ...stores, snapshots });
  const tap = (id: typeof ada, day: number, ...seconds: number[]) =>
    Promise.all(seconds.map((second) => stores.days.record(toDay(day), id, at(day, second))));
  return { ...stores, holders, ranges, tap };
}

/** All pages of a table. */
async function tableOf(ranges: RangeService, from: number, to: number, pause = noPause) {
  await using range = await ranges.open(toDay(from), toDay(to));
  const { days, people, ...table } = await range.table(pause).then((read) => ({
    days: read.days,
    people: read.people,
    presencesOf: (place: number) => read.presencesOf(place),
  }));
  const presences: (readonly Presence[])[] = [];
  for (const place of people.keys()) presences.push(await table.presencesOf(place));
  return { days, people, presences };
}

describe('A range as a table', () => {
  it('has people by last and first name, all tags of a person together, and tags that nobody held last', async () => {
    const { ranges, tap } = await start();
    await tap(nobody, 10, 0);
    await tap(parseTallyId('000001'), 10, 0);
    const { people } = await tableOf(ranges, 10, 10);
    expect(people.map(({ name, ids }) => ({ name, ids }))).to.deep.equal([
      { name: { first: 'Zoë', last: '' }, ids: [zoe] },
      { name: { first: 'Bob', last: 'Äpfel' }, ids: [bob] },
      { name: { first: 'Ada', last: 'Lovelace' }, ids: [adasOther, ada] },
      { name: undefined, ids: ['000001'] },
      { name: undefined, ids: [nobody] },
    ]);
  });

  it('has two rows for two persons of one name, and tells who they are', async () => {
    const { mapping, ranges, holders, tap } = await start();
    await mapping.put(nobody, { first: 'Ada', last: 'Lovelace' });
    await holders.correct(implicitPerson(nobody), { number: '12' });
    await tap(nobody, 10, 7);
    await tap(ada, 10, 8);
    const { people, presences } = await tableOf(ranges, 10, 10);
    const rows = people.flatMap((person, place) =>
      person.name?.first === 'Ada' ? [[person.id, person.number, presences[place]?.length]] : [],
    );
    expect(rows).to.deep.equal([
      [implicitPerson(ada), undefined, 1],
      [implicitPerson(nobody), '12', 1],
    ]);
  });

  it('divides a day of a tag that was handed on by the seconds of its scans', async () => {
    const { ranges, holders, tap } = await start();
    await tap(ada, 4, 100, 200, 300);
    await holders.act(ada, { act: 'give', person: implicitPerson(bob), since: at(4, 200) });
    const { people, presences } = await tableOf(ranges, 4, 4);
    const found = new Map(people.map(({ name }, place) => [name?.first, presences[place]]));
    expect(found.get('Ada')).to.deep.equal([{ day: 4, first: at(4, 100), last: at(4, 100), scans: 1 }]);
    expect(found.get('Bob')).to.deep.equal([{ day: 4, first: at(4, 200), last: at(4, 300), scans: 2 }]);
  });

  it('counts the taps of a lost tag for nobody', async () => {
    const { ranges, holders, tap } = await start();
    await tap(ada, 3, 100);
    await tap(ada, 4, 100);
    await holders.act(ada, { act: 'lost', since: at(4, 0) });
    const { people, presences } = await tableOf(ranges, 3, 4);
    const rows = people.map(({ id, name }, place) => [
      id,
      name?.first,
      presences[place]?.map(({ day }) => day),
    ]);
    expect(rows).to.deep.equal([
      [implicitPerson(zoe), 'Zoë', []],
      [implicitPerson(bob), 'Bob', []],
      [implicitPerson(ada), 'Ada', [3]],
    ]);
  });

  it('lets other work run while it joins thousands of tags', async () => {
    const { mapping, ranges } = await start();
    for (let n = 0; n < 10_000; n++) {
      await mapping.put(parseTallyId((0x10000000 + n).toString(16)), { first: 'Ada', last: 'Lovelace' });
    }
    let pauses = 0;
    const { people } = await tableOf(ranges, 10, 10, () => Promise.resolve(void pauses++));
    expect(people).to.have.length(10_003);
    // Five pauses while persons are read, and five while they are sorted.
    expect(pauses).to.be.at.least(10);
  });

  it('joins the tags of a person on a day: the earliest, the latest and the sum', async () => {
    const { ranges, tap } = await start();
    await tap(ada, 10, 500, 100);
    await tap(adasOther, 10, 50, 300);
    await tap(ada, 11, 7);
    const { people, presences, days } = await tableOf(ranges, 0, 100);
    expect(days).to.deep.equal([10, 11]);
    const place = people.findIndex(({ name }) => name?.first === 'Ada');
    expect(presences[place]).to.deep.equal([
      { day: 10, first: at(10, 50), last: at(10, 500), scans: 4 },
      { day: 11, first: at(11, 7), last: at(11, 7), scans: 1 },
    ]);
  });

  it('has the days of the range that hold a record, both ends included, and no tag of other days', async () => {
    const { ranges, tap } = await start();
    for (const day of [9, 10, 12, 13]) await tap(bob, day, 1);
    await tap(nobody, 9, 1);
    const { days, people, presences } = await tableOf(ranges, 10, 12);
    expect(days).to.deep.equal([10, 12]);
    expect(people.some(({ name }) => name === undefined)).to.equal(false);
    expect(presences.map((each) => each.map(({ day }) => day))).to.deep.equal([[], [10, 12], []]);
  });

  it('has everybody and no days if nothing was recorded, or if it ends before it begins', async () => {
    const { ranges, tap } = await start();
    await tap(bob, 10, 1);
    for (const [from, to] of [
      [11, 20],
      [20, 0],
    ] as const) {
      const { days, people, presences } = await tableOf(ranges, from, to);
      expect([days.length, people.length]).to.deep.equal([0, 3]);
      expect(presences).to.deep.equal([[], [], []]);
    }
  });

  it('keeps the largest possible times and counts', async () => {
    const { ranges, days } = await start();
    const largest = toTimestamp(Number.MAX_SAFE_INTEGER);
    for (const id of [ada, adasOther]) {
      await days.merge(toDay(10), [
        { id, first: toTimestamp(0), last: largest, count: Number.MAX_SAFE_INTEGER },
      ]);
    }
    const { presences } = await tableOf(ranges, 10, 10);
    expect(presences.flat()).to.deep.equal([
      { day: 10, first: 0, last: largest, scans: Number.MAX_SAFE_INTEGER },
    ]);
  });

  it('is the same when it is read in several blocks, in any order', async () => {
    const { ranges, days } = await start();
    // With 3,000 days, a block holds 87 people.
    const tags = Array.from({ length: 200 }, (_, n) => parseTallyId(`AA${String(n).padStart(6, '0')}`));
    for (let day = 0; day < 3_000; day += 1) {
      const entries = tags
        .filter((_, n) => (n + day) % 50 === 0)
        .map((id) => ({ id, first: at(day, 1), last: at(day, 2), count: 2 }));
      await days.merge(toDay(day), entries);
    }
    await using range = await ranges.open(toDay(0), toDay(2_999));
    const table = await range.table(noPause);
    expect([table.days.length, table.people.length]).to.deep.equal([3_000, 203]);
    for (const place of [202, 3, 90, 3]) {
      const n = place - 3;
      const expected = Array.from({ length: 3_000 }, (_, day) => day)
        .filter((day) => (n + day) % 50 === 0)
        .map((day) => ({ day, first: at(day, 1), last: at(day, 2), scans: 2 }));
      expect(await table.presencesOf(place)).to.deep.equal(expected);
    }
  });

  it('is of one moment, even if scans are recorded meanwhile', async () => {
    const { ranges, tap, mapping } = await start();
    await tap(bob, 10, 1);
    await using range = await ranges.open(toDay(0), toDay(100));
    await tap(bob, 10, 500);
    await tap(nobody, 11, 1);
    await mapping.put(nobody, { first: 'Not', last: 'yet' });
    const table = await range.table(noPause);
    expect([table.days.length, table.people.length]).to.deep.equal([1, 3]);
    expect(await table.presencesOf(1)).to.deep.equal([
      { day: 10, first: at(10, 1), last: at(10, 1), scans: 1 },
    ]);
  });

  it('lets other work run while many entries are read', async () => {
    const { ranges, days } = await start();
    const entries = Array.from({ length: 20_000 }, (_, n) => {
      const id = parseTallyId(`AA${String(n).padStart(6, '0')}`);
      return { id, first: at(10, 1), last: at(10, 2), count: 2 };
    });
    await days.merge(toDay(10), entries);
    let turns = 0;
    await tableOf(ranges, 10, 10, () => Promise.resolve(void turns++));
    expect(turns).to.be.at.least(20);
  });
});

describe('A range as entries', () => {
  it('has them by day and first scan, each with its holder', async () => {
    const { holders, ranges, tap } = await start();
    await holders.correct(implicitPerson(ada), { number: '17' });
    await tap(nobody, 11, 3);
    await tap(ada, 11, 2, 9);
    await tap(bob, 10, 4);
    await tap(bob, 12, 4);
    await using range = await ranges.open(toDay(10), toDay(11));
    expect(await listOf(range.entries())).to.deep.equal([
      {
        day: 10,
        id: bob,
        person: implicitPerson(bob),
        first: at(10, 4),
        last: at(10, 4),
        count: 1,
        name: { first: 'Bob', last: 'Äpfel' },
        number: undefined,
        groups: [],
      },
      {
        day: 11,
        id: ada,
        person: implicitPerson(ada),
        first: at(11, 2),
        last: at(11, 9),
        count: 2,
        name: { first: 'Ada', last: 'Lovelace' },
        number: '17',
        groups: [],
      },
      {
        day: 11,
        id: nobody,
        first: at(11, 3),
        last: at(11, 3),
        count: 1,
        name: undefined,
        number: undefined,
        groups: [],
      },
    ]);
  });
});

describe('The snapshot of a range', () => {
  for (const [what, codeOf] of [
    ['names', undefined],
    ['codes', (person: string) => `code of ${person}`],
  ] as const) {
    it(`is given back with the range, if it has ${what}`, async () => {
      const contents = { names: new Map<TallyId, Name>(), days: new Map() as MemoryDays };
      const snapshots = new MemorySnapshotSource(contents);
      const take = snapshots.take.bind(snapshots);
      let open = 0;
      snapshots.take = async () => {
        const snapshot = await take();
        open++;
        const dispose = snapshot[Symbol.asyncDispose].bind(snapshot);
        snapshot[Symbol.asyncDispose] = async () => {
          open--;
          await dispose();
        };
        return snapshot;
      };
      const [mapping, days] = [new MemoryMappingStore(contents.names), new MemoryDayStore(contents.days)];
      const ranges = new RangeService({ mapping, days, snapshots });
      const range = await ranges.open(toDay(10), toDay(12), { codeOf });
      expect(open).to.equal(1);
      await range[Symbol.asyncDispose]();
      expect(open).to.equal(0);
    });
  }
});

describe('A range with codes', () => {
  it('has times that are rounded down to a quarter of an hour', async () => {
    const { ranges, tap } = await start();
    await tap(ada, 10, 899, 900, 1_800);
    await using range = await ranges.open(toDay(10), toDay(10), { codeOf: () => 'A1' });
    const entries = await listOf(range.entries());
    expect(entries.map(({ first, last, count }) => [first, last, count])).to.deep.equal([
      [at(10, 0), at(10, 1_800), 3],
    ]);
  });
});

describe('The length of a range', () => {
  it(`is at most ${RANGE_MAX_DAYS} days`, async () => {
    const { ranges } = await start();
    await (await ranges.open(toDay(1), toDay(RANGE_MAX_DAYS)))[Symbol.asyncDispose]();
    const error = await rejectionOf('RANGE_TOO_LONG', ranges.open(toDay(0), toDay(RANGE_MAX_DAYS)));
    expect(error.message).to.equal('from and to: a range has at most 3660 days; got 3661');
    await rejectionOf('RANGE_TOO_LONG', ranges.revision(toDay(0), toDay(RANGE_MAX_DAYS)));
  });
});

describe('The revision of a range', () => {
  const revisionOf = (ranges: RangeService, from = 10, to = 12) => ranges.revision(toDay(from), toDay(to));

  it('changes with a scan on one of its days, a new day, a removed one, and a name', async () => {
    const { ranges, tap, days, mapping } = await start();
    const seen = new Set([await revisionOf(ranges)]);
    const changes = [
      () => tap(bob, 10, 1),
      () => tap(bob, 10, 2),
      () => tap(ada, 12, 2),
      () => days.remove(toDay(12)),
      () => mapping.put(nobody, { first: 'No', last: 'Body' }),
    ];
    for (const change of changes) {
      await change();
      seen.add(await revisionOf(ranges));
    }
    expect(seen.size).to.equal(changes.length + 1);
  });

  it('stays when known days outside get more scans', async () => {
    const { ranges, tap } = await start();
    for (const day of [9, 10, 13]) await tap(bob, day, 1);
    const before = await revisionOf(ranges);
    const outside: Day[] = [toDay(9), toDay(13)];
    for (const day of outside) await tap(ada, day, 5);
    expect(await revisionOf(ranges)).to.equal(before);
  });
});

describe('A range of more tags than memory has room for', () => {
  /** A service for at most 4 tags. `start` gives names to four. */
  async function startSmall() {
    const { ranges: _, ...stores } = await start();
    const snapshots = new StoresSnapshotSource({ mapping: stores.mapping, days: stores.days });
    return { ...stores, ranges: new RangeService({ ...stores, snapshots }, { maxTags: 4 }) };
  }

  it('is refused as a table when its names or its tags are too many, and not before', async () => {
    const { ranges, mapping, tap } = await startSmall();
    await tap(ada, 1, 60);
    expect((await tableOf(ranges, 1, 1)).people).to.have.length(4);
    await tap(nobody, 1, 70);
    for (const id of ['AA0001', 'AA0002', 'AA0003', 'AA0004']) await tap(parseTallyId(id), 1, 80);
    await rejectionOf('NOT_ENOUGH_MEMORY', tableOf(ranges, 1, 1));
    await mapping.put(nobody, { first: 'No', last: 'Body' });
    await rejectionOf('NOT_ENOUGH_MEMORY', tableOf(ranges, 9, 9));
  });

  it('is refused as a list when its names are too many, and with codes when a day has too many tags', async () => {
    const { ranges, mapping, tap } = await startSmall();
    const list = async (codeOf?: (person: string) => string): Promise<number> => {
      await using range = await ranges.open(toDay(1), toDay(1), { codeOf });
      return (await listOf(range.entries())).length;
    };
    for (const id of ['AA0001', 'AA0002', 'AA0003', 'AA0004', 'AA0005']) await tap(parseTallyId(id), 1, 80);
    expect(await list()).to.equal(5);
    await rejectionOf(
      'NOT_ENOUGH_MEMORY',
      list((person) => person),
    );
    await mapping.put(nobody, { first: 'No', last: 'Body' });
    await rejectionOf('NOT_ENOUGH_MEMORY', list());
  });
});
