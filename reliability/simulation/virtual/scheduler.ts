import type { Subscription } from '@tallybook/domain';

interface Appointment {
  readonly atMs: number;
  /** Appointments at the same time happen in the order in which they were made. */
  readonly order: number;
  /** `undefined` after it was cancelled. */
  work: (() => void) | undefined;
}

/**
 * The time of a simulated world. Only scheduled appointments happen. An appointment, and all that follows from it
 * without waiting, is over before the next one begins. So the same appointments always end in the same world.
 */
export class Scheduler {
  readonly #heap: Appointment[] = [];
  #nowMs = 0;
  #order = 0;
  /** How many appointments have happened. */
  happened = 0;

  /** Milliseconds since the world began. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** Does work after a delay, unless the subscription ends earlier. */
  after(delayMs: number, work: () => void): Subscription {
    const atMs = this.#nowMs + Math.max(0, delayMs);
    const appointment: Appointment = { atMs, order: this.#order++, work };
    this.#push(appointment);
    return { unsubscribe: () => void (appointment.work = undefined) };
  }

  /** Resolves after a delay. */
  sleep(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.after(delayMs, resolve));
  }

  /** Runs all appointments up to a moment. */
  async runUntil(endMs: number): Promise<void> {
    await settle();
    for (let next = this.#heap[0]; next !== undefined && next.atMs <= endMs; next = this.#heap[0]) {
      this.#pop();
      if (next.work === undefined) continue;
      this.#nowMs = next.atMs;
      this.happened++;
      next.work();
      await settle();
    }
    this.#nowMs = endMs;
  }

  #push(appointment: Appointment): void {
    const heap = this.#heap;
    let index = heap.length;
    heap.push(appointment);
    while (index > 0) {
      const above = (index - 1) >> 1;
      const other = heap[above];
      if (other === undefined || isBefore(other, appointment)) break;
      heap[index] = other;
      index = above;
    }
    heap[index] = appointment;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let index = 0;
    for (;;) {
      let below = 2 * index + 1;
      let other = heap[below];
      const right = heap[below + 1];
      if (other !== undefined && right !== undefined && isBefore(right, other)) {
        below++;
        other = right;
      }
      if (other === undefined || isBefore(last, other)) break;
      heap[index] = other;
      index = below;
    }
    heap[index] = last;
  }
}

function isBefore(one: Appointment, other: Appointment): boolean {
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);
}

/** Resolves when all pending promise callbacks have run: Node runs them before this one. No simulated time passes. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
