import { rootOf } from '../values/people/stamped.js';
import type { PeopleStore } from '../ports/people/people-store.js';
import { NO_STAMP, type StampedName } from '../values/stamp.js';
import type { TallyId } from '../values/tally-id.js';
import type { Timestamp } from '../values/timestamp.js';
import type { Name } from '../values/name.js';
import type { TagHolder } from '../ports/people/people-store.js';
import { wholePerson, type FindPerson } from './merged-persons.js';
import { changePeople } from './change-people.js';
import type { PeopleDraft } from './people-draft.js';
import {
  implicitPerson,
  isSameFirstName,
  mergePersons,
  nobodyYet,
  personOfReserved,
  tagOfImplicit,
  type Person,
  type PersonId,
} from '../values/people/person.js';
import { carriedKeyOf, mergeCarried, type CarriedRow } from '../values/people/carried-row.js';
import { mergeGroups, type Group } from '../values/people/group.js';
import { isReservedTallyId } from '../values/tally-id.js';
import { entryAt, fromTheBeginning, mergeTimelines, type Timeline } from '../values/people/timeline.js';

/** A row about people. */
export type PeopleRow =
  | { readonly kind: 'person'; readonly person: Person }
  | { readonly kind: 'tag'; readonly timeline: Timeline }
  | { readonly kind: 'group'; readonly group: Group }
  | { readonly kind: 'carried'; readonly row: CarriedRow };

/** Something of another place, or of a backup. A `name` is that of an implicit person. */
export type PeopleItem = PeopleRow | { readonly kind: 'name'; readonly name: StampedName };

export interface MergeOptions {
  /** Whether an implicit person keeps the other first name as a doubt: where changes of several places meet. Default: no. */
  readonly isNoted?: boolean;
  /**
   * What of an item may be merged, since persons were erased; `isNamed` says whether a person has a name here. Asked in the same turn
   * as the write, so that an erasure that begins later finds the rows. Default: all.
   */
  readonly sift?: (item: PeopleItem, isNamed: (id: PersonId) => boolean) => PeopleItem | undefined;
}

/** Merges persons, timelines, groups, carried rows and names by their stamps. Merging them again, or in another order, changes nothing more. */
export function mergePeople(
  store: PeopleStore,
  items: readonly PeopleItem[],
  { isNoted = false, sift = (item) => item }: MergeOptions = {},
): Promise<void> {
  return changePeople(store, (draft) => {
    const isNamed = (id: PersonId): boolean => draft.person(id)?.name?.value !== undefined;
    for (const each of items) {
      const item = sift(each, isNamed);
      if (item?.kind === 'person') mergePerson(draft, item.person, isNoted);
      else if (item?.kind === 'tag') mergeTimeline(draft, item.timeline);
      else if (item?.kind === 'group') draft.putGroup(mergeGroups(draft.group(item.group.id), item.group));
      else if (item?.kind === 'carried')
        draft.putCarried(mergeCarried(draft.carried(carriedKeyOf(item.row)), item.row));
      else if (item !== undefined) mergeName(draft, item.name, isNoted);
    }
  });
}

function mergePerson(draft: PeopleDraft, other: Person, isNoted: boolean): void {
  const here = draft.person(other.id);
  const { doubt: _, ...fields } = other;
  const merged = mergePersons(here ?? nobodyYet(other.id), fields);
  const [one, another] = [here?.name?.value, other.name?.value];
  const isAnother = one !== undefined && another !== undefined && !isSameFirstName(one, another);
  const tag = tagOfImplicit(other.id);
  const doubt = merged.name?.value === one ? another : one;
  const hasDoubt = isNoted && tag !== undefined && isAnother && draft.hasTimelineRow(tag);
  // A person who is new here may have their tag from the beginning, as somebody else here has it.
  if (isNoted && tag !== undefined && here === undefined)
    mergeTimeline(draft, { tag, entries: [fromTheBeginning(other.id)] });
  draft.putPerson(hasDoubt && doubt !== undefined ? { ...merged, doubt } : merged);
}

function mergeTimeline(draft: PeopleDraft, other: Timeline): void {
  draft.putTimeline(mergeTimelines(draft.timeline(other.tag), other));
}

/** A name stands for the implicit person of its tag, never for the present holder. */
function mergeName(draft: PeopleDraft, { id, name, stamp }: StampedName, isNoted: boolean): void {
  // The names of tags of last resort follow from persons.
  if (isReservedTallyId(id)) return;
  const person = implicitPerson(id);
  mergePerson(draft, { ...nobodyYet(person), name: { value: name, stamp: stamp ?? NO_STAMP } }, isNoted);
}

/** The rows that {@link findHolder} reads. */
export interface HolderRows {
  timeline(tag: TallyId): Timeline | undefined | Promise<Timeline | undefined>;
  person(id: PersonId): Person | undefined | Promise<Person | undefined>;
  name(tag: TallyId): Name | undefined | Promise<Name | undefined>;
}

/** Who held a tag at a moment, for stores: see `PeopleStore.holderAt`. */
export async function findHolder(rows: HolderRows, tag: TallyId, at: Timestamp): Promise<TagHolder> {
  const timeline = await rows.timeline(tag);
  if (timeline === undefined && !isReservedTallyId(tag)) {
    const name = await rows.name(tag);
    return name === undefined ? {} : { person: implicitPerson(tag), name };
  }
  const entry = timeline && entryAt(timeline, at);
  const holder = timeline === undefined ? personOfReserved(tag) : entry?.holder;
  if (holder === undefined) return entry?.why === 'lost' ? { isLost: true } : {};
  const found = new Map<PersonId, Person>();
  const read = async (id: PersonId): Promise<void> => {
    const row = found.has(id) ? undefined : await rows.person(id);
    if (row === undefined) return;
    found.set(id, row);
    for (const other of [...(row.alias?.value === undefined ? [] : [row.alias.value]), ...row.aliases])
      await read(other);
  };
  await read(holder);
  const find: FindPerson = (id) => found.get(id);
  const person = rootOf(find, holder);
  const name = wholePerson(find, person)?.name?.value;
  return { person, ...(name && { name }) };
}
