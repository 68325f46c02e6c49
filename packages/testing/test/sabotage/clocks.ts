import type { Timestamp } from '@tallybook/domain';
import { ManualClock } from '@tallybook/testing';
import { faults } from './sabotage.js';

export const clockSabotages = faults(ManualClock, {
  'tells fractions of a second': {
    fails: ['gives whole seconds since 1970'],
    now: (sound) => () => (sound() + 0.5) as Timestamp,
  },
  'goes back on the monotonic clock': {
    fails: ['counts milliseconds on the monotonic clock, and never back'],
    monotonicMs: (sound) => {
      let looks = 0;
      return () => sound() - looks++ * 0.1;
    },
  },
  'stands still': {
    fails: ['counts milliseconds on the monotonic clock, and never back'],
    monotonicMs: () => () => 5,
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
  'says null of being synchronised': {
    fails: ['says whether it is synchronised, or that it does not know'],
    isSynchronised: () => () => null as never,
  },
  'never calls': {
    fails: ['calls once what is scheduled'],
    schedule: () => () => ({ unsubscribe: () => undefined }),
  },
  'calls too early': {
    fails: ['does not call before the time'],
    schedule: (sound) => (delayMs, work) => sound(delayMs / 2, work),
  },
  'calls although it was told not to': {
    fails: ['does not call after unsubscribe'],
    schedule: (sound) => (delayMs, work) => {
      sound(delayMs, work);
      return { unsubscribe: () => undefined };
    },
  },
  'fails when it is told a second time': {
    fails: ['takes an unsubscribe that comes late, or twice'],
    schedule: (sound) => (delayMs, work) => {
      const subscription = sound(delayMs, work);
      let isOver = false;
      return {
        unsubscribe: () => {
          if (isOver) throw new Error('over');
          isOver = true;
          subscription.unsubscribe();
        },
      };
    },
  },
});
