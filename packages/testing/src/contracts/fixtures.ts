import {
  carriedKeyOf,
  parseTallyId,
  toDay,
  toTimestamp,
  type CarriedKey,
  type CarriedRow,
  type Day,
  type Group,
  type GroupId,
  type Name,
  type PeopleRows,
  type Person,
  type PersonId,
  type StampedName,
  type TallyId,
  type Timeline,
  type Timestamp,
} from '@tallybook/domain';

/* What the cases of several contracts write. */

export const ada: TallyId = parseTallyId('04A2B3C4D5');
export const bob: TallyId = parseTallyId('0006547886');
export const cyd: TallyId = parseTallyId('010203');
export const lovelace: Name = { first: 'Ada', last: 'Lovelace' };
export const babbage: Name = { first: 'Charles', last: 'Babbage' };
/** Texts that a store may change by mistake. */
export const oddTexts: readonly string[] = [
  ...['zoë', 'эйнштейн', '山田', '👩‍👩‍👧‍👦', 'e\u0301', '\uFEFFmark', ' a ', '"\\\n\t%_\''],
];
/** Names that a store may confuse by mistake. */
export const oddNames: readonly string[] = [
  ...['a', 'A', 'aa', 'ä', '山', '👩‍👩', ' a', '"\\\n', '__proto__', 'x'.repeat(64)],
];
export const day: Day = toDay(20_411);
export const nextDay: Day = toDay(20_412);
export const at = (seconds: number): Timestamp => toTimestamp(1_763_500_000 + seconds);

/** Rows to write: by their keys; `[key, undefined]` removes one. */
export interface Written {
  readonly persons?: readonly (Person | readonly [PersonId, undefined])[];
  readonly timelines?: readonly (Timeline | readonly [TallyId, undefined])[];
  readonly groups?: readonly (Group | readonly [GroupId, undefined])[];
  readonly carried?: readonly (CarriedRow | readonly [CarriedKey, undefined])[];
  readonly names?: readonly (StampedName | readonly [TallyId, undefined])[];
}

export function rows({
  persons = [],
  timelines = [],
  groups = [],
  carried = [],
  names = [],
}: Written): PeopleRows {
  return {
    persons: new Map(persons.map((row) => ('id' in row ? [row.id, row] : row))),
    timelines: new Map(timelines.map((row) => ('tag' in row ? [row.tag, row] : row))),
    groups: new Map(groups.map((row) => ('id' in row ? [row.id, row] : row))),
    carried: new Map(carried.map((row) => ('id' in row ? [carriedKeyOf(row), row] : row))),
    names: new Map(names.map((row) => ('id' in row ? [row.id, row] : row))),
  };
}
