import { DATE_MAX, toTimestamp, type TallyId, type Timestamp } from '@tallybook/domain';
import { givenAt } from '@tallybook/domain/record';
import { decodeChange } from './change-codec.js';
import { decodeEntry, decodeProvisional } from './codec.js';
import {
  CARRIED,
  CORRECTION,
  ENTRY,
  idOfEntryKey,
  idOfMomentKey,
  idOfNameKey,
  idOfStampKey,
  isChangeKey,
  isStampKey,
  MOMENT,
  NAME,
  PERSON,
  PROVISIONAL,
  SCAN,
  scanOfKey,
  sequenceOfKey,
  TIMELINE,
} from './keys.js';
import { decodeCorrection, correctionOfKey } from './correction-rows.js';
import { carriedRows, lastResortOf, personRows, timelineRows } from './people-rows.js';

/** The tag that a row is about, and the time. A person is known by their tag of last resort, under which they are erased. */
export interface TagOfRow {
  readonly id: TallyId;
  /** The latest moment in the row; `undefined` if it has none. */
  readonly at: Timestamp | undefined;
}

const UP_TO_NOW = toTimestamp(DATE_MAX);

/** The other kinds of rows about a tag. Kinds that are not listed stay when a person is erased. */
const kinds: ReadonlyMap<number, (key: Buffer, value: Buffer) => TagOfRow> = new Map([
  [NAME, (key): TagOfRow => ({ id: idOfNameKey(key), at: undefined })],
  [
    ENTRY,
    (key, value): TagOfRow => {
      const id = idOfEntryKey(key);
      return { id, at: orUndefined(() => decodeEntry(id, value).entry.last) };
    },
  ],
  [SCAN, (key): TagOfRow => scanOfKey(key)],
  [
    PROVISIONAL,
    (key, value): TagOfRow => {
      const { id, filing } = decodeProvisional(sequenceOfKey(key), value);
      return { id, at: filing?.at };
    },
  ],
  [
    CORRECTION,
    (key, value): TagOfRow => {
      const { id, at } = decodeCorrection(correctionOfKey(key), value);
      return { id, at };
    },
  ],
  [MOMENT, (key): TagOfRow => ({ id: idOfMomentKey(key), at: undefined })],
  // A timeline has other holders than an erased one, up to now.
  [TIMELINE, (key): TagOfRow => ({ id: timelineRows.idOf(key), at: UP_TO_NOW })],
  [PERSON, (key): TagOfRow => ({ id: lastResortOf(personRows.idOf(key)), at: undefined })],
]);

/**
 * The tag that a row is about; `undefined` if there is none, or the row cannot be decoded.
 *
 * @param value The value without its seal. It is empty for a deleted row: then only the key counts.
 */
export function tagOfRow(key: Buffer, value: Buffer): TagOfRow | undefined {
  if (isChangeKey(key)) return orUndefined(() => tagOfChange(value));
  if (isStampKey(key)) return orUndefined(() => ({ id: idOfStampKey(key), at: undefined }));
  return orUndefined(() => kinds.get(key[0] ?? -1)?.(key, value));
}

/** All tags that a row is about. Only a carried row may have several. */
export function tagsOfRow(key: Buffer, value: Buffer): readonly TagOfRow[] {
  if (key[0] !== CARRIED) {
    const tag = tagOfRow(key, value);
    return tag === undefined ? [] : [tag];
  }
  const row = orUndefined(() => carriedRows.decode(key, value));
  if (row === undefined) return [];
  return [
    ...row.persons.map((person) => ({ id: lastResortOf(person), at: undefined })),
    ...row.tags.map((id) => ({ id, at: givenAt(row.stamp) })),
  ];
}

function tagOfChange(value: Buffer): TagOfRow | undefined {
  const { change, writtenAt } = decodeChange(value);
  if (change.kind === 'person') return { id: lastResortOf(change.person), at: writtenAt as Timestamp };
  if (!('id' in change)) return undefined;
  // Without a time: the correction may have been made after its scan was erased elsewhere.
  if (change.kind === 'correction') return { id: change.id, at: undefined };
  return { id: change.id, at: change.kind === 'scan' ? change.at : (writtenAt as Timestamp) };
}

function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
