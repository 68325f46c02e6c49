import { performance } from 'node:perf_hooks';
import { toTimestamp, type Clock, type Timestamp } from '@tallybook/domain';

/** The clock of the operating system. A system clock set before 1970 reads as 1970. */
export class SystemClock implements Clock {
  now(): Timestamp {
    return toTimestamp(Math.max(Math.floor(Date.now() / 1000), 0));
  }

  monotonicMs(): number {
    return performance.now();
  }
}
