import type { Subscription } from '@tallybook/domain';

interface Appointment {
  readonly atMs: number;
  /** `undefined` after it was cancelled. */
  work: (() => void) | undefined;
}

/**
 * The time of a simulated world. Only scheduled appointments happen. An appointment, and all that follows from it
 * without waiting, is over before the next one begins. So the same appointments always end in the same world.
 */
export class Scheduler {
  /** By their times. Appointments at the same time happen in the order in which they were made. */
  readonly #appointments: Appointment[] = [];
  #nowMs = 0;
  /** How many appointments have happened. */
  happened = 0;

  /** Milliseconds since the world began. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** Does work after a delay, unless the subscription ends earlier. */
  after(delayMs: number, work: () => void): Subscription {
    const atMs = this.#nowMs + Math.max(0, delayMs);
    const appointment: Appointment = { atMs, work };
    // Most are soon, so the search begins with the next one.
    const later = this.#appointments.findIndex((other) => other.atMs > atMs);
    this.#appointments.splice(later === -1 ? this.#appointments.length : later, 0, appointment);
    return { unsubscribe: () => void (appointment.work = undefined) };
  }

  /** Runs all appointments up to a moment. */
  async runUntil(endMs: number): Promise<void> {
    await settle();
    for (;;) {
      const [next] = this.#appointments;
      if (next === undefined || next.atMs > endMs) break;
      this.#appointments.shift();
      if (next.work === undefined) continue;
      this.#nowMs = next.atMs;
      this.happened++;
      next.work();
      await settle();
    }
    this.#nowMs = endMs;
  }
}

/** Resolves when all pending promise callbacks have run: Node runs them before this one. No simulated time passes. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
