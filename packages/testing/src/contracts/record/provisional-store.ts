import assert from 'node:assert/strict';
import {
  DAY_MAX,
  parseTallyId,
  toDay,
  toTimestamp,
  type Filing,
  type ProvisionalScan,
  type ProvisionalStore,
} from '@tallybook/domain';
import { casesOf, type TestRunner } from '../../runner.js';
import { oddTexts } from '../fixtures.js';
import { runStoreContract } from '../store-contract.js';
import { acrossRestart, onStore, type StoreContractOptions } from '../store-subject.js';

type NewScan = Omit<ProvisionalScan, 'sequence'>;

const latest = toTimestamp(Number.MAX_SAFE_INTEGER);
const ada: NewScan = {
  id: parseTallyId('04A2B3C4D5'),
  reader: 'door',
  bootId: '5a2ce5b8-3f1c-4d5e-9b0a-0c1d2e3f4a5b',
  monotonicMs: 12_345.678_901,
  shown: toTimestamp(86_400),
  notBefore: toTimestamp(1_763_500_000),
};
const bob: NewScan = { ...ada, id: parseTallyId('0006547886'), monotonicMs: 15_000 };
const cyd: NewScan = { ...ada, id: parseTallyId('010203'), monotonicMs: 18_000.5 };
/** Scans of one tag, one after another. */
const many = (count: number): NewScan[] =>
  Array.from({ length: count }, (_, n) => ({ ...ada, monotonicMs: n }));

const certain: Filing = { day: toDay(20_411), at: toTimestamp(1_763_500_100), isRecorded: false };
const estimated: Filing = {
  day: toDay(20_412),
  at: toTimestamp(1_763_590_000),
  estimate: { earliest: toTimestamp(1_763_500_000), latest: toTimestamp(1_763_600_000) },
  isRecorded: true,
};

/** Checks the promises of {@link ProvisionalStore}. */
export function provisionalStoreContract(
  runner: TestRunner,
  options: StoreContractOptions<ProvisionalStore>,
): void {
  runStoreContract(runner, options, {
    port: 'a ProvisionalStore',
    operations: {
      add: (store) => store.add(ada),
      list: (store) => store.list(),
      place: (store) => store.place(1, certain),
      settle: (store) => store.settle(1, certain),
      remove: (store) => store.remove(1),
    },
    cases,
    restartCases,
  });
}

const cases = casesOf(onStore<ProvisionalStore>, {
  'has no scans at first': async (store) => {
    assert.deepEqual(await store.list(), []);
  },
  'gives each scan a larger sequence than the one before, from 1': async (store) => {
    const sequences = [await store.add(cyd), await store.add(ada), await store.add(bob)];
    assert.ok(sequences.every(Number.isSafeInteger), `no whole numbers: ${sequences.join(', ')}`);
    assertAscending([0, ...sequences]);
  },
  'lists a scan as it was added, with its sequence': async (store) => {
    const sequence = await store.add(ada);
    assert.deepEqual(await store.list(), [{ ...ada, sequence }]);
  },
  'lists scans in the order of their sequences': async (store) => {
    // More scans than a byte can count, in another order than their other fields have.
    const scans = Array.from({ length: 300 }, (_, n) => ({
      ...ada,
      id: parseTallyId((0xff_ff_ff - 1 - n).toString(16)),
      bootId: `boot ${999 - n}`,
      monotonicMs: 999 - n,
      shown: toTimestamp(999 - n),
      notBefore: toTimestamp(999 - n),
    }));
    const kept = await keepAll(store, scans);
    assertAscending(kept.map(({ sequence }) => sequence));
    assert.deepEqual(await store.list(), kept);
  },
  'keeps every character of a reader and of a run': async (store) => {
    const texts = [...oddTexts, '', 'x'.repeat(1_000)];
    const scans = texts.flatMap((text, n) => [
      { ...ada, bootId: text },
      { ...ada, reader: text, monotonicMs: n },
    ]);
    const kept = await keepAll(store, scans);
    assert.deepEqual(await store.list(), kept);
  },
  'keeps moments on the monotonic clock exactly': async (store) => {
    const moments = [0, 0.1, 0.1 + 0.2, 0.3, 4_294_967_296.000_001, 1e15 + 0.125, Number.MAX_SAFE_INTEGER];
    const kept = await keepAll(
      store,
      moments.map((monotonicMs) => ({ ...ada, monotonicMs })),
    );
    assert.deepEqual(await store.list(), kept);
  },
  'keeps the first and the last day and timestamp that exist': async (store) => {
    const first = toTimestamp(0);
    const one = await keep(store, { ...ada, shown: first, notBefore: latest });
    const other = await keep(store, { ...bob, shown: latest, notBefore: first });
    assert.deepEqual(await store.list(), [one, other]);
    const early = { day: toDay(0), at: first, estimate: { earliest: first, latest }, isRecorded: false };
    const late = {
      day: DAY_MAX,
      at: latest,
      estimate: { earliest: latest, latest: first },
      isRecorded: true,
    };
    await store.settle(one.sequence, early);
    await store.settle(other.sequence, late);
    assert.deepEqual(await store.list(), [
      { ...one, filing: early },
      { ...other, filing: late },
    ]);
  },
  'keeps scans apart that differ in the tag, the run or the moment alone': async (store) => {
    const ids = ['000000', '00000000', '010203', '01020300', 'FF'.repeat(10), '00'.repeat(9) + '01'];
    const kept = await keepAll(store, [
      ...ids.map((id) => ({ ...ada, id: parseTallyId(id) })),
      ...['', 'run', 'run 2', 'RUN', 'rün'].map((bootId) => ({ ...ada, bootId })),
      ...[12_345, 12_345.678_9, 12_345.678_902].map((monotonicMs) => ({ ...ada, monotonicMs })),
    ]);
    assertAscending(kept.map(({ sequence }) => sequence));
    assert.deepEqual(await store.list(), kept);
  },
  'takes a scan of the same tag, run and moment for the one that it keeps': async (store) => {
    const kept = await keepAll(store, [ada, bob]);
    const other = { ...ada, reader: 'gate', shown: latest, notBefore: latest, filing: certain };
    assert.equal(await store.add(ada), kept[0]?.sequence);
    assert.equal(await store.add(other), kept[0]?.sequence);
    assert.deepEqual(await store.list(), kept);
  },
  'keeps a filing that a scan is added with': async (store) => {
    const kept = await keepAll(store, [
      { ...ada, filing: certain },
      { ...bob, filing: estimated },
    ]);
    assert.deepEqual(await store.list(), kept);
  },
  'notes the filing of a scan and of no other one': async (store) => {
    const first = await keep(store, ada);
    const second = await keep(store, bob);
    const third = await keep(store, cyd);
    await store.settle(second.sequence, certain);
    await store.settle(third.sequence, estimated);
    assert.deepEqual(await store.list(), [
      first,
      { ...second, filing: certain },
      { ...third, filing: estimated },
    ]);
  },
  'places a scan that has no filing yet, and no other one': async (store) => {
    const first = await keep(store, ada);
    const second = await keep(store, bob);
    assert.deepEqual(await store.place(second.sequence, estimated), estimated);
    assert.deepEqual(await store.list(), [first, { ...second, filing: estimated }]);
    assert.deepEqual(await store.place(second.sequence, certain), estimated);
    assert.deepEqual(await store.list(), [first, { ...second, filing: estimated }]);
  },
  'places a scan once when several do it at the same time': async (store) => {
    const kept = await keep(store, ada);
    const found = await Promise.all([
      store.place(kept.sequence, certain),
      store.place(kept.sequence, estimated),
      store.place(kept.sequence, { ...certain, day: toDay(certain.day + 1) }),
    ]);
    const [listed] = await store.list();
    assert.notEqual(listed?.filing, undefined);
    for (const each of found) assert.deepEqual(each, listed?.filing);
  },
  'places no scan that it does not hold': async (store) => {
    const { kept, unknown } = await keepOneOfTwo(store);
    for (const sequence of unknown) assert.equal(await store.place(sequence, certain), undefined);
    assert.deepEqual(await store.list(), [kept]);
  },
  'replaces a filing as a whole': async (store) => {
    const kept = await keep(store, ada);
    for (const filing of [certain, estimated, { ...estimated, isRecorded: false }, certain]) {
      await store.settle(kept.sequence, filing);
      assert.deepEqual(await store.list(), [{ ...kept, filing }]);
    }
  },
  'keeps the filing when the scan is added again': async (store) => {
    const kept = await keep(store, ada);
    await store.settle(kept.sequence, estimated);
    assert.equal(await store.add(ada), kept.sequence);
    assert.deepEqual(await store.list(), [{ ...kept, filing: estimated }]);
  },
  'does nothing when a sequence is settled that it does not hold': async (store) => {
    const { kept, unknown } = await keepOneOfTwo(store);
    for (const sequence of unknown) await store.settle(sequence, certain);
    assert.deepEqual(await store.list(), [kept]);
  },
  'removes a scan and no other one': async (store) => {
    const first = await keep(store, ada);
    const gone = await keep(store, bob);
    const last = await keep(store, cyd);
    await store.settle(gone.sequence, certain);
    await store.remove(gone.sequence);
    assert.deepEqual(await store.list(), [first, last]);
  },
  'does nothing when a sequence is removed that it does not hold': async (store) => {
    const { kept, unknown } = await keepOneOfTwo(store);
    for (const sequence of unknown) await store.remove(sequence);
    assert.deepEqual(await store.list(), [kept]);
  },
  'never gives a sequence again, not even the highest or the only one': async (store) => {
    const sequences = [await store.add(ada), await store.add(bob)];
    for (const scan of [cyd, ...many(3)]) {
      await store.remove(sequences.at(-1) ?? 0);
      sequences.push(await store.add(scan));
    }
    for (const { sequence } of await store.list()) await store.remove(sequence);
    sequences.push(await store.add(bob));
    assertAscending(sequences);
  },
  'takes a scan that was removed for a new one': async (store) => {
    const gone = await keep(store, ada);
    await store.settle(gone.sequence, estimated);
    await store.remove(gone.sequence);
    const kept = await keep(store, ada);
    assertAscending([gone.sequence, kept.sequence]);
    assert.deepEqual(await store.list(), [kept]);
  },
  'gives scans that are added at the same time sequences in the order of the calls': async (store) => {
    const kept = await Promise.all(many(50).map((scan) => keep(store, scan)));
    assertAscending(kept.map(({ sequence }) => sequence));
    assert.deepEqual(await store.list(), kept);
  },
  'keeps one scan when it is added several times at the same time': async (store) => {
    const [one, again, other, last] = await Promise.all(
      [ada, ada, bob, ada].map((scan) => keep(store, scan)),
    );
    assert.deepEqual([again, last], [one, one]);
    assert.deepEqual(await store.list(), [one, other]);
  },
  'loses nothing of what is added, settled and removed at the same time': async (store) => {
    const toSettle = await keepAll(store, many(20));
    const toRemove = await keepAll(store, [ada, bob]);
    const [added] = await Promise.all([
      keep(store, cyd),
      ...toSettle.map(({ sequence }) => store.settle(sequence, certain)),
      ...toRemove.map(({ sequence }) => store.remove(sequence)),
    ]);
    const settled = toSettle.map((scan) => ({ ...scan, filing: certain }));
    assert.deepEqual(await store.list(), [...settled, added]);
  },
  'does not change what was listed when more is written': async (store) => {
    const first = await keep(store, ada);
    const second = await keep(store, bob);
    const listed = await store.list();
    await store.settle(first.sequence, certain);
    await store.remove(second.sequence);
    await store.add(cyd);
    assert.deepEqual(listed, [first, second]);
  },
});

const restartCases = [
  acrossRestart<ProvisionalStore, ProvisionalScan[]>('keeps what it acknowledged across a restart', [
    async (store) => {
      const first = await keep(store, ada);
      const second = await keep(store, bob);
      const third = await keep(store, cyd);
      await store.settle(first.sequence, certain);
      await store.settle(third.sequence, estimated);
      return [{ ...first, filing: certain }, second, { ...third, filing: estimated }];
    },
    async (store, kept) => {
      assert.deepEqual(await store.list(), kept);
    },
  ]),
  acrossRestart<ProvisionalStore, ProvisionalScan[]>('knows a scan again after a restart', [
    (store) => keepAll(store, [ada, bob]),
    async (store, kept) => {
      assert.deepEqual(await keepAll(store, [ada, bob]), kept);
      assert.deepEqual(await store.list(), kept);
    },
  ]),
  acrossRestart<ProvisionalStore, ProvisionalScan>('keeps a removed scan removed across a restart', [
    async (store) => (await keepOneOfTwo(store)).kept,
    async (store, kept) => {
      assert.deepEqual(await store.list(), [kept]);
      assertAscending([kept.sequence, await store.add(ada)]);
    },
  ]),
  acrossRestart<ProvisionalStore, number[]>(
    'never gives a sequence again after a restart, even if nothing is left',
    [
      async (store) => {
        const sequences = [await store.add(ada), await store.add(bob)];
        for (const sequence of sequences) await store.remove(sequence);
        return sequences;
      },
      async (store, sequences) => {
        assertAscending([...sequences, await store.add(cyd)]);
      },
    ],
  ),
];

/** Adds a scan, and returns it in the form in which it must be listed. */
async function keep(store: ProvisionalStore, scan: NewScan): Promise<ProvisionalScan> {
  return { ...scan, sequence: await store.add(scan) };
}

/** Adds two scans and removes one: the other one, and sequences that the store does not hold. */
async function keepOneOfTwo(
  store: ProvisionalStore,
): Promise<{ readonly kept: ProvisionalScan; readonly unknown: readonly number[] }> {
  const gone = await keep(store, ada);
  const kept = await keep(store, bob);
  await store.remove(gone.sequence);
  return { kept, unknown: [0, gone.sequence, kept.sequence + 1, Number.MAX_SAFE_INTEGER] };
}

/** Adds one scan after another. */
async function keepAll(store: ProvisionalStore, scans: readonly NewScan[]): Promise<ProvisionalScan[]> {
  const kept: ProvisionalScan[] = [];
  for (const scan of scans) kept.push(await keep(store, scan));
  return kept;
}

function assertAscending(sequences: readonly number[]): void {
  const isAscending = sequences.every((sequence, index) => sequence > (sequences[index - 1] ?? -1));
  assert.ok(isAscending, `these do not ascend: ${sequences.join(', ')}`);
}
