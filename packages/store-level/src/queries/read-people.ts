import {
  findHolder,
  implicitPerson,
  type CarriedKey,
  type CarriedRow,
  type Group,
  type PeopleKeys,
  type PeopleRows,
  type Person,
  type PersonId,
  type TagHolder,
  type TallyId,
  type Timeline,
  toTimestamp,
  type Timestamp,
} from '@tallybook/domain';
import { getNow, type RawLevel } from '../level/raw-level.js';
import { decodeName, decodeRow } from '../rows/codec.js';
import { nameKey, type KeyRange } from '../rows/keys.js';
import {
  carriedRange,
  carriedRowKey,
  decodeCarried,
  decodeGroup,
  decodePerson,
  decodeTimeline,
  groupKey,
  groupRange,
  personKey,
  personRange,
  timelineKey,
  timelineRange,
} from '../rows/people-rows.js';
import { unseal } from '../rows/seal.js';
import type { RawSnapshot } from './read-day.js';
import { readStampedNames, type StampReading } from './read-stamped-names.js';

/** Bytes of rows after which a page ends, even if it has fewer rows than `limit`. */
const PAGE_BYTES = 65_536;

const GROUPS_OF_PAGE = 1_000;

type Decode<T> = (key: Buffer, value: Buffer) => T;

/** All these rows; a damaged stamp counts as none. */
export async function readPeopleRows(
  reading: StampReading,
  { persons = [], timelines = [], groups = [], carried = [], names: tags = [] }: PeopleKeys,
): Promise<PeopleRows> {
  const names = [...tags];
  const found = await readStampedNames(reading, names);
  const byTag = new Map(found.map((name) => [name.id, name]));
  return {
    persons: await readRows(reading, [...persons], personKey, decodePerson),
    timelines: await readRows(reading, [...timelines], timelineKey, decodeTimeline),
    groups: await readRows(reading, [...groups], groupKey, decodeGroup),
    carried: await readRows(reading, [...carried], carriedRowKey, decodeCarried),
    names: new Map(names.map((tag) => [tag, byTag.get(tag)])),
  };
}

async function readRows<Id, T>(
  { read }: StampReading,
  ids: readonly Id[],
  keyOf: (id: Id) => Buffer,
  decode: Decode<T>,
): Promise<ReadonlyMap<Id, T | undefined>> {
  const keys = ids.map(keyOf);
  const rows = await read((level, snapshot) => level.getMany(keys, { snapshot }));
  return new Map(ids.map((id, index) => [id, decodeSealed(keys[index], rows[index], decode)]));
}

/** Reads the rows after an id, ascending, at most `limit`; empty only after the last one. */
type ReadPage<Id, T> = (
  level: RawLevel,
  snapshot: RawSnapshot | undefined,
  after: Id | undefined,
  limit: number,
) => Promise<readonly T[]>;

export const readPersonPage: ReadPage<PersonId, Person> = pagesOf(personRange, personKey, decodePerson);

export const readTimelinePage: ReadPage<TallyId, Timeline> = pagesOf(
  timelineRange,
  timelineKey,
  decodeTimeline,
);

export const readCarriedPage: ReadPage<CarriedKey, CarriedRow> = pagesOf(
  carriedRange,
  carriedRowKey,
  decodeCarried,
);

function pagesOf<Id, T>(rows: KeyRange, keyOf: (id: Id) => Buffer, decode: Decode<T>): ReadPage<Id, T> {
  return (level, snapshot, after, limit) => {
    const range = after === undefined ? rows : { gt: keyOf(after), lt: rows.lt };
    return readPage(level, { ...range, snapshot }, limit, decode);
  };
}

/** All groups. Ascending by id: the keys, in UTF-8, sort as code points, so the ids are sorted once more. */
export async function readGroups(
  level: RawLevel,
  snapshot: RawSnapshot | undefined,
): Promise<readonly Group[]> {
  const groups: Group[] = [];
  for (let range: Partial<KeyRange> & { readonly gt?: Buffer } = groupRange; ;) {
    const page = await readPage(level, { ...range, snapshot }, GROUPS_OF_PAGE, decodeGroup);
    groups.push(...page);
    const last = page.at(-1);
    if (last === undefined) return groups.sort((a, b) => (a.id < b.id ? -1 : 1));
    range = { gt: groupKey(last.id), lt: groupRange.lt };
  }
}

async function readPage<T>(
  level: RawLevel,
  range: Partial<KeyRange> & { readonly gt?: Buffer; readonly snapshot: RawSnapshot | undefined },
  limit: number,
  decode: Decode<T>,
): Promise<readonly T[]> {
  const rows = level.iterator({ ...range, highWaterMarkBytes: PAGE_BYTES });
  try {
    const page = await rows.nextv(limit);
    return page.map(([key, sealed]) => decodeRow(key, () => decode(key, unseal(key, sealed))));
  } finally {
    await rows.close();
  }
}

/** Who held a tag without a timeline, read on this thread, because every tap asks. */
export function readImplicitHolder(level: RawLevel, tag: TallyId): TagHolder {
  const key = nameKey(tag);
  const name = decodeSealed(key, getNow(level, key), (_, value) => decodeName(value));
  return name === undefined ? {} : { person: implicitPerson(tag), name };
}

/**
 * Who held a tag at a moment, read on this thread, because every tap asks.
 *
 * @returns Also the second of the last entry of the timeline; 0 if there is none.
 */
export async function readHolder(
  level: RawLevel,
  tag: TallyId,
  at: Timestamp,
): Promise<{ readonly holder: TagHolder; readonly since: Timestamp }> {
  const key = nameKey(tag);
  const snapshot = level.snapshot();
  try {
    const find = <T>(rowKey: Buffer, decode: Decode<T>): T | undefined =>
      decodeSealed(rowKey, level.getSync(rowKey, { snapshot }), decode);
    let since = toTimestamp(0);
    const holder = await findHolder(
      {
        timeline: () => {
          const timeline = find(timelineKey(tag), decodeTimeline);
          since = timeline?.entries.findLast(({ isUndone }) => isUndone !== true)?.since ?? since;
          return timeline;
        },
        person: (id) => find(personKey(id), decodePerson),
        name: () => find(key, (_, value) => decodeName(value)),
      },
      tag,
      at,
    );
    return { holder, since };
  } finally {
    await snapshot.close();
  }
}

function decodeSealed<T>(
  key: Buffer | undefined,
  sealed: Buffer | undefined,
  decode: Decode<T>,
): T | undefined {
  if (key === undefined || sealed === undefined) return undefined;
  return decodeRow(key, () => decode(key, unseal(key, sealed)));
}
