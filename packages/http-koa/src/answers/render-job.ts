import type { EventEmitter } from 'node:events';
import type { Revision } from '@tallybook/domain';

/** Work that several wait for, and that nobody needs when all of them are gone. */
export class RenderJob<Outcome> {
  /** Of what is read, once that has begun. */
  revision: Revision | undefined;
  readonly outcome: Promise<Outcome>;
  #waiting = 0;
  #isGivenUp = false;

  /** @param work Begins at once; looks at {@link giveUp} now and then. */
  constructor(work: (job: RenderJob<Outcome>) => Promise<Outcome>) {
    // Not before the constructor is done, and those who wait have said so.
    this.outcome = Promise.resolve().then(() => work(this));
    // Those who wait are told.
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
