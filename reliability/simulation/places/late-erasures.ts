import { TallybookError, type DetailedEntry, type TallyId, type Timestamp } from '@tallybook/domain';
import { afterErasure, givenAt, type Correction, type NewCorrection } from '@tallybook/domain/record';
import { type StampedName } from '@tallybook/domain';
import {
  MemoryCorrectionStore,
  MemoryStampedNames,
  type MemoryJournal,
  type MemoryMappingStore,
} from '@tallybook/store-memory';
import type { Storage } from './storage.js';

/**
 * Whether data of a tag is refused at the moment of a write, in a record that several servers share. Another server
 * may have erased the tag after this one checked, so a database checks again in the transaction of the write. A
 * record of only one program needs no second check.
 */
export type LateErasures = (id: TallyId, at: Timestamp | undefined) => boolean;

/** The remaining entries, if a person was erased meanwhile. */
export function entriesAfter(
  entries: readonly DetailedEntry[],
  late: LateErasures,
): readonly DetailedEntry[] {
  return entries.flatMap((entry) => afterErasure(entry, (at) => late(entry.id, at)) ?? []);
}

/** Leaves out names from before an erasure. */
export class LateStampedNames extends MemoryStampedNames {
  readonly #late: LateErasures;

  constructor(mapping: MemoryMappingStore, late: LateErasures) {
    super(mapping);
    this.#late = late;
  }

  override merge(names: readonly StampedName[]): Promise<readonly StampedName[]> {
    return super.merge(names.filter(({ id, stamp }) => !this.#late(id, givenAt(stamp))));
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
    const erased = corrections.find(({ id, at }) => this.#late(id, at));
    if (erased === undefined) return super.correct(corrections);
    return Promise.reject(
      new TallybookError('INVALID_CORRECTION', `the person of tag ${erased.id} was erased`),
    );
  }
}
