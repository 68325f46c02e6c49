import { ManagedResource } from '@tallybook/domain';
import { toOpenError, toReadError } from './level-errors.js';
import { openLevel, reopenLevel, type RawLevel } from './open-level.js';
import { Revisions } from './revisions.js';
import { claimDirectory, releaseDirectory, requireSpace } from './store-directory.js';

/**
 * The LevelDB of a directory, and another one after a write has failed.
 *
 * LevelDB goes on acknowledging writes after one has failed, on a full disk for example, and may lose them at the
 * next start. So whoever sees a write fail calls {@link distrust}; then the next write has the LevelDB closed and
 * opened again, as often as it takes. Reads go on with the old one until the disk takes writes again, because a
 * LevelDB cannot be opened on a full disk.
 */
export class LevelHandle extends ManagedResource {
  /** Renewed with every opening, and when a write has failed, because it may be there all the same. */
  readonly revisions: Revisions = new Revisions();
  readonly #path: string;
  #directory = '';
  #level: RawLevel | undefined;
  #isDistrusted = false;
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
    while (this.#level === undefined || this.#isDistrusted) await this.#reopen();
    return this.#level;
  }

  /** Says that a write has failed. */
  distrust(): void {
    this.#isDistrusted = true;
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
    this.#isDistrusted = false;
    this.revisions.renew();
  }

  protected override async onClose(): Promise<void> {
    await this.#level?.close();
    this.#level = undefined;
    releaseDirectory(this.#directory);
  }

  #reopen(): Promise<void> {
    this.#reopening ??= this.#replace().finally(() => (this.#reopening = undefined));
    return this.#reopening;
  }

  async #replace(): Promise<void> {
    const distrusted = this.#level;
    if (distrusted !== undefined) {
      await requireSpace(this.#directory);
      this.#level = undefined;
      await distrusted.close();
    }
    this.#level = await reopenLevel(this.#directory);
    this.#isDistrusted = false;
    this.revisions.renew();
  }
}
