import {
  afterErasure,
  givenAt,
  TallybookError,
  type Correction,
  type Entry,
  type NewCorrection,
  type StampedName,
  type TallyId,
  type Timestamp,
} from '@tallybook/domain';
import {
  MemoryCorrectionStore,
  MemoryStampedNames,
  type MemoryJournal,
  type MemoryMappingStore,
} from '@tallybook/store-memory';
import type { Storage } from './storage.js';

/**
 * Up to when a tag is erased in a record that several servers share, at the moment of a write: another one may have erased it
 * since this one asked. A database looks in the transaction that writes. Where one program has its record for itself, nobody
 * looks again.
 */
export type LateErasures = (id: TallyId) => Timestamp | undefined;

/** What is left of entries when somebody was erased meanwhile. */
export function entriesAfter(entries: readonly Entry[], late: LateErasures): readonly Entry[] {
  return entries.flatMap((entry) => afterErasure(entry, late(entry.id)) ?? []);
}

/** Leaves out names from before an erasure. */
export class LateStampedNames extends MemoryStampedNames {
  readonly #late: LateErasures;

  constructor(mapping: MemoryMappingStore, late: LateErasures) {
    super(mapping);
    this.#late = late;
  }

  override merge(names: readonly StampedName[]): Promise<readonly StampedName[]> {
    return super.merge(
      names.filter(({ id, stamp }) => {
        const until = this.#late(id);
        return until === undefined || (givenAt(stamp) ?? -1) > until;
      }),
    );
  }
}

/** Refuses corrections of scans from before an erasure. */
export class LateCorrectionStore extends MemoryCorrectionStore {
  readonly #late: LateErasures;

  constructor(kept: Storage['corrections'], journal: MemoryJournal, late: LateErasures) {
    super(kept, journal);
    this.#late = late;
  }

  override correct(corrections: readonly NewCorrection[]): Promise<readonly Correction[]> {
    const erased = corrections.find(({ id, at }) => at <= (this.#late(id) ?? -1));
    if (erased === undefined) return super.correct(corrections);
    return Promise.reject(
      new TallybookError('INVALID_CORRECTION', `the person of tag ${erased.id} was erased`),
    );
  }
}
