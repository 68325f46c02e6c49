import type { ServerResponse } from 'node:http';
import type { Revision } from '@tallybook/domain';
import { isGone } from './send-pieces.js';

/** A read for which several requests wait. It is given up when all of them are gone. */
export class SharedRead<T> {
  /** Revision of the data; `undefined` until reading has begun. */
  revision: Revision | undefined;
  readonly #outcome: Promise<T>;
  #waiting = 0;
  #hasBegun = false;
  #isGivenUp = false;

  /**
   * @param inTurn Begins the work when it is its turn.
   * @param read Must look at {@link isGivenUp} now and then.
   */
  constructor(inTurn: (work: () => Promise<T>) => Promise<T>, read: () => Promise<T>) {
    const work = (): Promise<T> => {
      this.#hasBegun = true;
      return read();
    };
    // Begins after the constructor, so that the first request waits already.
    this.#outcome = Promise.resolve().then(() => inTurn(work));
    // The waiting requests get the error.
    this.#outcome.catch(() => undefined);
  }

  /** Whether nobody waits any more, so that nobody may wait for it again. */
  get isGivenUp(): boolean {
    return this.#isGivenUp;
  }

  /** Resolves early: with `gone` when the client is gone, with `late` when reading has not begun after so many milliseconds. */
  async wait(response: ServerResponse, waitMs: number): Promise<T | 'gone' | 'late'> {
    const { req: request } = response;
    this.#waiting++;
    let leave = (): void => undefined;
    let timer: NodeJS.Timeout | undefined;
    const stopped = new Promise<'gone' | 'late'>((resolve) => {
      leave = () => resolve('gone');
      timer = setTimeout(() => this.#hasBegun || resolve('late'), waitMs);
    });
    request.once('close', leave);
    try {
      return await (isGone(response) ? 'gone' : Promise.race([this.#outcome, stopped]));
    } finally {
      request.off('close', leave);
      clearTimeout(timer);
      this.#isGivenUp = --this.#waiting === 0;
    }
  }
}
