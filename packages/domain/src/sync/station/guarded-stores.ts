import { TallybookError } from '../../errors.js';
import type { Gate } from '../../record/gate.js';
import type { CorrectionStore } from '../../record/ports/correction-store.js';
import type { Refusals } from '../../ports/record/refusals.js';
import type { MappingStore } from '../../ports/names/mapping-store.js';
import { requireNotErased } from '../../record/values/correction.js';
import { withMembers } from '../../with-members.js';

/**
 * The names at a station, for all users except its {@link StationSync}. Writes wait while changes of the centre are
 * applied.
 *
 * @param erasures Says which names are no longer restored: the centre may erase a person while an import waits.
 */
export function guardMapping(store: MappingStore, edits: Gate, erasures?: Refusals): MappingStore {
  return withMembers(store, {
    put: (...association) => edits.run(() => store.put(...association)),
    remove: (id) => edits.run(() => store.remove(id)),
    change: (changes) => edits.run(() => store.change(changes)),
    restore: (id, name, knownAt) =>
      edits.run(async () =>
        erasures?.isRefused(id, knownAt) === true ? 'erased' : store.restore(id, name, knownAt),
      ),
  });
}

/**
 * The corrections at a station, for all users except its {@link StationSync}. Only the centre decides them, because decisions of
 * two places could conflict. A day is removed with its corrections, also when the centre removes it: that does not wait, and is not
 * sent.
 *
 * @param erasures Says which scans are no longer corrected: the centre may erase a person while a correction waits. Then it
 * rejects with `INVALID_CORRECTION`.
 */
export function guardCorrections(store: CorrectionStore, edits: Gate, erasures?: Refusals): CorrectionStore {
  return withMembers(store, {
    correct: (corrections) =>
      edits.run(async () => {
        for (const each of corrections) requireNotErased(each, erasures);
        return store.correct(corrections);
      }),
    decide: () =>
      Promise.reject(
        new TallybookError('NOT_ALLOWED', 'corrections are decided at the centre that this device sends to'),
      ),
  });
}
