import { rootOf } from '../values/people/stamped.js';
import { compareTallyIds } from '../values/name.js';
import { carriedKeyOf, type CarriedKey, type CarriedRow } from '../values/people/carried-row.js';
import { groupOfName, groupsByName, type Group, type GroupId } from '../values/people/group.js';
import {
  implicitPerson,
  personOfReserved,
  tagOfImplicit,
  type Person,
  type PersonId,
} from '../values/people/person.js';
import { fromTheBeginning, holdersIn, presentEntry, type Timeline } from '../values/people/timeline.js';
import { NO_STAMP, type StampedName } from '../values/stamp.js';
import { isReservedTallyId, type TallyId } from '../values/tally-id.js';
import { BEGINNING } from '../values/timestamp.js';
import type { DraftRows } from './draft-rows.js';
import { idsOf, wholePerson } from './merged-persons.js';
import type { WantedKeys } from './wanted-keys.js';

/**
 * Persons, timelines and groups as they will be. What follows from them is worked out at the end, in `DerivedRows`.
 *
 * An implicit person, and the timeline of a tag that they have held from the beginning, are no rows: the name of the tag says all. They
 * become rows together, as soon as one of them changes.
 */
export class PeopleDraft {
  readonly #rows: DraftRows;
  readonly #wanted: Pick<WantedKeys, 'wantGroups'>;
  /** The tags of changed timelines by the persons whom they name, or named: a list of names changes thousands. */
  readonly #changedTags = new Map<PersonId, Set<TallyId>>();
  readonly #allGroups: readonly Group[] | undefined;
  #groupsByName: ReadonlyMap<GroupId, GroupId> | undefined;

  constructor(
    rows: DraftRows,
    wanted: Pick<WantedKeys, 'wantGroups'>,
    allGroups: readonly Group[] | undefined,
  ) {
    this.#rows = rows;
    this.#wanted = wanted;
    this.#allGroups = allGroups;
  }

  /** A person, not what they were merged into; `undefined` if there is none. */
  person(id: PersonId): Person | undefined {
    const { persons } = this.#rows;
    const changed = persons.changed.get(id);
    if (changed !== undefined || persons.forgotten.has(id)) return changed;
    return persons.stored(id) ?? this.#implicit(id);
  }

  timeline(tag: TallyId): Timeline {
    const { timelines } = this.#rows;
    const changed = timelines.changed.get(tag);
    if (changed !== undefined) return changed;
    if (timelines.forgotten.has(tag)) return { tag, entries: [] };
    return timelines.stored(tag) ?? this.#timelineWithoutRow(tag);
  }

  /** A group, not what it was merged into; `undefined` if there is none. */
  group(id: GroupId): Group | undefined {
    return this.#rows.groups.changed.get(id) ?? this.#rows.groups.stored(id);
  }

  /** All groups. */
  groups(): readonly Group[] {
    if (this.#allGroups === undefined) this.#wanted.wantGroups();
    const all = [...(this.#allGroups ?? []), ...this.#rows.groups.changed.values()];
    return [...new Map(all.map((row) => [row.id, row])).values()];
  }

  /** The group that has this name now, or had it when it was merged. */
  groupNamed(name: string): GroupId | undefined {
    this.#groupsByName ??= groupsByName(this.groups());
    const id = this.#groupsByName.get(groupOfName(name));
    return id && this.resolveGroup(id);
  }

  /** What a group was merged into at last: itself, if it was not. */
  resolveGroup(id: GroupId): GroupId {
    return rootOf((each) => this.group(each), id);
  }

  putGroup(group: Group): void {
    this.#groupsByName = undefined;
    this.#rows.groups.changed.set(group.id, group);
  }

  carried(key: CarriedKey): CarriedRow | undefined {
    const { changed, forgotten } = this.#rows.carried;
    return changed.get(key) ?? (forgotten.has(key) ? undefined : this.#rows.carried.stored(key));
  }

  putCarried(row: CarriedRow): void {
    this.#rows.carried.changed.set(carriedKeyOf(row), row);
  }

  /** Removes a carried row, as an erasure does. */
  forgetCarried(key: CarriedKey): void {
    this.#rows.carried.forget(key);
  }

  /** The name of a tag as it is stored now. */
  nameRow(tag: TallyId): StampedName | undefined {
    return this.#rows.names.stored(tag);
  }

  hasTimelineRow(tag: TallyId): boolean {
    return this.#rows.timelines.has(tag);
  }

  /** What a person was merged into at last: themselves, if they were not. */
  resolve(id: PersonId): PersonId {
    return rootOf((each) => this.person(each), id);
  }

  /** All ids that are this person, the given one first. */
  idsOf(root: PersonId): readonly PersonId[] {
    return idsOf((id) => this.person(id), root);
  }

  /** The fields of a person and of those who were merged into them: the later ones. `undefined` if there is none. */
  whole(root: PersonId): Person | undefined {
    return wholePerson((id) => this.person(id), root);
  }

  /** The tags that a person holds now, ascending, but for that of last resort. */
  heldBy(root: PersonId): readonly TallyId[] {
    const changed = this.idsOf(root).flatMap((id) => [...(this.#changedTags.get(id) ?? [])]);
    const tags = new Set([...(this.whole(root)?.tags ?? []), ...changed]);
    return [...tags].sort(compareTallyIds).filter((tag) => {
      const holder = isReservedTallyId(tag) ? undefined : presentEntry(this.timeline(tag))?.holder;
      return holder !== undefined && this.resolve(holder) === root;
    });
  }

  putPerson(person: Person): void {
    const { persons } = this.#rows;
    persons.forgotten.delete(person.id);
    persons.changed.set(person.id, person);
    const tag = tagOfImplicit(person.id);
    if (tag === undefined) return;
    const former = this.timeline(tag);
    const based = withBeginning(former);
    if (based === former && this.hasTimelineRow(tag)) return;
    this.#setTimeline(based);
    if (!holdersIn(based).has(person.id) || person.tags.includes(tag)) return;
    persons.changed.set(person.id, { ...person, tags: [...person.tags, tag].sort(compareTallyIds) });
  }

  putTimeline(timeline: Timeline): void {
    const { tag } = timeline;
    const implicit = this.person(implicitPerson(tag));
    if (implicit !== undefined && !this.hasTimelineRow(tag))
      this.#rows.persons.changed.set(implicit.id, implicit);
    this.#rows.timelines.forgotten.delete(tag);
    this.#setTimeline(implicit === undefined ? timeline : withBeginning(timeline));
  }

  /** Removes the rows of a person, as an erasure does. Take them out of timelines and aliases first. */
  forgetPerson(id: PersonId): void {
    this.#rows.persons.forget(id);
  }

  /** Removes the rows of a tag, its name included. */
  forgetTimeline(tag: TallyId): void {
    this.#rows.timelines.forget(tag);
  }

  #setTimeline(timeline: Timeline): void {
    const { tag } = timeline;
    this.#rows.timelines.changed.set(tag, timeline);
    for (const id of holdersIn(timeline)) {
      const tags = this.#changedTags.get(id) ?? new Set();
      this.#changedTags.set(id, tags.add(tag));
    }
  }

  #implicit(id: PersonId): Person | undefined {
    const tag = tagOfImplicit(id);
    if (tag === undefined || isReservedTallyId(tag)) return undefined;
    if (this.hasTimelineRow(tag) || this.#rows.timelines.forgotten.has(tag)) return undefined;
    const named = this.nameRow(tag);
    // A name that was taken away has a stamp: an earlier one does not come back.
    if (named === undefined) return undefined;
    return { id, name: { value: named.name, stamp: named.stamp ?? NO_STAMP }, tags: [tag], aliases: [] };
  }

  #timelineWithoutRow(tag: TallyId): Timeline {
    const holder = isReservedTallyId(tag)
      ? personOfReserved(tag)
      : this.nameRow(tag)?.name && implicitPerson(tag);
    return { tag, entries: holder === undefined ? [] : [fromTheBeginning(holder)] };
  }
}

/** An implicit person has their tag from the beginning, unless another entry says otherwise. */
function withBeginning(timeline: Timeline): Timeline {
  const { tag, entries } = timeline;
  if (entries[0]?.since === BEGINNING) return timeline;
  return { tag, entries: [fromTheBeginning(implicitPerson(tag)), ...entries] };
}
