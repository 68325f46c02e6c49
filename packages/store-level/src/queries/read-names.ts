import type { Association, Mapping, TallyId } from '@tallybook/domain';
import type { RawLevel } from '../level/raw-level.js';
import { decodeName, decodeRow } from '../rows/codec.js';
import { idOfNameKey, nameKey, nameRange } from '../rows/keys.js';
import type { PeopleRowKind } from '../rows/people-rows.js';
import { unseal } from '../rows/seal.js';
import { decodeInTurns } from './decode-in-turns.js';

/** The rows of names, ascending by id. */
export const nameRows: Pick<PeopleRowKind<TallyId, Association>, 'range' | 'keyOf' | 'decode'> = {
  range: nameRange,
  keyOf: nameKey,
  decode: (key, value) => [idOfNameKey(key), decodeName(value)],
};

/** All names. */
export async function readNames(level: RawLevel): Promise<Mapping> {
  const rows = await level.iterator(nameRange).all();
  const names = await decodeInTurns(rows, ([key, sealed]) =>
    decodeRow(key, () => nameRows.decode(key, unseal(key, sealed))),
  );
  // The keys have the order of the ids.
  return new Map(names);
}
