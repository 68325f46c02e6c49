import assert from 'node:assert/strict';
import type { Clock } from '@tallybook/domain';
import {
  casesOf,
  onSubject,
  runCases,
  type ContractCase,
  type ContractOptions,
  type MakeSubject,
  type TestRunner,
} from '../runner.js';

export interface ClockSubject {
  /** A clock that is ready to use. */
  readonly clock: Clock;
  /** Resolves when at least this many milliseconds have passed on the clock. */
  readonly wait: (milliseconds: number) => Promise<void> | void;
  readonly cleanup: () => Promise<void>;
}

export type ClockContractOptions = ContractOptions<MakeSubject<ClockSubject>>;

/** Checks the promises of {@link Clock}. */
export function clockContract(runner: TestRunner, options: ClockContractOptions): void {
  runCases(runner, 'a Clock', cases, options);
}

const SOON_MS = 20;
/** Longer than the appointments of the cases, so that these are over by then, even if the process was delayed. */
const LATER_MS = 60;
/** Timers count whole milliseconds, and a part of one may have passed when they begin. */
const GRAIN_MS = 1;

const cases: readonly ContractCase<ClockContractOptions['make']>[] = casesOf(onClock, {
  'gives whole seconds since 1970': async ({ clock, wait }) => {
    for (let look = 0; look < 3; look++) {
      const now = clock.now();
      assert.ok(Number.isSafeInteger(now) && now >= 0, `got ${now}`);
      await wait(SOON_MS);
    }
  },
  'counts milliseconds on the monotonic clock, and never back': async ({ clock, wait }) => {
    for (let look = 0; look < 3; look++) {
      const before = clock.monotonicMs();
      const again = clock.monotonicMs();
      assert.ok(again >= before, `${again} came after ${before}`);
      await wait(SOON_MS);
      const after = clock.monotonicMs();
      assert.ok(after >= again + SOON_MS - GRAIN_MS, `${SOON_MS} ms after ${again} it was ${after}`);
    }
  },
  'names its run, always the same': async ({ clock, wait }) => {
    const { bootId } = clock;
    assert.ok(typeof bootId === 'string' && bootId !== '', `got ${bootId}`);
    await wait(SOON_MS);
    assert.equal(clock.bootId, bootId);
  },
  'says whether it is synchronised, or that it does not know': ({ clock }) => {
    assert.ok([true, false, undefined].includes(clock.isSynchronised()));
  },
  'calls once what is scheduled': async ({ clock, wait }) => {
    let calls = 0;
    clock.schedule(SOON_MS, () => calls++);
    await wait(LATER_MS);
    await wait(LATER_MS);
    assert.equal(calls, 1);
  },
  'does not call before the time': async ({ clock, wait }) => {
    const begin = clock.monotonicMs();
    const passed: number[] = [];
    clock.schedule(SOON_MS, () => passed.push(clock.monotonicMs() - begin));
    await wait(LATER_MS);
    assert.deepEqual(
      passed.filter((ms) => ms < SOON_MS - GRAIN_MS),
      [],
    );
  },
  'does not call after unsubscribe': async ({ clock, wait }) => {
    let calls = 0;
    clock.schedule(SOON_MS, () => calls++).unsubscribe();
    await wait(LATER_MS);
    assert.equal(calls, 0);
  },
  'takes an unsubscribe that comes late, or twice': async ({ clock, wait }) => {
    const subscription = clock.schedule(SOON_MS, () => undefined);
    await wait(LATER_MS);
    subscription.unsubscribe();
    subscription.unsubscribe();
  },
});

function onClock(
  title: string,
  body: (subject: ClockSubject) => Promise<void> | void,
): ContractCase<ClockContractOptions['make']> {
  return onSubject(title, (make) => make(), body);
}
