export interface Subscription {
  unsubscribe(): void;
}

/**
 * The smallest stream to subscribe to. An RxJS `Observable` is one, and so is an {@link Emitter}.
 *
 * A stream of this kind never ends and never fails: faults are values of another stream.
 */
export interface Subscribable<T> {
  subscribe(next: (value: T) => void): Subscription;
}

/**
 * Hands each value to all its subscribers, at once and in the order of subscription.
 *
 * A subscriber that throws has a bug: the others still get the value, and the error becomes an unhandled rejection.
 */
export class Emitter<T> implements Subscribable<T> {
  readonly #subscribers = new Set<(value: T) => void>();

  subscribe(next: (value: T) => void): Subscription {
    // A function of its own for each subscription, so that subscribing one twice gives two subscriptions.
    const subscriber = (value: T): void => {
      next(value);
    };
    this.#subscribers.add(subscriber);
    return { unsubscribe: () => void this.#subscribers.delete(subscriber) };
  }

  emit(value: T): void {
    // A copy: a subscriber that subscribes meanwhile gets the next value first.
    for (const subscriber of [...this.#subscribers]) {
      if (this.#subscribers.has(subscriber)) void deliver(subscriber, value);
    }
  }
}

/** Runs at once. It is async so that a thrown error becomes a rejection. */
async function deliver<T>(subscriber: (value: T) => void, value: T): Promise<void> {
  subscriber(value);
}
