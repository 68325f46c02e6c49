import type { PeopleRows, PeopleStore } from '../ports/people/people-store.js';
import { compareTallyIds, isSameName } from '../values/name.js';
import { plainCarried } from '../values/people/carried-row.js';
import { nobodyYet, tagOfImplicit, type Person, type PersonId } from '../values/people/person.js';
import { plainGroup, plainPerson, plainTimeline } from '../values/people/plain-people.js';
import { fromTheBeginning, holdersIn, presentEntry, type Timeline } from '../values/people/timeline.js';
import { compareStamps, type StampedName } from '../values/stamp.js';
import type { TallyId } from '../values/tally-id.js';
import type { DraftRows } from './draft-rows.js';
import type { PeopleDraft } from './people-draft.js';

/** What follows from the changed persons and timelines of a draft: the tags and aliases of persons, and the names of tags. */
export class DerivedRows {
  readonly #draft: PeopleDraft;
  readonly #rows: DraftRows;
  readonly #lastResortOf: (person: PersonId) => TallyId;

  /** @param parts `rows`: those of the draft. */
  constructor({
    draft,
    rows,
    store,
  }: {
    readonly draft: PeopleDraft;
    readonly rows: DraftRows;
    readonly store: Pick<PeopleStore, 'lastResortOf'>;
  }) {
    this.#draft = draft;
    this.#rows = rows;
    this.#lastResortOf = (person) => store.lastResortOf(person);
  }

  /** The rows that change. The draft is not used after this. */
  finish(): PeopleRows {
    this.#deriveLastResorts();
    this.#deriveTags();
    this.#deriveAliases();
    const names = this.#deriveNames();
    this.#dropImplicit();
    const { persons, timelines, groups, carried } = this.#rows;
    return {
      persons: persons.written(plainPerson),
      timelines: timelines.written(plainTimeline),
      groups: groups.written(plainGroup),
      carried: carried.written(plainCarried),
      names,
    };
  }

  /** The tag of last resort of an implicit person does not say whose it is. */
  #deriveLastResorts(): void {
    const { persons, timelines } = this.#rows;
    for (const [id, { isUntagged }] of persons.changed) {
      const tag = isUntagged && tagOfImplicit(id) !== undefined ? this.#lastResortOf(id) : undefined;
      if (tag !== undefined && !timelines.has(tag))
        timelines.changed.set(tag, { tag, entries: [fromTheBeginning(id)] });
    }
  }

  /** Leaves out rows of implicit persons that say no more than their names. */
  #dropImplicit(): void {
    const { persons, timelines } = this.#rows;
    for (const [id, person] of persons.changed) {
      const tag = tagOfImplicit(id);
      if (tag === undefined || person.name === undefined || timelines.stored(tag) !== undefined) continue;
      const plain: Person = { id, name: person.name, tags: [tag], aliases: [] };
      const held: Timeline = { tag, entries: [fromTheBeginning(id)] };
      if (persons.stored(id) !== undefined || !isSame(plainPerson(person), plainPerson(plain))) continue;
      if (!isSame(plainTimeline(this.#draft.timeline(tag)), plainTimeline(held))) continue;
      persons.changed.delete(id);
      timelines.changed.delete(tag);
    }
  }

  /** Each person has the tags whose timelines name them. */
  #deriveTags(): void {
    const { persons, timelines } = this.#rows;
    const derive = (tag: TallyId, timeline: Timeline | undefined): void => {
      const before = holdersIn(timelines.stored(tag));
      const after = holdersIn(timeline);
      for (const id of after) this.#changeTags(id, (tags) => tags.add(tag));
      for (const id of before) if (!after.has(id)) this.#changeTags(id, (tags) => tags.delete(tag));
    };
    // Those of implicit persons who become rows here are visited too.
    for (const [tag, timeline] of timelines.changed) derive(tag, timeline);
    for (const tag of timelines.forgotten) derive(tag, undefined);
    // An implicit person has no timeline row before.
    for (const [id, person] of persons.changed) {
      const tag = tagOfImplicit(id);
      if (tag !== undefined && person.tags.includes(tag) && !holdersIn(this.#draft.timeline(tag)).has(id))
        this.#changeTags(id, (tags) => tags.delete(tag));
    }
  }

  #changeTags(id: PersonId, change: (tags: Set<TallyId>) => void): void {
    if (this.#rows.persons.forgotten.has(id)) return;
    const person = this.#draft.person(id) ?? nobodyYet(id);
    const tags = new Set(person.tags);
    change(tags);
    const areSame = tags.size === person.tags.length && person.tags.every((tag) => tags.has(tag));
    if (areSame && this.#rows.persons.has(id)) return;
    this.#draft.putPerson({ ...person, tags: [...tags].sort(compareTallyIds) });
  }

  #deriveAliases(): void {
    const { persons } = this.#rows;
    for (const id of [...persons.changed.keys(), ...persons.forgotten]) {
      const before = persons.stored(id)?.alias?.value;
      const after = persons.changed.get(id)?.alias?.value;
      if (before === after) continue;
      if (before !== undefined) this.#changeAliases(before, (aliases) => aliases.delete(id));
      if (after !== undefined) this.#changeAliases(after, (aliases) => aliases.add(id));
    }
  }

  #changeAliases(id: PersonId, change: (aliases: Set<PersonId>) => void): void {
    if (this.#rows.persons.forgotten.has(id)) return;
    const person = this.#draft.person(id) ?? nobodyYet(id);
    const aliases = new Set(person.aliases);
    change(aliases);
    this.#draft.putPerson({ ...person, aliases: [...aliases].sort() });
  }

  /** The names of all tags whose holder, or whose holder's name, changes. */
  #deriveNames(): ReadonlyMap<TallyId, StampedName | undefined> {
    const draft = this.#draft;
    const { persons, timelines } = this.#rows;
    const tags = new Set<TallyId>(timelines.changed.keys());
    for (const id of persons.changed.keys()) {
      for (const each of draft.idsOf(draft.resolve(id)))
        for (const tag of draft.person(each)?.tags ?? []) tags.add(tag);
    }
    const names = new Map<TallyId, StampedName | undefined>();
    for (const tag of tags) this.#putName(names, tag, this.#nameOf(tag));
    for (const id of persons.changed.keys())
      for (const each of draft.idsOf(draft.resolve(id))) this.#deriveReservedName(names, each);
    for (const tag of timelines.forgotten) this.#putName(names, tag, undefined);
    return names;
  }

  #nameOf(tag: TallyId): StampedName | undefined {
    const present = presentEntry(this.#draft.timeline(tag));
    if (present === undefined) return undefined;
    const { holder } = present;
    const name = holder === undefined ? undefined : this.#draft.whole(this.#draft.resolve(holder))?.name;
    return { id: tag, name: name?.value, stamp: name?.stamp ?? present.stamp };
  }

  /** A person who had no tag once is in the mapping with their tag of last resort. */
  #deriveReservedName(names: Map<TallyId, StampedName | undefined>, id: PersonId): void {
    if (this.#draft.person(id)?.isUntagged !== true) return;
    const tag = this.#lastResortOf(id);
    const named = this.#nameOf(tag);
    this.#putName(names, tag, named?.name === undefined ? undefined : named);
  }

  #putName(names: Map<TallyId, StampedName | undefined>, tag: TallyId, name: StampedName | undefined): void {
    const before = this.#draft.nameRow(tag);
    const isAsBefore =
      isSameName(before?.name, name?.name) && compareStamps(before?.stamp, name?.stamp) === 0;
    if (!isAsBefore || (before === undefined) !== (name === undefined)) names.set(tag, name);
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
