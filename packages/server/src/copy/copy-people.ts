import {
  carriedKeyOf,
  carriedPages,
  mergePeople,
  personPages,
  timelinePages,
  type PeopleItem,
  type PeopleRows,
  type PeopleStore,
  type Person,
  type StampedName,
  type Timeline,
} from '@tallybook/domain';
import { withoutErased } from '@tallybook/domain/record';
import type { FullStorage } from '../config/stores.js';

type Source = Pick<FullStorage, 'people' | 'stampedNames'>;
type Target = Pick<FullStorage, 'people' | 'erasures'>;

type SiftItems = NonNullable<NonNullable<Parameters<typeof mergePeople>[2]>['sift']>;

interface CopyPeopleOptions {
  readonly isMerging: boolean;
  readonly onProgress: (text: string) => void;
}

/**
 * Copies groups, carried rows, persons, the timelines of tags, and the names that follow from them. In a merge, each value is that with the later stamp,
 * and persons who were erased in the target stay out.
 */
export async function copyPeople(
  { people: from, stampedNames }: Source,
  { people: to, erasures }: Target,
  { isMerging, onProgress }: CopyPeopleOptions,
): Promise<void> {
  let count = 0;
  const sift: SiftItems = (item, isNamed) => withoutErased(item, { people: to, erasures }, isNamed);
  const groups = await from.groups();
  if (isMerging)
    await mergePeople(
      to,
      groups.map((group) => ({ kind: 'group', group }) as const),
    );
  else await to.write({ ...nothing, groups: new Map(groups.map((group) => [group.id, group])) }, nothing);
  for await (const rows of carriedPages(from)) {
    if (isMerging)
      await mergePeople(
        to,
        rows.map((row) => ({ kind: 'carried', row }) as const),
        { sift },
      );
    else
      await to.write({ ...nothing, carried: new Map(rows.map((row) => [carriedKeyOf(row), row])) }, nothing);
  }
  const write = async (persons: readonly Person[], timelines: readonly Timeline[]): Promise<void> => {
    if (isMerging) {
      const items: readonly PeopleItem[] = [
        ...persons.map((person) => ({ kind: 'person', person }) as const),
        ...timelines.map((timeline) => ({ kind: 'tag', timeline }) as const),
      ];
      await mergePeople(to, items, { sift });
    } else {
      const untagged = persons.filter(({ isUntagged }) => isUntagged === true);
      const ids = [...timelines.map(({ tag }) => tag), ...untagged.map(({ id }) => from.lastResortOf(id))];
      await writeRows(to, { persons, timelines, names: await stampedNames.get(ids) });
    }
    count += persons.length + timelines.length;
    onProgress(`copying persons and their tags: ${count}`);
  };
  for await (const page of personPages(from)) await write(page, []);
  for await (const page of timelinePages(from)) await write([], page);
}

const nothing: PeopleRows = {
  persons: new Map(),
  timelines: new Map(),
  groups: new Map(),
  carried: new Map(),
  names: new Map(),
};

async function writeRows(
  people: PeopleStore,
  rows: {
    readonly persons: readonly Person[];
    readonly timelines: readonly Timeline[];
    readonly names: readonly StampedName[];
  },
): Promise<void> {
  const written: PeopleRows = {
    ...nothing,
    persons: new Map(rows.persons.map((row) => [row.id, row])),
    timelines: new Map(rows.timelines.map((row) => [row.tag, row])),
    names: new Map(rows.names.map((row) => [row.id, row])),
  };
  await people.write(written, nothing);
}
