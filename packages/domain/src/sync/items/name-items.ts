import type { Refusals } from '../../ports/record/refusals.js';
import { givenAt } from '../../record/values/name-stamp.js';
import { type Stamp, type StampedName } from '../../values/stamp.js';
import type { TallyId } from '../../values/tally-id.js';
import type { NameItem } from '../values/sync.js';

export function toNameItem({ id, name, stamp }: StampedName): NameItem {
  return { kind: 'name', id, name: name ?? null, stamp: stamp ?? null };
}

export function toStampedName({ id, name, stamp }: NameItem): StampedName {
  return { id, name: name ?? undefined, stamp: stamp ?? undefined };
}

/** Whether a name is, or may be, from before the erasure of its person. */
export function isNameErased(
  { id, stamp }: { readonly id: TallyId; readonly stamp: Stamp | null | undefined },
  erasures: Refusals,
): boolean {
  return erasures.isRefused(id, givenAt(stamp ?? undefined));
}
