import { toTimestamp, type Clock, type Subscription, type Timestamp } from '@tallybook/domain';

interface Appointment {
  readonly atMs: number;
  readonly work: () => void;
}

/** A clock that stands still until a test moves it, and follows a time server unless a test says otherwise. */
export class ManualClock implements Clock {
  bootId = 'manual';
  #epochMs: number;
  #monotonicMs = 0;
  #isSynchronised: boolean | undefined = true;
  readonly #appointments = new Set<Appointment>();

  /** @param seconds Since 1970; default 1,763,700,000, which is 2025-11-21T04:40:00Z, day 20413. */
  constructor(seconds = 1_763_700_000) {
    this.#epochMs = toTimestamp(seconds) * 1000;
  }

  now(): Timestamp {
    return toTimestamp(Math.floor(this.#epochMs / 1000));
  }

  monotonicMs(): number {
    return this.#monotonicMs;
  }

  isSynchronised(): boolean | undefined {
    return this.#isSynchronised;
  }

  schedule(delayMs: number, work: () => void): Subscription {
    const appointment = { atMs: this.#monotonicMs + delayMs, work };
    this.#appointments.add(appointment);
    return { unsubscribe: () => void this.#appointments.delete(appointment) };
  }

  /**
   * Lets time pass on both clocks. Scheduled calls happen at their time, including those that they schedule themselves.
   */
  advance(milliseconds: number): void {
    const until = this.#monotonicMs + milliseconds;
    for (let next = this.#nextUntil(until); next !== undefined; next = this.#nextUntil(until)) {
      this.#appointments.delete(next);
      this.#goOn(next.atMs - this.#monotonicMs);
      next.work();
    }
    this.#goOn(until - this.#monotonicMs);
  }

  /** Sets the time of day, as a person or a time server does: no time passes. */
  set(seconds: number): void {
    this.#epochMs = toTimestamp(seconds) * 1000;
  }

  /** Sets whether the time follows a time server; `undefined` for a system that does not say. */
  setSynchronised(isSynchronised: boolean | undefined): void {
    this.#isSynchronised = isSynchronised;
  }

  /** Restarts the monotonic clock, as a device does when it boots. Scheduled calls are dropped. */
  reboot(bootId: string, seconds: number): void {
    this.bootId = bootId;
    this.#monotonicMs = 0;
    this.#appointments.clear();
    this.set(seconds);
  }

  #goOn(milliseconds: number): void {
    this.#epochMs += milliseconds;
    this.#monotonicMs += milliseconds;
  }

  #nextUntil(untilMs: number): Appointment | undefined {
    const due = [...this.#appointments].filter(({ atMs }) => atMs <= untilMs);
    return due.sort((a, b) => a.atMs - b.atMs)[0];
  }
}
