import { ManualClock } from '@tallybook/testing';
import { expect } from 'chai';
import { Backlog, BACKLOG_MAX_LIMIT, type Attempt } from '../../src/attendance/backlog.js';
import { Deferred } from '../fixtures/deferred.js';
import { thrownBy } from '../fixtures/throws.js';
import { failureOf } from '../../../testing/test/fixtures/failure-of.js';

/** Lets an attempt come to its end. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

describe('Backlog', () => {
  /** A backlog of numbers. It refuses all writes until `isWell`, and those of `stuck` always. */
  function start(limit = 10) {
    const clock = new ManualClock();
    const state = { isWell: false, written: [] as number[], attempts: 0, stuck: new Set<number>() };
    const backlog = new Backlog<number>(
      (item) => {
        state.attempts++;
        const result: Attempt['result'] = !state.isWell ? 'unwell' : state.stuck.has(item) ? 'stuck' : 'done';
        if (result === 'done') state.written.push(item);
        return Promise.resolve({ result });
      },
      clock,
      limit,
    );
    return { backlog, clock, state };
  }

  it('tries by itself two seconds after the last attempt, and writes waiting items in order', async () => {
    const { backlog, clock, state } = start();
    for (const item of [1, 2, 3]) expect(backlog.add(item)).to.equal(true);
    expect(backlog.state).to.deep.equal({ waiting: 3, limit: 10, refused: 0 });
    clock.advance(1999);
    expect(state.attempts).to.equal(0);
    clock.advance(1);
    expect(state.attempts).to.equal(3);
    // A second pass follows the running one.
    await backlog.attempt();
    expect(backlog.state.waiting).to.equal(3);
    expect(state.attempts).to.equal(6);
    state.isWell = true;
    clock.advance(2000);
    await backlog.attempt();
    expect(state.written).to.deep.equal([1, 2, 3]);
    expect(backlog.isEmpty).to.equal(true);
    clock.advance(1_000_000);
    expect(state.attempts).to.equal(9);
  });

  it('goes on trying by itself, two seconds after each attempt, whoever asked for that', async () => {
    const { backlog, clock, state } = start();
    backlog.add(1);
    for (let attempt = 1; attempt <= 3; attempt++) {
      clock.advance(2000);
      await settled();
      expect(state.attempts).to.equal(attempt);
    }
    clock.advance(1500);
    await backlog.attempt();
    expect(state.attempts).to.equal(4);
    clock.advance(1999);
    await settled();
    expect(state.attempts).to.equal(4);
    clock.advance(1);
    await settled();
    expect(state.attempts).to.equal(5);
  });

  it('tries at once on request, and once for all requests', async () => {
    const { backlog, state } = start();
    backlog.add(1);
    state.isWell = true;
    await Promise.all([backlog.attempt(), backlog.attempt()]);
    expect(state.attempts).to.equal(1);
    expect(backlog.isEmpty).to.equal(true);
  });

  it('tries again for requests during an attempt, because the store may have recovered meanwhile', async () => {
    const { backlog, state } = start();
    backlog.add(1);
    const failing = backlog.attempt();
    state.isWell = true;
    await Promise.all([failing, backlog.attempt(), backlog.attempt()]);
    expect(state.written).to.deep.equal([1]);
    expect(state.attempts).to.equal(2);
  });

  it('writes all other items if some cannot be written', async () => {
    const { backlog, clock, state } = start(1000);
    for (let item = 0; item < 600; item++) backlog.add(item);
    state.isWell = true;
    for (let item = 0; item < 300; item++) state.stuck.add(item);
    state.stuck.add(599);
    await backlog.attempt();
    expect(state.written).to.deep.equal(Array.from({ length: 299 }, (_, n) => 300 + n));
    expect(backlog.state.waiting).to.equal(301);
    expect(state.attempts).to.equal(600);
    state.stuck.clear();
    clock.advance(2000);
    await backlog.attempt();
    expect(state.written.slice(299)).to.deep.equal([...Array(300).keys(), 599]);
  });

  it('tries only one group with a failing store', async () => {
    const { backlog, state } = start(1000);
    for (let item = 0; item < 600; item++) backlog.add(item);
    await backlog.attempt();
    expect(state.attempts).to.equal(256);
  });

  it('keeps the oldest when there is no more room, and counts the others', async () => {
    const { backlog, state } = start(2);
    expect([1, 2, 3, 4].map((item) => backlog.add(item))).to.deep.equal([true, true, false, false]);
    expect(backlog.state).to.deep.equal({ waiting: 2, limit: 2, refused: 2 });
    state.isWell = true;
    await backlog.attempt();
    expect(state.written).to.deep.equal([1, 2]);
    expect(backlog.state).to.deep.equal({ waiting: 0, limit: 2, refused: 2 });
    backlog.add(5);
    expect(backlog.state).to.deep.equal({ waiting: 1, limit: 2, refused: 0 });
  });

  it('counts lost items until all waiting ones are written', async () => {
    const { backlog, state } = start(2);
    for (const item of [1, 2, 3]) backlog.add(item);
    state.isWell = true;
    state.stuck.add(2);
    await backlog.attempt();
    backlog.add(4);
    expect(backlog.state).to.deep.equal({ waiting: 2, limit: 2, refused: 1 });
  });

  it('schedules an attempt only while something waits and none is under way', async () => {
    const { backlog, clock, state } = start();
    const delays: number[] = [];
    clock.schedule = (delayMs) => {
      delays.push(delayMs);
      return { unsubscribe: () => undefined };
    };
    state.isWell = true;
    await backlog.attempt();
    expect(delays).to.deep.equal([]);
    backlog.add(1);
    const attempt = backlog.attempt();
    backlog.add(2);
    await attempt;
    expect(backlog.isEmpty).to.equal(true);
    expect(delays).to.deep.equal([2000]);
  });

  it('accepts limits up to a million', () => {
    for (const limit of [0, 1, BACKLOG_MAX_LIMIT]) expect(start(limit).backlog.state.limit).to.equal(limit);
    expect(BACKLOG_MAX_LIMIT).to.equal(1_000_000);
  });

  it('refuses a limit out of range', () => {
    for (const limit of [-1, 0.5, NaN, 1_000_001]) {
      thrownBy(
        'INVALID_OPTION',
        () => new Backlog(() => Promise.resolve({ result: 'done' }), new ManualClock(), limit),
      );
    }
  });

  describe('when an event makes waiting items obsolete', () => {
    const isOdd = (item: number): boolean => item % 2 === 1;

    it('drops those items, writes nothing meanwhile, and then writes the rest in order', async () => {
      const { backlog, clock, state } = start();
      for (const item of [1, 2, 3, 4]) backlog.add(item);
      state.isWell = true;
      const work = new Deferred<string>();
      const outdating = backlog.outdate(() => work.promise, isOdd);
      clock.advance(60_000);
      const attempt = backlog.attempt();
      expect(state.attempts).to.equal(0);
      work.resolve('done');
      expect(await outdating).to.deep.equal({ result: 'done', dropped: 2 });
      await attempt;
      expect(state.written).to.deep.equal([2, 4]);
    });

    it('tries to write the rest two seconds later, and no sooner because it had waited before', async () => {
      const { backlog, clock, state } = start();
      for (const item of [1, 2]) backlog.add(item);
      clock.advance(1500);
      await backlog.outdate(() => Promise.resolve(), isOdd);
      await settled();
      clock.advance(1999);
      await settled();
      expect(state.attempts).to.equal(0);
      clock.advance(1);
      expect(state.attempts).to.equal(1);
    });

    it('drops nothing if that fails, and goes on', async () => {
      const { backlog, clock, state } = start();
      for (const item of [1, 2]) backlog.add(item);
      const failure = new Error('the disk is full');
      expect(await failureOf(backlog.outdate(() => Promise.reject(failure), isOdd))).to.equal(failure);
      await backlog.attempt();
      state.isWell = true;
      clock.advance(2000);
      await backlog.attempt();
      expect(state.written).to.deep.equal([1, 2]);
    });

    it('waits for an attempt under way, and for an earlier such event', async () => {
      const { backlog, state } = start();
      backlog.add(1);
      state.isWell = true;
      const order: string[] = [];
      const outdate = (name: string): Promise<unknown> =>
        backlog.outdate(async () => {
          order.push(`${name} begins with ${state.written.length} written`);
          await Promise.resolve();
          order.push(`${name} ends`);
        }, isOdd);
      await Promise.all([backlog.attempt(), outdate('one'), outdate('two')]);
      expect(order).to.deep.equal([
        'one begins with 1 written',
        'one ends',
        'two begins with 1 written',
        'two ends',
      ]);
    });
  });
});
