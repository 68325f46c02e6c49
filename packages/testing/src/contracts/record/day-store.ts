import assert from 'node:assert/strict';
import {
  DAY_MAX,
  parseTallyId,
  toDay,
  toTimestamp,
  type Day,
  type DayStore,
  type Entry,
  type TallyId,
  type Timestamp,
} from '@tallybook/domain';
import { casesOf, type TestRunner } from '../../runner.js';
import { ada, at, bob, cyd, day, nextDay } from '../fixtures.js';
import { runStoreContract } from '../store-contract.js';
import { acrossRestart, onStore, type StoreContractOptions } from '../store-subject.js';

const entry = (id: TallyId, first: Timestamp, last: Timestamp, count: number): Entry => ({
  id,
  first,
  last,
  count,
});

const LARGEST = Number.MAX_SAFE_INTEGER;
/** Seconds of scans in the order of recording, each with its flags. */
const flagged = [
  [30, LARGEST],
  [10, 1],
  [50, 2 ** 40],
  [40, 2],
  [20, 0],
] as const;

/** Checks the promises of {@link DayStore}. */
export function dayStoreContract(runner: TestRunner, options: StoreContractOptions<DayStore>): void {
  runStoreContract(runner, options, {
    port: 'a DayStore',
    operations: {
      record: (store) => store.record(day, ada, at(0)),
      merge: (store) => store.merge(day, [entry(ada, at(0), at(0), 1)]),
      load: (store) => store.load(day),
      details: (store) => store.details(day),
      scans: (store) => store.scans(day, ada),
      list: (store) => store.list(day, day),
      remove: (store) => store.remove(day),
      dayRevision: (store) => store.dayRevision(day),
      listRevision: (store) => store.listRevision(),
    },
    cases,
    restartCases,
  });
}

const cases = casesOf(onStore<DayStore>, {
  'counts the first scan of a tag on a day': async (store) => {
    assert.equal(await store.record(day, ada, at(0)), 'counted');
    assert.equal(await store.record(day, bob, at(1)), 'counted');
  },
  'says already-counted from the second scan on': async (store) => {
    await store.record(day, ada, at(0));
    assert.equal(await store.record(day, ada, at(5)), 'already-counted');
    assert.equal(await store.record(day, ada, at(9)), 'already-counted');
  },
  'counts a tag anew on another day': async (store) => {
    await store.record(day, ada, at(0));
    assert.equal(await store.record(nextDay, ada, at(86_400)), 'counted');
    assert.deepEqual((await store.load(day))?.entries, [entry(ada, at(0), at(0), 1)]);
    assert.deepEqual((await store.load(nextDay))?.entries, [entry(ada, at(86_400), at(86_400), 1)]);
  },
  'keeps first scan, last scan and number of scans': async (store) => {
    for (const seconds of [0, 7, 3600]) await store.record(day, ada, at(seconds));
    assert.deepEqual(await store.load(day), { day, entries: [entry(ada, at(0), at(3600), 3)] });
  },
  'keeps first and last right when scans come out of order': async (store) => {
    for (const seconds of [50, 10, 90, 30]) await store.record(day, ada, at(seconds));
    assert.deepEqual((await store.load(day))?.entries, [entry(ada, at(10), at(90), 4)]);
  },
  'changes nothing when a scan is recorded again': async (store) => {
    for (const seconds of [0, 10, 20, 10, 0, 20]) await store.record(day, ada, at(seconds));
    assert.deepEqual((await store.load(day))?.entries, [entry(ada, at(0), at(20), 3)]);
  },
  'says already-counted when a scan is recorded again': async (store) => {
    await store.record(day, ada, at(0));
    assert.equal(await store.record(day, ada, at(0)), 'already-counted');
  },
  'returns entries in the order of their first scan': async (store) => {
    await store.record(day, cyd, at(0));
    await store.record(day, ada, at(1));
    await store.record(day, bob, at(2));
    await store.record(day, cyd, at(3));
    assert.deepEqual(await idsOf(store, day), [cyd, ada, bob]);
  },
  'keeps the order of recording among equal first scans': async (store) => {
    const ids = ['FF0003', '000001', 'AA000002', '00000100', '7F00000000'].map(parseTallyId);
    for (const id of ids) await store.record(day, id, at(0));
    assert.deepEqual(await idsOf(store, day), ids);
  },
  'moves an entry forward when an earlier scan is recorded': async (store) => {
    await store.record(day, ada, at(10));
    await store.record(day, bob, at(20));
    await store.record(day, bob, at(5));
    assert.deepEqual(await idsOf(store, day), [bob, ada]);
  },
  'knows the scans of a tag on a day one by one, ascending': async (store) => {
    for (const seconds of [50, 10, 90, 30, 50]) await store.record(day, ada, at(seconds));
    await store.record(day, bob, at(20));
    await store.record(nextDay, ada, at(86_400));
    assert.deepEqual(await store.scans(day, ada), [10, 30, 50, 90].map(at));
    assert.deepEqual(await store.scans(day, bob), [at(20)]);
  },
  'knows the first and the last scan of a merged entry': async (store) => {
    await store.record(day, ada, at(30));
    await store.merge(day, [entry(ada, at(10), at(90), 7), entry(bob, at(5), at(5), 1)]);
    assert.deepEqual(await store.scans(day, ada), [10, 30, 90].map(at));
    assert.deepEqual(await store.scans(day, bob), [at(5)]);
  },
  'knows the scans of a merged entry, and those it had before': async (store) => {
    await store.record(day, ada, at(30));
    await store.merge(day, [{ ...entry(ada, at(10), at(90), 7), scans: [20, 30, 60].map(at) }]);
    assert.deepEqual(await store.scans(day, ada), [10, 20, 30, 60, 90].map(at));
    await store.merge(day, [{ ...entry(ada, at(10), at(90), 7), scans: [10, 40, 90].map(at) }]);
    assert.deepEqual(await store.scans(day, ada), [10, 20, 30, 40, 60, 90].map(at));
    assert.deepEqual((await store.load(day))?.entries, [entry(ada, at(10), at(90), 7)]);
    assert.equal(await store.record(day, ada, at(40)), 'already-counted');
    assert.deepEqual((await store.load(day))?.entries, [entry(ada, at(10), at(90), 7)]);
  },
  'gives a day with the known scans of each entry': async (store) => {
    for (const seconds of [50, 10, 90]) await store.record(day, ada, at(seconds));
    for (const seconds of [5, 20]) await store.record(day, bob, at(seconds));
    await store.merge(day, [entry(cyd, at(30), at(40), 9)]);
    await store.record(nextDay, ada, at(86_400));
    assert.deepEqual(await store.details(day), {
      day,
      entries: [
        entry(bob, at(5), at(20), 2),
        { ...entry(ada, at(10), at(90), 3), scans: [10, 50, 90].map(at) },
        entry(cyd, at(30), at(40), 9),
      ],
    });
    assert.equal(await store.details(toDay(day - 1)), undefined);
  },
  'makes the same day of the details of a day': async (store) => {
    for (const [seconds, flags] of flagged) await store.record(day, ada, at(seconds), { flags });
    await store.record(day, bob, at(20), { flags: 8 });
    await store.merge(day, [entry(cyd, at(30), at(40), 9)]);
    const details = await store.details(day);
    await store.merge(nextDay, details?.entries ?? []);
    assert.deepEqual((await store.details(nextDay))?.entries, details?.entries);
    assert.deepEqual((await store.load(nextDay))?.entries, (await store.load(day))?.entries);
  },
  'carries the flags of scans, whatever their place in the entry': async (store) => {
    for (const [seconds, flags] of flagged) await store.record(day, ada, at(seconds), { flags });
    const expected = { scans: [10, 20, 30, 40, 50].map(at), flags: [1, 0, LARGEST, 2, 2 ** 40] };
    assert.deepEqual((await store.details(day))?.entries, [
      { ...entry(ada, at(10), at(50), 5), ...expected },
    ]);
    assert.deepEqual((await store.load(day))?.entries, [entry(ada, at(10), at(50), 5)]);
    await store.record(day, ada, at(60));
    await store.record(day, ada, at(5));
    assert.deepEqual((await store.details(day))?.entries, [
      {
        ...entry(ada, at(5), at(60), 7),
        ...{ scans: [5, 10, 20, 30, 40, 50, 60].map(at), flags: [0, 1, 0, LARGEST, 2, 2 ** 40, 0] },
      },
    ]);
  },
  'joins the flags of scans of one second bit by bit': async (store) => {
    for (const seconds of [10, 20, 30]) await store.record(day, ada, at(seconds), { flags: 2 ** 40 + 1 });
    for (const seconds of [10, 20]) {
      assert.equal(await store.record(day, ada, at(seconds), { flags: 6 }), 'already-counted');
      await store.record(day, ada, at(seconds));
    }
    const scans = [10, 20, 30].map(at);
    const merged = { ...entry(ada, at(10), at(30), 3), scans };
    await store.merge(day, [{ ...merged, flags: [8, 0, 2 ** 52] }]);
    const flags = [2 ** 40 + 15, 2 ** 40 + 7, 2 ** 52 + 2 ** 40 + 1];
    assert.deepEqual((await store.details(day))?.entries, [{ ...merged, flags }]);
  },
  'returns no scans for a tag that is absent or removed': async (store) => {
    for (const seconds of [10, 30, 90]) await store.record(day, ada, at(seconds));
    assert.deepEqual(await store.scans(day, bob), []);
    assert.deepEqual(await store.scans(nextDay, ada), []);
    await store.remove(day);
    assert.deepEqual(await store.scans(day, ada), []);
  },
  'has nothing for a day without a record': async (store) => {
    await store.record(day, ada, at(0));
    assert.equal(await store.load(nextDay), undefined);
    assert.equal(await store.load(toDay(day - 1)), undefined);
  },
  'keeps ids apart that begin alike, have leading zeros or the most bytes': async (store) => {
    const ids = [
      '000000',
      '00000000',
      '010203',
      '01020300',
      '0102030000',
      'FF'.repeat(10),
      '00'.repeat(9) + '01',
    ];
    const tags = ids.map(parseTallyId);
    for (const [index, id] of tags.entries()) {
      assert.equal(await store.record(day, id, at(index)), 'counted', `${id} was taken for another id`);
    }
    assert.deepEqual(await idsOf(store, day), tags);
  },
  'keeps the first and the last day and timestamp that exist': async (store) => {
    const latest = toTimestamp(Number.MAX_SAFE_INTEGER);
    await store.record(toDay(0), ada, toTimestamp(0));
    await store.record(DAY_MAX, ada, latest);
    assert.deepEqual((await store.load(toDay(0)))?.entries, [entry(ada, toTimestamp(0), toTimestamp(0), 1)]);
    assert.deepEqual((await store.load(DAY_MAX))?.entries, [entry(ada, latest, latest, 1)]);
    assert.deepEqual(await store.list(toDay(0), DAY_MAX), [0, DAY_MAX]);
  },
  'lists days ascending, both bounds included': async (store) => {
    const days = [65_536, 255, 4_294_967_295, 256, 0, 1, 2_147_483_648, 65_535].map(toDay);
    for (const each of days) await store.record(each, ada, at(0));
    assert.deepEqual(
      await store.list(toDay(0), DAY_MAX),
      [...days].sort((a, b) => a - b),
    );
    assert.deepEqual(await store.list(toDay(255), toDay(65_535)), [255, 256, 65_535]);
    assert.deepEqual(await store.list(toDay(256), toDay(256)), [256]);
    assert.deepEqual(await store.list(toDay(257), toDay(65_534)), []);
  },
  'lists a day once, however many entries it has': async (store) => {
    for (const id of [ada, bob, cyd]) await store.record(day, id, at(0));
    assert.deepEqual(await store.list(day, day), [day]);
  },
  'lists nothing when from is later than to, and when it is empty': async (store) => {
    assert.deepEqual(await store.list(toDay(0), DAY_MAX), []);
    await store.record(day, ada, at(0));
    assert.deepEqual(await store.list(nextDay, day), []);
  },
  'removes a day and no other one': async (store) => {
    await store.record(day, ada, at(0));
    await store.record(day, bob, at(0));
    await store.record(nextDay, ada, at(86_400));
    assert.equal(await store.remove(day), true);
    assert.equal(await store.load(day), undefined);
    assert.deepEqual(await store.list(toDay(0), DAY_MAX), [nextDay]);
    assert.deepEqual(await idsOf(store, nextDay), [ada]);
  },
  'says so when there is no day to remove': async (store) => {
    assert.equal(await store.remove(day), false);
    await store.record(day, ada, at(0));
    await store.remove(day);
    assert.equal(await store.remove(day), false);
  },
  'starts a removed day empty when it is recorded anew': async (store) => {
    await store.record(day, ada, at(0));
    await store.record(day, ada, at(5));
    await store.remove(day);
    assert.equal(await store.record(day, ada, at(5)), 'counted');
    assert.deepEqual((await store.load(day))?.entries, [entry(ada, at(5), at(5), 1)]);
  },
  'loses nothing of scans recorded at the same time': async (store) => {
    const ids = Array.from({ length: 50 }, (_, n) => parseTallyId(`AB${String(n).padStart(8, '0')}`));
    const scans = ids.flatMap((id) => [0, 1, 2, 3].map((seconds) => ({ id, seconds })));
    await Promise.all(scans.map(({ id, seconds }) => store.record(day, id, at(seconds))));
    const expected = ids.map((id) => entry(id, at(0), at(3), 4));
    const entries = [...((await store.load(day))?.entries ?? [])].sort((a, b) => (a.id < b.id ? -1 : 1));
    assert.deepEqual(entries, expected);
  },
  'counts a tag once when its scans are recorded at the same time': async (store) => {
    const outcomes = await Promise.all([0, 1, 2, 3, 4].map((seconds) => store.record(day, ada, at(seconds))));
    assert.equal(outcomes.filter((outcome) => outcome === 'counted').length, 1);
  },
  'keeps the order of the calls among scans recorded at the same time': async (store) => {
    const ids = Array.from({ length: 20 }, (_, n) => parseTallyId(`${String(99 - n)}0000`));
    await Promise.all(ids.map((id) => store.record(day, id, at(0))));
    assert.deepEqual(await idsOf(store, day), ids);
  },
  'keeps days apart that are recorded at the same time': async (store) => {
    const days = Array.from({ length: 20 }, (_, n) => toDay(day + n));
    await Promise.all(days.map((each) => store.record(each, ada, at(0))));
    assert.deepEqual(await store.list(toDay(0), DAY_MAX), days);
  },
  'merges an entry for a tag that the day does not hold': async (store) => {
    await store.merge(day, [entry(bob, at(7), at(9), 3), entry(ada, at(2), at(2), 1)]);
    assert.deepEqual(await store.load(day), {
      day,
      entries: [entry(ada, at(2), at(2), 1), entry(bob, at(7), at(9), 3)],
    });
    assert.deepEqual(await store.list(toDay(0), DAY_MAX), [day]);
  },
  'merges to the earliest first, the latest last and the larger count': async (store) => {
    for (const seconds of [10, 20, 30]) await store.record(day, ada, at(seconds));
    await store.merge(day, [entry(ada, at(5), at(20), 2)]);
    assert.deepEqual((await store.load(day))?.entries, [entry(ada, at(5), at(30), 3)]);
    await store.merge(day, [entry(ada, at(10), at(40), 9)]);
    assert.deepEqual((await store.load(day))?.entries, [entry(ada, at(5), at(40), 9)]);
  },
  'takes the larger count of an entry whose scans it knows': async (store) => {
    for (const count of [3, 7, 5]) await store.merge(day, [entry(ada, at(10), at(40), count)]);
    assert.deepEqual((await store.load(day))?.entries, [entry(ada, at(10), at(40), 7)]);
  },
  'changes nothing when an entry is merged again': async (store) => {
    await store.record(day, ada, at(10));
    const entries = [entry(ada, at(5), at(30), 3), entry(bob, at(8), at(8), 1)];
    await store.merge(day, entries);
    const once = await store.load(day);
    await store.merge(day, entries);
    assert.deepEqual(await store.load(day), once);
  },
  'holds the first and the last scan of a merged entry': async (store) => {
    await store.merge(day, [entry(ada, at(5), at(30), 3)]);
    assert.equal(await store.record(day, ada, at(5)), 'already-counted');
    assert.equal(await store.record(day, ada, at(30)), 'already-counted');
    assert.deepEqual((await store.load(day))?.entries, [entry(ada, at(5), at(30), 3)]);
    await store.record(day, ada, at(31));
    assert.deepEqual((await store.load(day))?.entries, [entry(ada, at(5), at(31), 4)]);
  },
  'creates no record when no entries are merged': async (store) => {
    await store.merge(day, []);
    assert.equal(await store.load(day), undefined);
    assert.deepEqual(await store.list(toDay(0), DAY_MAX), []);
  },
  'does not change what was loaded when more is recorded': async (store) => {
    await store.record(day, ada, at(0));
    const loaded = await store.load(day);
    await store.record(day, ada, at(5));
    await store.record(day, bob, at(6));
    assert.deepEqual(loaded, { day, entries: [entry(ada, at(0), at(0), 1)] });
  },
  'has another revision of a day after each change of it': async (store) => {
    const changes = [
      () => store.record(day, ada, at(0)),
      () => store.record(day, ada, at(5)),
      () => store.record(day, bob, at(5)),
      () => store.merge(day, [entry(cyd, at(9), at(9), 1)]),
      () => store.record(day, ada, at(5), { flags: 1 }),
      () => store.merge(day, [entry(bob, at(5), at(9), 3)]),
      () => store.merge(day, [{ ...entry(bob, at(5), at(9), 3), scans: [at(7)] }]),
      () => store.remove(day),
    ];
    const revisions = [await store.dayRevision(day)];
    for (const change of changes) {
      await change();
      revisions.push(await store.dayRevision(day));
    }
    assert.equal(new Set(revisions).size, revisions.length, `a revision came twice: ${revisions.join(', ')}`);
  },
  'keeps the revision of a day while it does not change': async (store) => {
    await store.record(day, ada, at(0));
    const revision = await store.dayRevision(day);
    await store.load(day);
    await store.list(day, day);
    assert.equal(await store.dayRevision(day), revision);
  },
  'has another revision of the list after a day came or went': async (store) => {
    const revisions = [await store.listRevision()];
    await store.record(day, ada, at(0));
    revisions.push(await store.listRevision());
    await store.merge(nextDay, [entry(ada, at(86_400), at(86_400), 1)]);
    revisions.push(await store.listRevision());
    await store.remove(day);
    revisions.push(await store.listRevision());
    assert.equal(new Set(revisions).size, revisions.length, `a revision came twice: ${revisions.join(', ')}`);
  },
  'keeps the revision of the list while known days get more scans': async (store) => {
    await store.record(day, ada, at(0));
    const revision = await store.listRevision();
    await store.record(day, ada, at(5));
    await store.record(day, bob, at(6));
    assert.equal(await store.listRevision(), revision);
  },
});

const restartCases = casesOf(acrossRestart<DayStore>, {
  'keeps what it acknowledged across a restart': [
    async (store) => {
      await store.record(day, bob, at(0));
      await store.record(day, ada, at(0));
      await store.record(day, bob, at(9));
      await store.merge(nextDay, [entry(cyd, at(86_400), at(86_500), 4)]);
    },
    async (store) => {
      assert.deepEqual((await store.load(day))?.entries, [
        entry(bob, at(0), at(9), 2),
        entry(ada, at(0), at(0), 1),
      ]);
      assert.deepEqual((await store.load(nextDay))?.entries, [entry(cyd, at(86_400), at(86_500), 4)]);
      assert.deepEqual(await store.list(toDay(0), DAY_MAX), [day, nextDay]);
    },
  ],
  'keeps scans and their flags across a restart': [
    async (store) => {
      for (const [seconds, flags] of flagged) await store.record(day, ada, at(seconds), { flags });
    },
    async (store) => {
      const expected = { scans: [10, 20, 30, 40, 50].map(at), flags: [1, 0, LARGEST, 2, 2 ** 40] };
      assert.deepEqual((await store.details(day))?.entries, [
        { ...entry(ada, at(10), at(50), 5), ...expected },
      ]);
    },
  ],
  'goes on with a day after a restart in the middle of it': [
    async (store) => {
      await store.record(day, bob, at(0));
      await store.record(day, ada, at(0));
    },
    async (store) => {
      assert.equal(await store.record(day, bob, at(0)), 'already-counted');
      assert.equal(await store.record(day, bob, at(5)), 'already-counted');
      assert.equal(await store.record(day, cyd, at(0)), 'counted');
      assert.deepEqual((await store.load(day))?.entries, [
        entry(bob, at(0), at(5), 2),
        entry(ada, at(0), at(0), 1),
        entry(cyd, at(0), at(0), 1),
      ]);
    },
  ],
  'keeps a removed day removed across a restart': [
    async (store) => {
      await store.record(day, ada, at(0));
      await store.remove(day);
    },
    async (store) => {
      assert.equal(await store.load(day), undefined);
      assert.deepEqual(await store.list(toDay(0), DAY_MAX), []);
      assert.equal(await store.record(day, ada, at(0)), 'counted');
    },
  ],
});

async function idsOf(store: DayStore, day: Day): Promise<readonly TallyId[] | undefined> {
  return (await store.load(day))?.entries.map(({ id }) => id);
}
