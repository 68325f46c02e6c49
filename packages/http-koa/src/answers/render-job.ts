import type { EventEmitter } from 'node:events';
import type { Revision } from '@tallybook/domain';

/** Work for which several clients wait. It is given up when all of them are gone. */
export class RenderJob<Outcome> {
  /** Revision of the data; `undefined` until reading has begun. */
  revision: Revision | undefined;
  readonly outcome: Promise<Outcome>;
  #waiting = 0;
  #isGivenUp = false;

  /** @param work Begins in the next microtask. It must call {@link giveUp} now and then. */
  constructor(work: (job: RenderJob<Outcome>) => Promise<Outcome>) {
    // Begins after the constructor, so that the first client waits already.
    this.outcome = Promise.resolve().then(() => work(this));
    // The waiting clients get the error.
    this.outcome.catch(() => undefined);
  }

  /** Whether the work was given up, so that nobody can wait for it. */
  get isGivenUp(): boolean {
    return this.#isGivenUp;
  }

  /** Gives the work up if nobody waits. Returns whether it was given up. */
  giveUp(): boolean {
    this.#isGivenUp ||= this.#waiting === 0;
    return this.#isGivenUp;
  }

  /**
   * Waits for the outcome, or until the client is gone.
   *
   * @param client Emits `close` when it no longer needs the outcome.
   * @param take Takes the outcome at once, while all waiting clients still hold it.
   */
  wait<Taken>(client: EventEmitter, take: (outcome: Outcome) => Taken): Promise<Taken | 'gone'> {
    this.#waiting++;
    return new Promise((resolve) => {
      let isWaiting = true;
      const leave = (settle: () => void): void => {
        if (!isWaiting) return;
        isWaiting = false;
        client.off('close', onClose);
        settle();
        this.#waiting--;
      };
      const onClose = (): void => leave(() => resolve('gone'));
      client.once('close', onClose);
      this.outcome.then(
        (outcome) => leave(() => resolve(take(outcome))),
        () => leave(() => resolve(this.outcome as Promise<never>)),
      );
    });
  }
}
