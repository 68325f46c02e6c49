import assert from 'node:assert/strict';
import { DAY_MAX, parseTallyId, toDay, toTimestamp, type Day } from '@tallybook/domain';
import type { Correction, CorrectionStore, NewCorrection, Verdict } from '@tallybook/domain/record';
import { casesOf, type TestRunner } from '../../runner.js';
import { ada, at, day, nextDay } from '../fixtures.js';
import { runStoreContract } from '../store-contract.js';
import { acrossRestart, onStore, type StoreContractOptions } from '../store-subject.js';

const addition: NewCorrection = {
  action: 'add',
  day,
  id: ada,
  at: at(0),
  reason: 'Forgot to tap',
  author: 'desk',
  madeAt: at(100),
  state: 'approved',
};
const pending: NewCorrection = { ...addition, state: 'pending' };
const approval: Verdict = { state: 'approved', by: 'boss', at: at(200) };
const rejection: Verdict = { state: 'rejected', by: 'other', at: at(300), reason: 'Was not there' };
const decided: NewCorrection = { ...addition, decision: { by: 'boss', at: at(200) } };

/** Checks the promises of {@link CorrectionStore}. */
export function correctionStoreContract(
  runner: TestRunner,
  options: StoreContractOptions<CorrectionStore>,
): void {
  runStoreContract(runner, options, {
    port: 'a CorrectionStore',
    operations: {
      correct: (store) => store.correct([addition]),
      decide: (store) => store.decide(1, approval),
      find: (store) => store.find(1),
      list: (store) => store.list(day, day),
      remove: (store) => store.remove(day),
      dayRevision: (store) => store.dayRevision(day),
      revision: (store) => store.revision(),
    },
    cases,
    restartCases,
  });
}

const cases = casesOf(onStore<CorrectionStore>, {
  'gives back corrections as they were given, with their numbers': async (store) => {
    const longest = {
      ...addition,
      action: 'void',
      id: parseTallyId('FE'.repeat(10)),
      day: DAY_MAX,
      at: toTimestamp(Number.MAX_SAFE_INTEGER),
      reason: `"Zoë’s" \\ ${'👋'.repeat(490)}`,
      author: 'token küche',
      madeAt: toTimestamp(0),
      state: 'rejected',
      decision: { by: 'boss', at: at(1), reason: 'Nö, 日本' },
    } as const;
    const made = await store.correct([addition, longest]);
    assert.deepEqual(unnumbered(made), unnumbered([addition, longest]));
    assert.deepEqual(await store.list(day, DAY_MAX), made);
  },
  'numbers corrections in the order given, ascending from 1': async (store) => {
    const several = [at(2), at(0), at(1)].map((second) => ({ ...addition, at: second }));
    const numbers = (await store.correct(several)).map(({ number }) => number);
    assert.ok((numbers[0] ?? 0) >= 1 && isAscending(numbers), String(numbers));
    const [later] = await store.correct([{ ...addition, day: toDay(1) }]);
    assert.ok((later?.number ?? 0) > Math.max(...numbers));
  },
  'lists the days from one to another, both included, by day and number': async (store) => {
    for (const each of [7, 3, 5, DAY_MAX, 3]) {
      await store.correct([{ ...addition, day: toDay(each), madeAt: at(each % 7) }]);
      await store.correct([{ ...addition, day: toDay(each), at: at(9), madeAt: at(each % 7) }]);
    }
    const listed = async (from: number, to: number): Promise<readonly Day[]> => {
      const found = await store.list(toDay(from), toDay(to));
      const keys = found.map((each) => each.day * 2 ** 20 + each.number);
      assert.ok(isAscending(keys), String(keys));
      return found.map((each) => each.day);
    };
    assert.deepEqual(await listed(3, 5), [3, 3, 5, 5]);
    assert.deepEqual(await listed(4, 4), []);
    assert.deepEqual(await listed(0, DAY_MAX), [3, 3, 5, 5, 7, 7, DAY_MAX, DAY_MAX]);
    assert.deepEqual(await listed(5, 3), []);
  },
  'has nothing where nothing was corrected': async (store) => {
    assert.deepEqual(await store.correct([]), []);
    assert.deepEqual(await store.list(toDay(0), DAY_MAX), []);
    assert.equal(await store.find(1), undefined);
    assert.equal(await store.decide(1, approval), undefined);
    assert.equal(await store.remove(day), false);
  },
  'adds the same correction once': async (store) => {
    const first = await store.correct([addition]);
    const again = await store.correct([{ ...addition, reason: 'Another one' }, addition]);
    assert.deepEqual(again, [...first, ...first]);
    assert.deepEqual(await store.list(day, day), first);
  },
  'keeps corrections apart that differ in one of their marks': async (store) => {
    const others: readonly NewCorrection[] = [
      { ...addition, day: nextDay },
      { ...addition, id: parseTallyId('04A2B3C4') },
      { ...addition, at: at(1) },
      { ...addition, action: 'void' },
      { ...addition, madeAt: at(101) },
      { ...addition, author: 'admin' },
    ];
    await store.correct([addition, ...others]);
    assert.equal((await store.list(day, nextDay)).length, 1 + others.length);
  },
  'decides a pending correction': async (store) => {
    const [one, other] = await store.correct([pending, { ...pending, at: at(1) }]);
    const { state, ...decision } = rejection;
    assert.deepEqual(await store.decide(one?.number ?? 0, approval), {
      ...one,
      state: 'approved',
      decision: { by: 'boss', at: at(200) },
    });
    const rejected = { ...other, state, decision };
    assert.deepEqual(await store.decide(other?.number ?? 0, rejection), rejected);
    assert.deepEqual(await store.find(other?.number ?? 0), rejected);
  },
  'decides once': async (store) => {
    const [one, other] = await store.correct([pending, { ...addition, at: at(1) }]);
    const first = await store.decide(one?.number ?? 0, approval);
    assert.deepEqual(await store.decide(one?.number ?? 0, rejection), first);
    assert.deepEqual(await store.decide(other?.number ?? 0, rejection), other);
    assert.deepEqual(await store.list(day, day), [first, other]);
  },
  'decides once also when two decide at the same time': async (store) => {
    const number = await numberOf(store, pending);
    const verdicts = [approval, rejection, approval, rejection];
    const results = await Promise.all(verdicts.map((verdict) => store.decide(number, verdict)));
    const kept = await store.find(number);
    assert.notEqual(kept?.state, 'pending');
    for (const result of results) assert.deepEqual(result, kept);
  },
  'takes the decision of the same correction, if its own is pending': async (store) => {
    const number = await numberOf(store, pending);
    assert.deepEqual(await store.correct([decided]), [{ ...decided, number }]);
    assert.deepEqual(await store.list(day, day), [{ ...decided, number }]);
  },
  'keeps its decision when the same correction comes undecided': async (store) => {
    const number = await numberOf(store, decided);
    const { state, ...decision } = rejection;
    await store.correct([pending]);
    await store.correct([{ ...addition, state, decision }]);
    assert.deepEqual(await store.list(day, day), [{ ...decided, number }]);
  },
  'finds a correction by its number, whatever its day': async (store) => {
    const made = await store.correct([
      addition,
      { ...addition, day: toDay(0) },
      { ...addition, day: DAY_MAX },
    ]);
    for (const correction of made) assert.deepEqual(await store.find(correction.number), correction);
    assert.equal(await store.find((made.at(-1)?.number ?? 0) + 1), undefined);
  },
  'removes the corrections of a day, and no others': async (store) => {
    const [gone, stays] = await store.correct([addition, { ...addition, day: nextDay }]);
    assert.equal(await store.remove(day), true);
    assert.deepEqual(await store.list(toDay(0), DAY_MAX), [stays]);
    assert.equal(await store.find(gone?.number ?? 0), undefined);
    assert.equal(await store.remove(day), false);
  },
  'gives no number twice, also after a removal': async (store) => {
    const before = await numberOf(store, addition);
    await store.remove(day);
    assert.ok((await numberOf(store, addition)) > before);
  },
  'loses nothing of what is corrected at the same time': async (store) => {
    const seconds = Array.from({ length: 20 }, (_, index) => at(index));
    const made = await Promise.all(seconds.map((second) => store.correct([{ ...addition, at: second }])));
    assert.equal(new Set(made.flat().map(({ number }) => number)).size, seconds.length);
    assert.equal((await store.list(day, day)).length, seconds.length);
  },
  'changes the revisions of the day and of all when something is added, decided or removed': async (
    store,
  ) => {
    const changes = [
      () => store.correct([pending]),
      async () => store.decide((await store.list(day, day))[0]?.number ?? 0, approval),
      () => store.remove(day),
    ];
    for (const change of changes) {
      const before = { day: await store.dayRevision(day), all: await store.revision() };
      await change();
      assert.notEqual(await store.dayRevision(day), before.day);
      assert.notEqual(await store.revision(), before.all);
    }
  },
  'keeps revisions while nothing changes, and those of other days': async (store) => {
    await store.correct([addition]);
    const [before, other, all] = [
      await store.dayRevision(day),
      await store.dayRevision(nextDay),
      await store.revision(),
    ];
    await store.list(day, nextDay);
    assert.equal(await store.dayRevision(day), before);
    assert.equal(await store.revision(), all);
    await store.correct([{ ...addition, at: at(1) }]);
    assert.equal(await store.dayRevision(nextDay), other);
  },
  'gives results that later writes do not change': async (store) => {
    const number = await numberOf(store, pending);
    const listed = await store.list(day, day);
    const copy = structuredClone(listed);
    await store.decide(number, approval);
    await store.correct([{ ...addition, at: at(1) }]);
    assert.deepEqual(listed, copy);
  },
});

const restartCases = [
  acrossRestart<CorrectionStore, readonly Correction[]>('keeps corrections and decisions across a restart', [
    async (store) => {
      const number = await numberOf(store, pending);
      await store.decide(number, rejection);
      await store.correct([{ ...addition, day: nextDay }]);
      return store.list(day, nextDay);
    },
    async (store, before) => assert.deepEqual(await store.list(day, nextDay), before),
  ]),
  acrossRestart<CorrectionStore, number>('gives no number twice across a restart, also after a removal', [
    async (store) => {
      const number = await numberOf(store, addition);
      await store.remove(day);
      return number;
    },
    async (store, before) => {
      assert.deepEqual(await store.list(day, day), []);
      assert.ok((await numberOf(store, addition)) > before);
    },
  ]),
];

async function numberOf(store: CorrectionStore, correction: NewCorrection): Promise<number> {
  const [made] = await store.correct([correction]);
  return made?.number ?? 0;
}

function unnumbered(corrections: readonly NewCorrection[]): readonly Correction[] {
  return corrections.map((correction) => ({ ...correction, number: 0 }));
}

function isAscending(numbers: readonly number[]): boolean {
  return numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? 0));
}
