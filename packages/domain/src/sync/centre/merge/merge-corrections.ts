import type { Correction } from '../../../values/record/correction.js';
import { isSameCorrection, type NewCorrection } from '../../../record/values/correction.js';
import type { Day } from '../../../values/day.js';
import { isOfOneItem, type Merging, type Of } from './merging.js';

interface MadeCorrection {
  readonly item: Of<'correction'>;
  readonly correction: NewCorrection;
}

/** Takes over corrections that are unknown here. With `needsApproval`, they become pending. */
export async function mergeCorrections(items: readonly Of<'correction'>[], merging: Merging): Promise<void> {
  const { parts, terms, refusals } = merging;
  const found: MadeCorrection[] = [];
  const lists = new Map<Day, Promise<readonly Correction[]>>();
  // Each day is read once, however many of its corrections come.
  const listOf = (day: Day): Promise<readonly Correction[]> => {
    const list = lists.get(day) ?? parts.corrections.list(day, day);
    lists.set(day, list);
    return list;
  };
  for (const item of items) {
    const { correction, cursor } = item;
    const { day } = correction;
    if (!refusals.isKept({ day, cursor }) || refusals.isErased(item, correction)) continue;
    const listed = await refusals.unlessDamaged(item, () => listOf(day));
    const known = listed?.find((each) => isSameCorrection(each, correction));
    // The day is damaged; or the correction is known, and is decided here.
    if (listed === undefined || known !== undefined) continue;
    const isForApproval = parts.needsApproval === true;
    found.push({ item, correction: isForApproval ? undecided(correction) : correction });
  }
  // Checked in the same turn as the write: an erasure that begins later finds the corrections in the store.
  const made = found.filter(({ item, correction }) => !refusals.isErased(item, correction));
  if (made.length === 0) return;
  // The new ones are noted even if a later one cannot be written.
  const added: Correction[] = [];
  try {
    await correctInto(added, made, merging);
  } finally {
    await terms.notes.note({ corrections: added });
  }
}

async function correctInto(
  added: Correction[],
  made: readonly MadeCorrection[],
  { parts: { corrections }, refusals }: Merging,
): Promise<void> {
  try {
    added.push(...(await corrections.correct(made.map(({ correction }) => correction))));
    return;
  } catch (error) {
    if (!isOfOneItem(error)) throw error;
  }
  // The store writes all or none. So write them one by one, to find the one that cannot be written.
  for (const { item, correction } of made) {
    if (refusals.isErased(item, correction)) continue;
    const one = await refusals.unlessDamaged(item, () => corrections.correct([correction]));
    added.push(...(one ?? []));
  }
}

function undecided({ action, day, id, at, reason, author, madeAt }: NewCorrection): NewCorrection {
  return { action, day, id, at, reason, author, madeAt, state: 'pending' };
}
