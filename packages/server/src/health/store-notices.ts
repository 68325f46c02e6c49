import { isPermanentFailure, type TallybookError } from '@tallybook/domain';
import type { Finding } from '@tallybook/domain/record';
import type { StoreNotice } from '../config/stores.js';
import { lostCommitsWords, unguardedWords, unknownEndWords, unsafeWords } from '../log/store-log.js';

/** Remembers the state of a store by its notices. */
export class StoreNotices {
  #unwritable: TallybookError | undefined;
  #damage: string | undefined;
  #unsafe: readonly string[] = [];
  #isEndUnknown = false;
  #hasLost = false;
  #unguarded: string | undefined;

  take(notice: StoreNotice): void {
    if (notice.kind === 'unwritable') this.#unwritable = notice.error;
    else if (notice.kind === 'writable') this.#unwritable = undefined;
    else if (notice.kind === 'damaged') this.#damage = notice.error.message;
    else if (notice.kind === 'repaired') this.#damage = undefined;
    else if (notice.kind === 'lost-commits') this.#hasLost = true;
    else if (notice.kind === 'unknown-end') this.#isEndUnknown = true;
    else if (notice.kind === 'unguarded') this.#unguarded = notice.file;
    else if (notice.kind === 'unsafe') this.#unsafe = notice.settings;
  }

  finding(): Finding {
    if (this.#unwritable !== undefined) {
      const isFull = !isPermanentFailure(this.#unwritable);
      return {
        status: 'fail',
        detail: isFull ? 'the disk is full; free some space' : this.#unwritable.message,
      };
    }
    if (this.#hasLost)
      return { status: 'warn', detail: `${lostCommitsWords}; after a restart this is not said again` };
    if (this.#unsafe.length > 0) return { status: 'warn', detail: unsafeWords(this.#unsafe) };
    if (this.#damage !== undefined) {
      return { status: 'warn', detail: `${this.#damage}; see "repair a damaged store" in the documentation` };
    }
    if (this.#isEndUnknown)
      return { status: 'warn', detail: `${unknownEndWords}; after a restart this is not said again` };
    if (this.#unguarded !== undefined) return { status: 'warn', detail: unguardedWords(this.#unguarded) };
    return { status: 'ok' };
  }
}
