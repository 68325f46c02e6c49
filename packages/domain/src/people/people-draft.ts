import { compareTallyIds, isSameName } from '../values/name.js';
import { compareStamps, NO_STAMP, type StampedName } from '../values/stamp.js';
import type { TallyId } from '../values/tally-id.js';
import type { Timestamp } from '../values/timestamp.js';
import type { PeopleKeys, PeopleRows, PeopleStore } from '../ports/people/people-store.js';
import { idsOf, rootOf, wholePerson } from './merged-persons.js';
import { groupOfName, groupsByName, rootOfGroup, type Group, type GroupId } from '../values/people/group.js';
import {
  implicitPerson,
  nobodyYet,
  personOfReserved,
  tagOfImplicit,
  type Person,
  type PersonId,
} from '../values/people/person.js';
import { isReservedTallyId } from '../values/tally-id.js';
import { plainGroup, plainPerson, plainTimeline } from '../values/people/plain-people.js';
import { presentEntry, standing, type Timeline, type TimelineEntry } from '../values/people/timeline.js';

const BEGINNING = 0 as Timestamp;

/**
 * Decides on rows of a store, and writes what follows: all of it, or nothing.
 *
 * `decide` is called with a draft of the rows that it asked for so far. If it asks for others, these are read too, and it is called
 * again; also if another write came first. So it decides anew each time, and does nothing else.
 */
export async function changePeople<T>(store: PeopleStore, decide: (draft: PeopleDraft) => T): Promise<T> {
  const keys = new WantedKeys();
  for (;;) {
    const rows = await store.read(keys);
    const draft = new PeopleDraft(rows, keys, store, await keys.groupsOf(store));
    let result: T;
    let written: PeopleRows;
    try {
      result = decide(draft);
      written = draft.finish();
    } catch (error) {
      if (keys.takeHasGrown()) continue;
      throw error;
    }
    if (keys.takeHasGrown()) continue;
    const { persons, timelines, groups, names } = written;
    const isSame = persons.size + timelines.size + groups.size + names.size === 0;
    if (isSame || (await store.write(written, rows))) return result;
  }
}

/** Reads rows until a decision needs no more; nothing is written. */
export async function readPeople<T>(store: PeopleStore, decide: (draft: PeopleDraft) => T): Promise<T> {
  const keys = new WantedKeys();
  for (;;) {
    const draft = new PeopleDraft(await store.read(keys), keys, store, await keys.groupsOf(store));
    try {
      const result = decide(draft);
      if (!keys.takeHasGrown()) return result;
    } catch (error) {
      if (!keys.takeHasGrown()) throw error;
    }
  }
}

/** The keys of the rows that a decision has asked for. */
class WantedKeys implements PeopleKeys {
  readonly persons: Set<PersonId> = new Set();
  readonly timelines: Set<TallyId> = new Set();
  readonly groups: Set<GroupId> = new Set();
  readonly names: Set<TallyId> = new Set();
  #hasGrown = false;
  #wantsGroups = false;

  wantGroups(): void {
    this.#wantsGroups = true;
    this.#hasGrown = true;
  }

  /** All groups, if they were asked for. They may change until the write: what depends on one of them asks for that one too. */
  async groupsOf(store: PeopleStore): Promise<readonly Group[] | undefined> {
    return this.#wantsGroups ? store.groups() : undefined;
  }

  want(kind: keyof PeopleKeys, key: PersonId | TallyId | GroupId): void {
    (this[kind] as Set<string>).add(key);
    this.#hasGrown = true;
  }

  takeHasGrown(): boolean {
    const hasGrown = this.#hasGrown;
    this.#hasGrown = false;
    return hasGrown;
  }
}

/**
 * Persons and timelines as they will be, with what follows from them: the tags of persons, and the names of tags.
 *
 * An implicit person, and the timeline of a tag that they have held from the beginning, are no rows: the name of the tag says all. They
 * become rows together, as soon as one of them changes.
 */
export class PeopleDraft {
  readonly #rows: PeopleRows;
  readonly #wanted: WantedKeys;
  readonly #persons = new Map<PersonId, Person>();
  readonly #timelines = new Map<TallyId, Timeline>();
  /** The tags of {@link #timelines} by the persons whom they name, or named: a list of names changes thousands. */
  readonly #changedTags = new Map<PersonId, Set<TallyId>>();
  readonly #groups = new Map<GroupId, Group>();
  readonly #allGroups: readonly Group[] | undefined;
  #groupsByName: ReadonlyMap<GroupId, GroupId> | undefined;
  readonly #forgottenPersons = new Set<PersonId>();
  readonly #forgottenTags = new Set<TallyId>();
  readonly #lastResortOf: (person: PersonId) => TallyId;

  constructor(
    rows: PeopleRows,
    wanted: WantedKeys,
    store: Pick<PeopleStore, 'lastResortOf'>,
    groups?: readonly Group[],
  ) {
    this.#allGroups = groups;
    this.#rows = rows;
    this.#wanted = wanted;
    this.#lastResortOf = (person) => store.lastResortOf(person);
  }

  /** A person, not what they were merged into; `undefined` if there is none. */
  person(id: PersonId): Person | undefined {
    const changed = this.#persons.get(id);
    if (changed !== undefined || this.#forgottenPersons.has(id)) return changed;
    return this.#personRow(id) ?? this.#implicit(id);
  }

  timeline(tag: TallyId): Timeline {
    const changed = this.#timelines.get(tag);
    if (changed !== undefined) return changed;
    if (this.#forgottenTags.has(tag)) return { tag, entries: [] };
    return this.#timelineRow(tag) ?? this.#timelineWithoutRow(tag);
  }

  /** A group, not what it was merged into; `undefined` if there is none. */
  group(id: GroupId): Group | undefined {
    const changed = this.#groups.get(id);
    if (changed !== undefined) return changed;
    if (!this.#rows.groups.has(id)) this.#wanted.want('groups', id);
    return this.#rows.groups.get(id);
  }

  /** All groups. */
  groups(): readonly Group[] {
    if (this.#allGroups === undefined) this.#wanted.wantGroups();
    return [
      ...new Map([...(this.#allGroups ?? []), ...this.#groups.values()].map((row) => [row.id, row])).values(),
    ];
  }

  /** The group that has this name now, or had it when it was merged. */
  groupNamed(name: string): GroupId | undefined {
    this.#groupsByName ??= groupsByName(this.groups());
    const id = this.#groupsByName.get(groupOfName(name));
    return id && this.resolveGroup(id);
  }

  /** What a group was merged into at last: itself, if it was not. */
  resolveGroup(id: GroupId): GroupId {
    return rootOfGroup((each) => this.group(each), id);
  }

  putGroup(group: Group): void {
    this.#groupsByName = undefined;
    this.#groups.set(group.id, group);
  }

  /** The name of a tag as it is stored now. */
  nameRow(tag: TallyId): StampedName | undefined {
    if (!this.#rows.names.has(tag)) this.#wanted.want('names', tag);
    return this.#rows.names.get(tag);
  }

  hasTimelineRow(tag: TallyId): boolean {
    return this.#timelines.has(tag) || this.#timelineRow(tag) !== undefined;
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
    this.#forgottenPersons.delete(person.id);
    this.#persons.set(person.id, person);
    const tag = tagOfImplicit(person.id);
    if (tag === undefined) return;
    const former = this.timeline(tag);
    const based = withBeginning(former);
    if (based === former && this.hasTimelineRow(tag)) return;
    this.#setTimeline(based);
    if (holdersIn(based).has(person.id)) this.#changeTags(person.id, (tags) => tags.add(tag));
  }

  putTimeline(timeline: Timeline): void {
    const { tag } = timeline;
    const implicit = this.person(implicitPerson(tag));
    if (implicit !== undefined && !this.hasTimelineRow(tag)) this.#persons.set(implicit.id, implicit);
    this.#forgottenTags.delete(tag);
    this.#setTimeline(implicit === undefined ? timeline : withBeginning(timeline));
  }

  /** Removes the rows of a person, as an erasure does. Take them out of timelines and aliases first. */
  forgetPerson(id: PersonId): void {
    this.#persons.delete(id);
    this.#forgottenPersons.add(id);
  }

  /** Removes the rows of a tag, its name included. */
  forgetTimeline(tag: TallyId): void {
    this.#timelines.delete(tag);
    this.#forgottenTags.add(tag);
  }

  /** The rows that change. */
  finish(): PeopleRows {
    this.#deriveLastResorts();
    this.#deriveTags();
    this.#deriveAliases();
    const names = this.#deriveNames();
    this.#dropImplicit();
    const persons = new Map<PersonId, Person | undefined>();
    const timelines = new Map<TallyId, Timeline | undefined>();
    for (const [id, person] of this.#persons) {
      const row = this.#personRow(id);
      if (row === undefined || personText(row) !== personText(person)) persons.set(id, person);
    }
    for (const [tag, timeline] of this.#timelines) {
      const row = this.#timelineRow(tag);
      if (row === undefined || timelineText(row) !== timelineText(timeline)) timelines.set(tag, timeline);
    }
    for (const id of this.#forgottenPersons)
      if (this.#personRow(id) !== undefined) persons.set(id, undefined);
    for (const tag of this.#forgottenTags)
      if (this.#timelineRow(tag) !== undefined) timelines.set(tag, undefined);
    const groups = new Map<GroupId, Group>();
    for (const [id, group] of this.#groups) {
      const row = this.#rows.groups.get(id);
      if (row === undefined || groupText(row) !== groupText(group)) groups.set(id, group);
    }
    return { persons, timelines, groups, names };
  }

  #setTimeline(timeline: Timeline): void {
    const { tag } = timeline;
    this.#timelines.set(tag, timeline);
    for (const id of holdersIn(timeline)) {
      const tags = this.#changedTags.get(id) ?? new Set();
      this.#changedTags.set(id, tags.add(tag));
    }
  }

  #personRow(id: PersonId): Person | undefined {
    if (!this.#rows.persons.has(id)) this.#wanted.want('persons', id);
    return this.#rows.persons.get(id);
  }

  #timelineRow(tag: TallyId): Timeline | undefined {
    if (!this.#rows.timelines.has(tag)) this.#wanted.want('timelines', tag);
    return this.#rows.timelines.get(tag);
  }

  #implicit(id: PersonId): Person | undefined {
    const tag = tagOfImplicit(id);
    if (tag === undefined || isReservedTallyId(tag)) return undefined;
    if (this.hasTimelineRow(tag) || this.#forgottenTags.has(tag)) return undefined;
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

  /** The tag of last resort of an implicit person does not say whose it is. */
  #deriveLastResorts(): void {
    for (const [id, { isUntagged }] of this.#persons) {
      const tag = isUntagged && tagOfImplicit(id) !== undefined ? this.#lastResortOf(id) : undefined;
      if (tag !== undefined && !this.hasTimelineRow(tag))
        this.#setTimeline({ tag, entries: [fromTheBeginning(id)] });
    }
  }

  /** Leaves out rows of implicit persons that say no more than their names. */
  #dropImplicit(): void {
    for (const [id, person] of this.#persons) {
      const tag = tagOfImplicit(id);
      if (tag === undefined || person.name === undefined || this.#timelineRow(tag) !== undefined) continue;
      const { entries } = this.timeline(tag);
      const plain: Person = { id, name: person.name, tags: [tag], aliases: [] };
      const held: Timeline = { tag, entries: [fromTheBeginning(id)] };
      if (this.#personRow(id) !== undefined || personText(person) !== personText(plain)) continue;
      if (timelineText({ tag, entries }) !== timelineText(held)) continue;
      this.#persons.delete(id);
      this.#timelines.delete(tag);
    }
  }

  /** Each person has the tags whose timelines name them. */
  #deriveTags(): void {
    const derive = (tag: TallyId, timeline: Timeline | undefined): void => {
      const before = holdersIn(this.#timelineRow(tag));
      const after = holdersIn(timeline);
      for (const id of after) this.#changeTags(id, (tags) => tags.add(tag));
      for (const id of before) if (!after.has(id)) this.#changeTags(id, (tags) => tags.delete(tag));
    };
    // Those of implicit persons who become rows here are visited too.
    for (const [tag, timeline] of this.#timelines) derive(tag, timeline);
    for (const tag of this.#forgottenTags) derive(tag, undefined);
    // An implicit person has no timeline row before.
    for (const [id, person] of this.#persons) {
      const tag = tagOfImplicit(id);
      if (tag !== undefined && person.tags.includes(tag) && !holdersIn(this.timeline(tag)).has(id))
        this.#changeTags(id, (tags) => tags.delete(tag));
    }
  }

  #changeTags(id: PersonId, change: (tags: Set<TallyId>) => void): void {
    if (this.#forgottenPersons.has(id)) return;
    const person = this.person(id) ?? nobodyYet(id);
    const tags = new Set(person.tags);
    change(tags);
    if (
      tags.size === person.tags.length &&
      person.tags.every((tag) => tags.has(tag)) &&
      this.#hasPersonRow(id)
    )
      return;
    this.putPerson({ ...person, tags: [...tags].sort(compareTallyIds) });
  }

  #hasPersonRow(id: PersonId): boolean {
    return this.#persons.has(id) || this.#personRow(id) !== undefined;
  }

  #deriveAliases(): void {
    for (const [id, person] of [...this.#persons]) {
      const before = this.#personRow(id)?.alias?.value;
      const after = person.alias?.value;
      if (before === after) continue;
      if (before !== undefined) this.#changeAliases(before, (aliases) => aliases.delete(id));
      if (after !== undefined) this.#changeAliases(after, (aliases) => aliases.add(id));
    }
    for (const id of this.#forgottenPersons) {
      const before = this.#personRow(id)?.alias?.value;
      if (before !== undefined) this.#changeAliases(before, (aliases) => aliases.delete(id));
    }
  }

  #changeAliases(id: PersonId, change: (aliases: Set<PersonId>) => void): void {
    if (this.#forgottenPersons.has(id)) return;
    const person = this.person(id) ?? nobodyYet(id);
    const aliases = new Set(person.aliases);
    change(aliases);
    this.putPerson({ ...person, aliases: [...aliases].sort() });
  }

  /** The names of all tags whose holder, or whose holder's name, changes. */
  #deriveNames(): ReadonlyMap<TallyId, StampedName | undefined> {
    const tags = new Set<TallyId>(this.#timelines.keys());
    for (const id of this.#persons.keys()) {
      for (const each of this.idsOf(this.resolve(id)))
        for (const tag of this.person(each)?.tags ?? []) tags.add(tag);
    }
    const names = new Map<TallyId, StampedName | undefined>();
    for (const tag of tags) this.#putName(names, tag, this.#nameOf(tag));
    for (const id of this.#persons.keys())
      for (const each of this.idsOf(this.resolve(id))) this.#deriveReservedName(names, each);
    for (const tag of this.#forgottenTags) this.#putName(names, tag, undefined);
    return names;
  }

  #nameOf(tag: TallyId): StampedName | undefined {
    const present = presentEntry(this.timeline(tag));
    if (present === undefined) return undefined;
    const name = present.holder === undefined ? undefined : this.whole(this.resolve(present.holder))?.name;
    return { id: tag, name: name?.value, stamp: name?.stamp ?? present.stamp };
  }

  /** A person who had no tag once is in the mapping with their tag of last resort. */
  #deriveReservedName(names: Map<TallyId, StampedName | undefined>, id: PersonId): void {
    if (this.person(id)?.isUntagged !== true) return;
    const tag = this.#lastResortOf(id);
    const named = this.#nameOf(tag);
    this.#putName(names, tag, named?.name === undefined ? undefined : named);
  }

  #putName(names: Map<TallyId, StampedName | undefined>, tag: TallyId, name: StampedName | undefined): void {
    const before = this.nameRow(tag);
    const isSame = isSameName(before?.name, name?.name) && compareStamps(before?.stamp, name?.stamp) === 0;
    if (!isSame || (before === undefined) !== (name === undefined)) names.set(tag, name);
  }
}

function holdersIn(timeline: Timeline | undefined): ReadonlySet<PersonId> {
  return new Set(timeline === undefined ? [] : standing(timeline).flatMap(({ holder }) => holder ?? []));
}

/** An implicit person has their tag from the beginning, unless another entry says otherwise. */
function withBeginning(timeline: Timeline): Timeline {
  const { tag, entries } = timeline;
  if (entries[0]?.since === BEGINNING) return timeline;
  return { tag, entries: [fromTheBeginning(implicitPerson(tag)), ...entries] };
}

function fromTheBeginning(holder: PersonId): TimelineEntry {
  return { since: BEGINNING, holder, why: 'given', stamp: NO_STAMP };
}

/** Equal rows have equal texts. */
function personText(person: Person): string {
  return JSON.stringify(plainPerson(person));
}

function groupText(group: Group): string {
  return JSON.stringify(plainGroup(group));
}

function timelineText(timeline: Timeline): string {
  return JSON.stringify(plainTimeline(timeline));
}
