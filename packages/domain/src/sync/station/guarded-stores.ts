import { TallybookError } from '../../errors.js';
import type { Gate } from '../../record/gate.js';
import type { CorrectionStore } from '../../record/ports/correction-store.js';
import type { Refusals } from '../../ports/record/refusals.js';
import type {
  MappingSnapshot,
  MappingStore,
  NameChanges,
  PutOutcome,
  RestoreOutcome,
} from '../../ports/names/mapping-store.js';
import type { Revision } from '../../ports/revision.js';
import type { Correction } from '../../values/record/correction.js';
import type { NewCorrection } from '../../record/values/correction.js';
import type { Day } from '../../values/day.js';
import type { Mapping, Name } from '../../values/name.js';
import { requireNotErased } from '../../record/values/require-not-erased.js';
import type { TallyId } from '../../values/tally-id.js';
import type { Timestamp } from '../../values/timestamp.js';

/**
 * The names at a station, for all users except its {@link StationSync}. Writes wait while changes of the centre are
 * applied.
 */
export class GuardedMappingStore implements MappingStore {
  readonly #store: MappingStore;
  readonly #edits: Gate;
  readonly #erasures: Refusals | undefined;

  /** @param erasures Says which names are no longer restored: the centre may erase a person while an import waits. */
  constructor(store: MappingStore, edits: Gate, erasures?: Refusals) {
    this.#store = store;
    this.#edits = edits;
    this.#erasures = erasures;
  }

  read(): Promise<Mapping> {
    return this.#store.read();
  }

  snapshot(): Promise<MappingSnapshot> {
    return this.#store.snapshot();
  }

  get(id: TallyId): Promise<Name | undefined> {
    return this.#store.get(id);
  }

  put(id: TallyId, name: Name): Promise<PutOutcome> {
    return this.#edits.run(() => this.#store.put(id, name));
  }

  restore(id: TallyId, name: Name, knownAt: Timestamp | undefined): Promise<RestoreOutcome> {
    return this.#edits.run(async () =>
      this.#erasures?.isRefused(id, knownAt) === true ? 'erased' : this.#store.restore(id, name, knownAt),
    );
  }

  remove(id: TallyId): Promise<boolean> {
    return this.#edits.run(() => this.#store.remove(id));
  }

  change(changes: NameChanges): Promise<ReadonlyMap<TallyId, Name>> {
    return this.#edits.run(() => this.#store.change(changes));
  }

  revision(): Promise<Revision> {
    return this.#store.revision();
  }
}

/**
 * The corrections at a station, for all users except its {@link StationSync}. Only the centre decides them, because decisions of
 * two places could conflict.
 */
export class GuardedCorrectionStore implements CorrectionStore {
  readonly #store: CorrectionStore;
  readonly #edits: Gate;
  readonly #erasures: Refusals | undefined;

  /** @param erasures Says which scans are no longer corrected: the centre may erase a person while a correction waits. */
  constructor(store: CorrectionStore, edits: Gate, erasures?: Refusals) {
    this.#store = store;
    this.#edits = edits;
    this.#erasures = erasures;
  }

  /** Also rejects with `INVALID_CORRECTION` if the person of a scan was erased since. */
  correct(corrections: readonly NewCorrection[]): Promise<readonly Correction[]> {
    return this.#edits.run(async () => {
      for (const each of corrections) requireNotErased(each, this.#erasures);
      return this.#store.correct(corrections);
    });
  }

  decide(): Promise<Correction | undefined> {
    return Promise.reject(
      new TallybookError('NOT_ALLOWED', 'corrections are decided at the centre that this device sends to'),
    );
  }

  find(number: number): Promise<Correction | undefined> {
    return this.#store.find(number);
  }

  list(from: Day, to: Day): Promise<readonly Correction[]> {
    return this.#store.list(from, to);
  }

  remove(day: Day): Promise<boolean> {
    // A day is removed with its corrections, also when the centre removes it. This removal is not sent.
    return this.#store.remove(day);
  }

  dayRevision(day: Day): Promise<Revision> {
    return this.#store.dayRevision(day);
  }

  revision(): Promise<Revision> {
    return this.#store.revision();
  }
}
