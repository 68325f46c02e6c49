import { isPermanentFailure } from '@tallybook/domain';
import { warning, type Finding } from '@tallybook/domain/record';
import type { StoreNotice } from '../config/stores.js';
import { lostCommitsWords, unguardedWords, unknownEndWords, unsafeWords } from '../log/store-log.js';

type Kind = StoreNotice['kind'];
type NoticeOf<K extends Kind> = Extract<StoreNotice, { readonly kind: K }>;

/** What a notice ends. */
const ENDS: Readonly<Partial<Record<Kind, Kind>>> = { writable: 'unwritable', repaired: 'damaged' };
const ONCE = 'after a restart this is not said again';

/** Remembers the state of a store by its notices. */
export class StoreNotices {
  /** The latest notice of each kind. */
  readonly #latest = new Map<Kind, StoreNotice>();

  take(notice: StoreNotice): void {
    this.#latest.set(notice.kind, notice);
    const ended = ENDS[notice.kind];
    if (ended !== undefined) this.#latest.delete(ended);
  }

  finding(): Finding {
    const unwritable = this.#find('unwritable')?.error;
    if (unwritable !== undefined) {
      const isFull = !isPermanentFailure(unwritable);
      return { status: 'fail', detail: isFull ? 'the disk is full; free some space' : unwritable.message };
    }
    const unsafe = this.#find('unsafe')?.settings ?? [];
    const damage = this.#find('damaged')?.error.message;
    const unguarded = this.#find('unguarded')?.file;
    const detail =
      (this.#find('lost-commits') && `${lostCommitsWords}; ${ONCE}`) ??
      (unsafe.length > 0 ? unsafeWords(unsafe) : undefined) ??
      (damage && `${damage}; see "repair a damaged store" in the documentation`) ??
      (this.#find('unknown-end') && `${unknownEndWords}; ${ONCE}`) ??
      (unguarded && unguardedWords(unguarded));
    return warning(detail);
  }

  #find<K extends Kind>(kind: K): NoticeOf<K> | undefined {
    return this.#latest.get(kind) as NoticeOf<K> | undefined;
  }
}
