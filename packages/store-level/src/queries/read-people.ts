import {
  findHolder,
  implicitPerson,
  type Group,
  type PeopleKeys,
  type PeopleRows,
  type TagHolder,
  type TallyId,
  toTimestamp,
  type Timestamp,
} from '@tallybook/domain';
import { getNow, type RawLevel } from '../level/raw-level.js';
import { decodeName, decodeRow } from '../rows/codec.js';
import { nameKey } from '../rows/keys.js';
import { carriedRows, groupRows, personRows, timelineRows, type PeopleRowKind } from '../rows/people-rows.js';
import { unseal } from '../rows/seal.js';
import type { RawSnapshot } from './read-day.js';
import { readRowPage } from './read-row-page.js';
import { readStampedNames, type StampReading } from './read-stamped-names.js';

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
    persons: await readRows(reading, personRows, [...persons]),
    timelines: await readRows(reading, timelineRows, [...timelines]),
    groups: await readRows(reading, groupRows, [...groups]),
    carried: await readRows(reading, carriedRows, [...carried]),
    names: new Map(names.map((tag) => [tag, byTag.get(tag)])),
  };
}

async function readRows<Id extends string, T>(
  { read }: StampReading,
  { keyOf, decode }: PeopleRowKind<Id, T>,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, T | undefined>> {
  const keys = ids.map(keyOf);
  const rows = await read((level, snapshot) => level.getMany(keys, { snapshot }));
  return new Map(ids.map((id, index) => [id, decodeSealed(keys[index], rows[index], decode)]));
}

/** All groups. Ascending by id: the keys, in UTF-8, sort as code points, so the ids are sorted once more. */
export async function readGroups(level: RawLevel, snapshot?: RawSnapshot): Promise<readonly Group[]> {
  const groups: Group[] = [];
  for (;;) {
    const after = groups.at(-1)?.id;
    const page = await readRowPage(level, groupRows, {
      after,
      limit: GROUPS_OF_PAGE,
      ...(snapshot && { snapshot }),
    });
    if (page.length === 0) return groups.sort((a, b) => (a.id < b.id ? -1 : 1));
    groups.push(...page);
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
  await using snapshot = level.snapshot();
  const find = <T>(rowKey: Buffer, decode: Decode<T>): T | undefined =>
    decodeSealed(rowKey, level.getSync(rowKey, { snapshot }), decode);
  let since = toTimestamp(0);
  const holder = await findHolder(
    {
      timeline: () => {
        const timeline = find(timelineRows.keyOf(tag), timelineRows.decode);
        since = timeline?.entries.findLast(({ isUndone }) => isUndone !== true)?.since ?? since;
        return timeline;
      },
      person: (id) => find(personRows.keyOf(id), personRows.decode),
      name: () => find(key, (_, value) => decodeName(value)),
    },
    tag,
    at,
  );
  return { holder, since };
}

function decodeSealed<T>(
  key: Buffer | undefined,
  sealed: Buffer | undefined,
  decode: Decode<T>,
): T | undefined {
  if (key === undefined || sealed === undefined) return undefined;
  return decodeRow(key, () => decode(key, unseal(key, sealed)));
}
