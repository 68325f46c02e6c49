import type { Timestamp } from '../../values/timestamp.js';
import { isOfErased } from '../../record/values/erasure.js';
import { givenAt, type NameStamp, type StampedName } from '../../record/values/name-stamp.js';
import type { NameItem } from '../values/sync.js';

export function toNameItem({ id, name, stamp }: StampedName): NameItem {
  return { kind: 'name', id, name: name ?? null, stamp: stamp ?? null };
}

export function toStampedName({ id, name, stamp }: NameItem): StampedName {
  return { id, name: name ?? undefined, stamp: stamp ?? undefined };
}

/**
 * Whether a name is, or may be, from before the erasure of its person.
 *
 * @param until `ErasureStore.refusedUntil`.
 */
export function isNameErased(stamp: NameStamp | null | undefined, until: Timestamp | undefined): boolean {
  return isOfErased(givenAt(stamp ?? undefined), until);
}
