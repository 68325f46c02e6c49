import type { PutOutcome } from '../ports/names/mapping-store.js';
import type { PeopleStore } from '../ports/people/people-store.js';
import type { Calendar } from '../time/calendar.js';
import type { Timekeeper } from '../time/timekeeper.js';
import type { Name } from '../values/name.js';
import type { GroupId } from '../values/people/group.js';
import type { Person, PersonId } from '../values/people/person.js';
import type { Timeline } from '../values/people/timeline.js';
import type { TallyId } from '../values/tally-id.js';
import { changePeople, readPeople } from './change-people.js';
import type { ChangedPerson } from './changed-person.js';
import { existingPerson } from './existing-person.js';
import { GroupService } from './group-service.js';
import { GroupView } from './group-view.js';
import { importPersons } from './import-persons.js';
import { Moment } from './moment.js';
import { nameTag, takeName } from './name-tag.js';
import { nameTagsAlone } from './name-tags.js';
import type { PeopleDraft } from './people-draft.js';
import { conflict, personNotFound } from './people-errors.js';
import { fieldsWithin, newFieldsWithin, setFields, type PersonFields } from './person-fields.js';
import { removePerson } from './remove-person.js';
import { actOnTag, lendBadge, type LentBadge, type TagAct, type TagChange } from './tag-acts.js';

export interface PeopleDependencies {
  readonly people: PeopleStore;
  readonly timekeeper: Timekeeper;
  readonly calendar: Calendar;
}

/** Who a tag belongs to, and who people are: decides, and writes persons, timelines and names. */
export class PeopleService {
  readonly groups: GroupService;
  readonly #people: PeopleStore;
  readonly #moment: Moment;

  constructor(parts: PeopleDependencies) {
    this.#people = parts.people;
    this.#moment = new Moment(parts);
    this.groups = new GroupService(parts.people);
  }

  /** A person, with everything of those who were merged into them; `undefined` if there is none. */
  person(id: PersonId): Promise<Person | undefined> {
    return readPeople(this.#people, (draft) => draft.whole(draft.resolve(id)));
  }

  /**
   * The tag of last resort of a person who has no tag, so that something can be recorded for them. They are in the mapping with it
   * from now on.
   *
   * @throws {TallybookError} `PERSON_NOT_FOUND`, or `PERSON_CONFLICT` if they have a tag.
   */
  lastResortOf(id: PersonId): Promise<TallyId> {
    return this.#change((draft) => {
      const person = existingPerson(draft, id);
      if (draft.heldBy(person.id).length > 0) throw conflict('this person has a tag');
      draft.putPerson({ ...person, isUntagged: true });
      return this.#people.lastResortOf(person.id);
    });
  }

  timeline(tag: TallyId): Promise<Timeline> {
    return readPeople(this.#people, (draft) => draft.timeline(tag));
  }

  /**
   * Adds a person: without a tag, until they are given one, or with a badge that nobody has.
   *
   * @param options `within`: the groups that the sender is bound to: the person is in one of them, and in no other.
   * @throws {TallybookError} `NOT_ALLOWED`; with a badge `PERSON_CONFLICT` if somebody has it now or had it then, it is lost, or the
   * second is in the future; `RESERVED_TALLY_ID`; and `CLOCK_NOT_TRUSTED` if the time is needed and not known. Otherwise as the store
   * rejects.
   */
  async add(
    fields: PersonFields & { readonly name: Name },
    {
      badge,
      within,
    }: { readonly badge?: LentBadge | undefined; readonly within?: readonly GroupId[] | undefined } = {},
  ): Promise<PersonId> {
    const id = this.#people.newId();
    return this.#change((draft, moment) => {
      const view = new GroupView(draft, within);
      const allowed = newFieldsWithin(draft, moment, { fields, within });
      const person = setFields(draft, moment, { root: id, fields: allowed, view });
      draft.putPerson(badge === undefined ? { ...person, isUntagged: true } : person);
      if (badge !== undefined) lendBadge(draft, moment, { ...badge, holder: id });
      return id;
    });
  }

  /**
   * @param within The groups that the sender is bound to: only a person who is in one of them today is found, stays in one, and
   * keeps all other groups.
   * @throws {TallybookError} `PERSON_NOT_FOUND`; `NOT_ALLOWED`; `INVALID_GROUP` if there are too many groups, or memberships of theirs;
   * `CLOCK_NOT_TRUSTED` if the time is needed and not known.
   */
  correct(id: PersonId, fields: PersonFields, within?: readonly GroupId[]): Promise<void> {
    return this.#change((draft, moment) => {
      const root = existingPerson(draft, id).id;
      const view = new GroupView(draft, within);
      if (within !== undefined && !view.has(root, moment.today())) throw personNotFound();
      const allowed = fieldsWithin(draft, moment, { fields, within });
      draft.putPerson(setFields(draft, moment, { root, fields: allowed, view }));
    });
  }

  /**
   * Removes a person with their number and name. Their tags are nobody's since they got them; what is recorded stays. Resolves with
   * whether there was one.
   */
  remove(id: PersonId): Promise<boolean> {
    return this.#change((draft, moment) => removePerson(draft, moment, id));
  }

  /**
   * Does something with a tag, or, in a dry run, shows what it would do.
   *
   * @throws {TallybookError} `PERSON_NOT_FOUND`; `CLOCK_NOT_TRUSTED` if the time is needed and not known; `PERSON_CONFLICT` if
   * nobody holds the tag then, it is not lost, there is no such entry, or the second is in the future.
   */
  async act(
    tag: TallyId,
    act: TagAct,
    { isDryRun = false }: { readonly isDryRun?: boolean } = {},
  ): Promise<TagChange> {
    const run = isDryRun ? readPeople : changePeople;
    return run(this.#people, (draft) => actOnTag(draft, this.#moment, { tag, act }));
  }

  /**
   * Says that two persons are one. Resolves with the id that stays: the smaller one.
   *
   * @throws {TallybookError} `PERSON_NOT_FOUND`, or `PERSON_CONFLICT` if both are the same.
   */
  merge(one: PersonId, other: PersonId): Promise<PersonId> {
    return this.#change((draft, moment) => {
      const [a, b] = [existingPerson(draft, one), existingPerson(draft, other)];
      if (a.id === b.id) throw conflict('these are one person already');
      const [{ id: smaller }, merged] = a.id < b.id ? [a, b] : [b, a];
      draft.putPerson({ ...merged, alias: moment.stamped(smaller, merged.alias?.stamp, merged.removed) });
      return smaller;
    });
  }

  /**
   * Undoes a merge: this id is a person of their own again.
   *
   * @throws {TallybookError} `PERSON_NOT_FOUND`, or `PERSON_CONFLICT` if they were not merged.
   */
  split(id: PersonId): Promise<void> {
    return this.#change((draft, moment) => {
      const person = draft.person(id);
      if (person === undefined) throw personNotFound();
      if (person.alias?.value === undefined) throw conflict('this person was not merged into another one');
      draft.putPerson({ ...person, alias: moment.stamped<PersonId>(undefined, person.alias.stamp) });
    });
  }

  /** Names the present holder of a tag, as `POST /api/mapping` does. */
  nameTag(tag: TallyId, name: Name): Promise<PutOutcome> {
    const newId = this.#newIds();
    return this.#change((draft, moment) => nameTag(draft, moment, { tag, name, newId }));
  }

  /** Names the holders of tags, or takes their names away; all or none. Resolves with the names before. */
  nameTags(changes: ReadonlyMap<TallyId, Name | undefined>): Promise<ReadonlyMap<TallyId, Name>> {
    const newId = this.#newIds();
    return this.#change((draft, moment) => {
      const before = new Map<TallyId, Name>();
      for (const [tag, name] of changes) {
        const former = draft.nameRow(tag)?.name;
        if (former !== undefined) before.set(tag, former);
        if (name !== undefined) nameTag(draft, moment, { tag, name, newId });
        else if (former !== undefined) takeName(draft, moment, tag);
      }
      return before;
    });
  }

  /**
   * Changes the persons of a list, and adds new ones: all or none. Resolves with their ids, or with `undefined`, and changes nothing, if
   * persons or tags are no longer what the changes were decided on.
   *
   * A tag that nobody ever had is theirs from the beginning, another one from today.
   *
   * @throws {TallybookError} `INVALID_GROUP` if there are too many groups; `CLOCK_NOT_TRUSTED` if the time is needed and not known.
   */
  async importPersons(changes: readonly ChangedPerson[]): Promise<readonly PersonId[] | undefined> {
    const named = await nameTagsAlone(this.#people, changes);
    if (named !== undefined) return named;
    // A decision is made again and again, with the same ids.
    const identified = changes.map((change) => ({ ...change, id: change.seen?.id ?? this.#people.newId() }));
    return this.#change((draft, moment) => importPersons(draft, moment, identified));
  }

  /** The ids of new persons, one for each tag: a decision is made again and again, with the same ids. */
  #newIds(): (tag: TallyId) => PersonId {
    const ids = new Map<TallyId, PersonId>();
    return (tag) => {
      const id = ids.get(tag) ?? this.#people.newId();
      ids.set(tag, id);
      return id;
    };
  }

  #change<T>(decide: (draft: PeopleDraft, moment: Moment) => T): Promise<T> {
    return changePeople(this.#people, (draft) => decide(draft, this.#moment));
  }
}
