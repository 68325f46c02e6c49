import { ManagedResource } from '@tallybook/domain';
import { toOpenError, toReadError } from './level-errors.js';
import { openLevel, reopenLevel, type RawLevel } from './open-level.js';
import { Revisions } from './revisions.js';
import { claimDirectory, releaseDirectory } from './store-directory.js';

/**
 * The LevelDB of a directory, and another one after a write has failed.
 *
 * LevelDB goes on acknowledging writes after one has failed, on a full disk for example, and may lose them at the
 * next start. So whoever sees a write fail calls {@link distrust}; then the next use closes the LevelDB and opens
 * it again, as often as it takes.
 */
export class LevelHandle extends ManagedResource {
  /** Renewed with every opening, and when a write has failed, because it may be there all the same. */
  readonly revisions: Revisions = new Revisions();
  readonly #path: string;
  #directory = '';
  #level: RawLevel | undefined;
  #distrusted: RawLevel | undefined;
  #reopening: Promise<void> | undefined;

  constructor(path: string) {
    super();
    this.#path = path;
  }

  /**
   * Reads, with every failure as `STORE_READ_FAILED` or `STORE_CORRUPT`.
   *
   * @param work Makes one call to LevelDB, at once: closing waits for calls that have begun, and refuses others.
   */
  read<T>(work: (level: RawLevel) => Promise<T>): Promise<T> {
    return this.run(async () => {
      try {
        while (this.#level === undefined) await this.#reopen();
        return await work(this.#level);
      } catch (error) {
        throw toReadError(error);
      }
    });
  }

  /** The LevelDB to write to. It stays open until {@link distrust} is called. */
  async writable(): Promise<RawLevel> {
    while (this.#level === undefined) await this.#reopen();
    return this.#level;
  }

  /** Says that a write has failed. */
  distrust(): void {
    this.#distrusted = this.#level;
    this.#level = undefined;
    this.revisions.renew();
  }

  protected override async onOpen(): Promise<void> {
    try {
      this.#directory = await claimDirectory(this.#path);
    } catch (error) {
      throw toOpenError(this.#path, error);
    }
    try {
      this.#level = await openLevel(this.#directory);
    } catch (error) {
      releaseDirectory(this.#directory);
      throw toOpenError(this.#path, error);
    }
    this.revisions.renew();
  }

  protected override async onClose(): Promise<void> {
    await this.#distrusted?.close();
    await this.#level?.close();
    this.#distrusted = undefined;
    this.#level = undefined;
    releaseDirectory(this.#directory);
  }

  #reopen(): Promise<void> {
    this.#reopening ??= this.#replace().finally(() => (this.#reopening = undefined));
    return this.#reopening;
  }

  async #replace(): Promise<void> {
    await this.#distrusted?.close();
    this.#distrusted = undefined;
    this.#level = await reopenLevel(this.#directory);
  }
}
