import type { EventEmitter } from 'node:events';
import type { Revision } from '@tallybook/domain';

/** Work that several clients wait for, and that is not needed once all of them are gone. */
export class RenderJob<Outcome> {
  /** Revision of the data that is read, once that has begun. */
  revision: Revision | undefined;
  readonly outcome: Promise<Outcome>;
  #waiting = 0;
  #isGivenUp = false;

  /** @param work Begins at once; looks at {@link giveUp} now and then. */
  constructor(work: (job: RenderJob<Outcome>) => Promise<Outcome>) {
    // Begins after the constructor, when the first clients wait already.
    this.outcome = Promise.resolve().then(() => work(this));
    // Clients that wait get the error.
    this.outcome.catch(() => undefined);
  }

  /** Whether it is too late to wait for it. */
  get isGivenUp(): boolean {
    return this.#isGivenUp;
  }

  /** Says whether nobody waits. From then on nobody can. */
  giveUp(): boolean {
    this.#isGivenUp ||= this.#waiting === 0;
    return this.#isGivenUp;
  }

  /**
   * Waits for the outcome, or until the client is gone.
   *
   * @param client Emits `close` when it does not want the outcome any more.
   * @param take Takes the outcome at once, while all that wait for it still hold it.
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
