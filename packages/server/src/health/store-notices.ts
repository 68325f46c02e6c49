import type { Finding } from '@tallybook/domain';
import type { StoreNotice } from '@tallybook/store-level';

/** Remembers what a store said of its state. */
export class StoreNotices {
  #isFull = false;
  #damage: string | undefined;

  take(notice: StoreNotice): void {
    if (notice.kind === 'unwritable') this.#isFull = true;
    else if (notice.kind === 'writable') this.#isFull = false;
    else if (notice.kind === 'damaged') this.#damage = notice.error.message;
    else if (notice.kind === 'repaired') this.#damage = undefined;
  }

  finding(): Finding {
    if (this.#isFull) return { status: 'fail', detail: 'the disk is full; free some space' };
    if (this.#damage === undefined) return { status: 'ok' };
    return { status: 'warn', detail: `${this.#damage}; see "repair a damaged store" in the documentation` };
  }
}
