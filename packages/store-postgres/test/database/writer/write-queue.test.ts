import assert from 'node:assert/strict';
import {
  FirstAnswers,
  runsOf,
  WriteQueue,
  type Batch,
  type QueuedWrite,
} from '../../../src/database/writer/write-queue.js';

const batch = (isApart?: boolean): Batch<unknown, unknown> =>
  Object.assign(() => Promise.resolve([]), isApart === undefined ? {} : { isApart });
const [names, days] = [batch(false), batch()];
const audit = batch(true);

const write = (item: string, { of = names, rows = 1, isAlone = false } = {}): QueuedWrite => ({
  ...{ batch: of, item, rows, isAlone, key: undefined },
  resolve: () => undefined,
  reject: () => undefined,
});
const itemsOf = (group: readonly QueuedWrite[]): readonly unknown[] => group.map(({ item }) => item);

describe('Writes that wait for a transaction', () => {
  const taken = (...writes: readonly QueuedWrite[]): readonly (readonly unknown[])[] => {
    const queue = new WriteQueue();
    for (const each of writes) queue.add(each);
    const groups: (readonly unknown[])[] = [];
    while (queue.length > 0) groups.push(itemsOf(queue.takeGroup()));
    return groups;
  };

  it('share one with up to 1,000 rows, in the order of the calls', () => {
    assert.deepEqual(taken(write('a', { rows: 400 }), write('b', { rows: 600 }), write('c')), [
      ['a', 'b'],
      ['c'],
    ]);
    assert.deepEqual(taken(write('a'), write('b'), write('c')), [['a', 'b', 'c']]);
  });

  it('have one for themselves if they alone change more', () => {
    const large = { rows: 5_000 };
    assert.deepEqual(taken(write('a', large), write('b', large), write('c')), [['a'], ['b'], ['c']]);
  });

  it('come last in it if they concern nobody else', () => {
    const apart = { of: audit };
    assert.deepEqual(taken(write('a', apart), write('b'), write('c', apart), write('d', { of: days })), [
      ['b', 'd', 'a', 'c'],
    ]);
  });

  it('are handed over together if they follow each other, are of one kind, and did not fail together', () => {
    const alone = { isAlone: true };
    const runs = (...writes: readonly QueuedWrite[]): unknown => runsOf(writes).map(itemsOf);
    assert.deepEqual(runs(), []);
    assert.deepEqual(runs(write('a'), write('b'), write('c', { of: days }), write('d')), [
      ['a', 'b'],
      ['c'],
      ['d'],
    ]);
    assert.deepEqual(runs(write('a', alone), write('b'), write('c'), write('d', alone), write('e', alone)), [
      ['a'],
      ['b', 'c'],
      ['d'],
      ['e'],
    ]);
  });
});

describe('Outcomes of writes that were rejected in doubt', () => {
  it('are given to a repeat once, whatever they are', () => {
    const answers = new FirstAnswers();
    answers.add('a', undefined);
    answers.add('b', 'counted');
    assert.equal(answers.takeOr('a', 'present'), undefined);
    assert.equal(answers.takeOr('a', 'present'), 'present');
    assert.equal(answers.takeOr(undefined, 'present'), 'present');
    assert.equal(answers.takeOr('b', 'present'), 'counted');
  });

  it('are 10,000 at most: the oldest are forgotten', () => {
    const answers = new FirstAnswers();
    for (let number = 0; number <= 10_001; number++) answers.add(String(number), 'first');
    for (const [key, answer] of [
      ['0', 'present'],
      ['1', 'present'],
      ['2', 'first'],
      ['10001', 'first'],
    ] as const) {
      assert.equal(answers.takeOr(key, 'present'), answer, key);
    }
  });
});
