import type { Subscriber } from './subscriber.js';

/** Milliseconds for a subscriber to read what waits for it at the end. */
const DRAIN_MS = 2_000;

/** What is sent at the end of this turn of the event loop. */
interface Unsent {
  readonly events: Buffer;
  /** Whether these are events of changes, which subscribers that catch up read in the journal. */
  readonly areChanges: boolean;
}

/**
 * The subscribers of a feed. What is sent to them in one turn of the event loop is written in one piece.
 *
 * Nobody waits for a subscriber: it is cut off if too much waits for it.
 */
export class Audience {
  readonly #maxBufferedBytes: number;
  readonly #subscribers = new Set<Subscriber>();
  #unsent: Unsent[] = [];

  constructor(maxBufferedBytes: number) {
    this.#maxBufferedBytes = maxBufferedBytes;
  }

  get size(): number {
    return this.#subscribers.size;
  }

  has(subscriber: Subscriber): boolean {
    return this.#subscribers.has(subscriber);
  }

  /** What was sent before is not for this one. */
  add(subscriber: Subscriber): void {
    this.flush();
    this.#subscribers.add(subscriber);
  }

  /** Says whether it was there. */
  remove(subscriber: Subscriber): boolean {
    return this.#subscribers.delete(subscriber);
  }

  /** From now on it is sent changes, too. */
  makeCurrent(subscriber: Subscriber): void {
    // What was sent before is not for this one.
    this.flush();
    subscriber.isCurrent = true;
  }

  /** @param areChanges Then it is for those who are current. */
  send(events: Buffer, areChanges = false): void {
    if (this.#unsent.length === 0) process.nextTick(() => this.flush());
    this.#unsent.push({ events, areChanges });
  }

  /** Writes what was sent. */
  flush(): void {
    if (this.#unsent.length === 0) return;
    const unsent = this.#unsent;
    this.#unsent = [];
    const all = joined(unsent);
    let live: Buffer | undefined;
    for (const subscriber of this.#subscribers) {
      const events = subscriber.isCurrent
        ? all
        : (live ??= joined(unsent.filter(({ areChanges }) => !areChanges)));
      if (events.length > 0) this.#write(subscriber, events);
    }
  }

  /** Resolves when all subscribers have read everything. Those that have not within a while are cut off. */
  endAll(): Promise<void> {
    const ending = new Set(this.#subscribers);
    this.#subscribers.clear();
    return new Promise((resolve) => {
      const deadline = setTimeout(() => {
        for (const { response } of ending) response.destroy();
        resolve();
      }, DRAIN_MS);
      const stopWaiting = (): void => {
        if (ending.size > 0) return;
        clearTimeout(deadline);
        resolve();
      };
      for (const subscriber of ending) {
        subscriber.response.req.once('close', () => {
          ending.delete(subscriber);
          stopWaiting();
        });
        subscriber.response.end();
      }
      stopWaiting();
    });
  }

  #write(subscriber: Subscriber, events: Buffer): void {
    subscriber.write(events);
    if (subscriber.waiting <= this.#maxBufferedBytes) return;
    this.#subscribers.delete(subscriber);
    subscriber.response.destroy();
  }
}

function joined(unsent: readonly Unsent[]): Buffer {
  return Buffer.concat(unsent.map(({ events }) => events));
}
