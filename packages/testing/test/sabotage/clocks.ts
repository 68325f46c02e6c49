import type { Subscription, Timestamp } from '@tallybook/domain';
import { ManualClock } from '@tallybook/testing';
import type { Sabotage } from './sabotage.js';

export const clockSabotages: readonly Sabotage<new () => ManualClock>[] = [
  {
    fault: 'tells fractions of a second',
    Fake: class extends ManualClock {
      override now(): Timestamp {
        return (super.now() + 0.5) as Timestamp;
      }
    },
    fails: ['tells whole seconds since 1970'],
  },
  {
    fault: 'goes back on the monotonic clock',
    Fake: class extends ManualClock {
      #looks = 0;

      override monotonicMs(): number {
        return super.monotonicMs() - this.#looks++ * 0.1;
      }
    },
    fails: ['counts milliseconds on the monotonic clock, and never back'],
  },
  {
    fault: 'stands still',
    Fake: class extends ManualClock {
      override monotonicMs(): number {
        return 5;
      }
    },
    fails: ['counts milliseconds on the monotonic clock, and never back'],
  },
  {
    fault: 'names its run anew at each look',
    Fake: class extends ManualClock {
      constructor() {
        super();
        let looks = 0;
        Object.defineProperty(this, 'bootId', { get: () => `run ${looks++}` });
      }
    },
    fails: ['names its run, always the same'],
  },
  {
    fault: 'does not name its run',
    Fake: class extends ManualClock {
      override bootId = '';
    },
    fails: ['names its run, always the same'],
  },
  {
    fault: 'says null of being synchronised',
    Fake: class extends ManualClock {
      override isSynchronised(): boolean | undefined {
        return null as never;
      }
    },
    fails: ['says yes, no or nothing of being synchronised'],
  },
  {
    fault: 'calls again and again',
    Fake: class extends ManualClock {
      override schedule(delayMs: number, work: () => void): Subscription {
        return super.schedule(delayMs, () => {
          work();
          super.schedule(delayMs, work);
        });
      }
    },
    fails: ['calls once what is scheduled'],
  },
  {
    fault: 'never calls',
    Fake: class extends ManualClock {
      override schedule(): Subscription {
        return { unsubscribe: () => undefined };
      }
    },
    fails: ['calls once what is scheduled'],
  },
  {
    fault: 'calls too early',
    Fake: class extends ManualClock {
      override schedule(delayMs: number, work: () => void): Subscription {
        return super.schedule(delayMs / 2, work);
      }
    },
    fails: ['does not call before the time'],
  },
  {
    fault: 'calls although it was told not to',
    Fake: class extends ManualClock {
      override schedule(delayMs: number, work: () => void): Subscription {
        super.schedule(delayMs, work);
        return { unsubscribe: () => undefined };
      }
    },
    fails: ['does not call after unsubscribe'],
  },
  {
    fault: 'fails when it is told a second time',
    Fake: class extends ManualClock {
      override schedule(delayMs: number, work: () => void): Subscription {
        const subscription = super.schedule(delayMs, work);
        let isOver = false;
        return {
          unsubscribe: () => {
            if (isOver) throw new Error('over');
            isOver = true;
            subscription.unsubscribe();
          },
        };
      }
    },
    fails: ['takes an unsubscribe that comes late, or twice'],
  },
];
