import type { Subscription, Timestamp } from '@tallybook/domain';
import { ManualClock } from '@tallybook/testing';
import { faults } from './sabotage.js';

export const clockSabotages = faults<new () => ManualClock>({
  'tells fractions of a second': class extends ManualClock {
    static readonly fails = ['tells whole seconds since 1970'];
    override now(): Timestamp {
      return (super.now() + 0.5) as Timestamp;
    }
  },
  'goes back on the monotonic clock': class extends ManualClock {
    static readonly fails = ['counts milliseconds on the monotonic clock, and never back'];
    #looks = 0;

    override monotonicMs(): number {
      return super.monotonicMs() - this.#looks++ * 0.1;
    }
  },
  'stands still': class extends ManualClock {
    static readonly fails = ['counts milliseconds on the monotonic clock, and never back'];
    override monotonicMs(): number {
      return 5;
    }
  },
  'names its run anew at each look': class extends ManualClock {
    static readonly fails = ['names its run, always the same'];
    constructor() {
      super();
      let looks = 0;
      Object.defineProperty(this, 'bootId', { get: () => `run ${looks++}` });
    }
  },
  'does not name its run': class extends ManualClock {
    static readonly fails = ['names its run, always the same'];
    override bootId = '';
  },
  'says null of being synchronised': class extends ManualClock {
    static readonly fails = ['says yes, no or nothing of being synchronised'];
    override isSynchronised(): boolean | undefined {
      return null as never;
    }
  },
  'calls again and again': class extends ManualClock {
    static readonly fails = ['calls once what is scheduled'];
    override schedule(delayMs: number, work: () => void): Subscription {
      return super.schedule(delayMs, () => {
        work();
        super.schedule(delayMs, work);
      });
    }
  },
  'never calls': class extends ManualClock {
    static readonly fails = ['calls once what is scheduled'];
    override schedule(): Subscription {
      return { unsubscribe: () => undefined };
    }
  },
  'calls too early': class extends ManualClock {
    static readonly fails = ['does not call before the time'];
    override schedule(delayMs: number, work: () => void): Subscription {
      return super.schedule(delayMs / 2, work);
    }
  },
  'calls although it was told not to': class extends ManualClock {
    static readonly fails = ['does not call after unsubscribe'];
    override schedule(delayMs: number, work: () => void): Subscription {
      super.schedule(delayMs, work);
      return { unsubscribe: () => undefined };
    }
  },
  'fails when it is told a second time': class extends ManualClock {
    static readonly fails = ['takes an unsubscribe that comes late, or twice'];
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
});
