import { TallybookError } from '../errors.js';
import type { PeopleStore } from '../ports/people/people-store.js';
import type { PutOutcome } from '../ports/names/mapping-store.js';
import type { Calendar } from '../time/calendar.js';
import type { Timekeeper } from '../time/timekeeper.js';
import { compareStamps, type Stamp } from '../values/stamp.js';
import { isSameName, type Name } from '../values/name.js';
import type { TallyId } from '../values/tally-id.js';
import type { Day } from '../values/day.js';
import type { Timestamp } from '../values/timestamp.js';
import { changeMemberships } from './change-memberships.js';
import { GroupService, nameOfGroup, useGroup } from './group-service.js';
import { GroupView } from './group-view.js';
import { changePeople, readPeople, type PeopleDraft } from './people-draft.js';
import { nameTagsAlone } from './name-tags.js';
import { areAsSeen, type ChangedPerson } from './changed-person.js';
import { mergeMemberships, MEMBERSHIPS_MAX, type GroupId } from '../values/people/group.js';
import type { Stamped } from '../values/people/stamped.js';
import {
  implicitPerson,
  isSameFirstName,
  nobodyYet,
  personOfReserved,
  withMemberships,
  type Guest,
  type Person,
  type PersonId,
} from '../values/people/person.js';
import { isReservedTallyId } from '../values/tally-id.js';
import {
  entryAt,
  presentEntry,
  standing,
  type Timeline,
  type TimelineEntry,
} from '../values/people/timeline.js';

const BEGINNING = 0 as Timestamp;

export interface PeopleDependencies {
  readonly people: PeopleStore;
  readonly timekeeper: Timekeeper;
  readonly calendar: Calendar;
}

/** What is known of a person. `null` takes a value away; an absent field stays. */
export interface PersonFields {
  readonly name?: Name;
  readonly number?: string | null;
  /** First day of membership. */
  readonly from?: Day | null;
  /** Last day of membership. */
  readonly until?: Day | null;
  /** `null`: they become a member. */
  readonly guest?: Guest | null;
  /** The names, as `parseGroupName` gives them, of all groups that they are in from {@link groupsSince} on. */
  readonly groups?: readonly string[];
  /** Default: today, but from the beginning for somebody who was never in a group. */
  readonly groupsSince?: Day;
}

/** Something that happens to a tag. */
export type TagAct =
  /** It is given, or handed on, to a person: theirs from then on. */
  | { readonly act: 'give'; readonly person: PersonId; readonly since?: Timestamp }
  /** It is lost: from then on its taps count for nobody. */
  | { readonly act: 'lost'; readonly since?: Timestamp }
  /** Its holder gave it back. */
  | { readonly act: 'returned'; readonly since?: Timestamp }
  /** A lost tag is its holder's again. */
  | { readonly act: 'found'; readonly since?: Timestamp }
  /** It was this person's all along: in place of the entry of that second, or of the present one. */
  | { readonly act: 'all-along'; readonly person: PersonId; readonly since?: Timestamp }
  /** The entry of that second, or the present one, was a mistake. */
  | { readonly act: 'undo'; readonly since?: Timestamp };

/** A tag of the house that somebody is lent. */
export interface LentBadge {
  readonly tag: TallyId;
  /** Default: now. */
  readonly since?: Timestamp | undefined;
}

type NewId = (tag: TallyId) => PersonId;

/** A timeline before and after an act. */
export interface TagChange {
  readonly before: Timeline;
  readonly after: Timeline;
}

/** Who a tag belongs to, and who people are: decides, and writes persons, timelines and names. */
export class PeopleService {
  readonly groups: GroupService;
  readonly #parts: PeopleDependencies;

  constructor(parts: PeopleDependencies) {
    this.#parts = parts;
    this.groups = new GroupService(parts.people);
  }

  /** A person, with everything of those who were merged into them; `undefined` if there is none. */
  person(id: PersonId): Promise<Person | undefined> {
    return this.#read((draft) => draft.whole(draft.resolve(id)));
  }

  /**
   * The tag of last resort of a person who has no tag, so that something can be recorded for them. They are in the mapping with it
   * from now on.
   *
   * @throws {TallybookError} `PERSON_NOT_FOUND`, or `PERSON_CONFLICT` if they have a tag.
   */
  lastResortOf(id: PersonId): Promise<TallyId> {
    return this.#change((draft) => {
      const person = existing(draft, id);
      if (draft.heldBy(person.id).length > 0) throw conflict('this person has a tag');
      draft.putPerson({ ...person, isUntagged: true });
      return this.#parts.people.lastResortOf(person.id);
    });
  }

  timeline(tag: TallyId): Promise<Timeline> {
    return this.#read((draft) => draft.timeline(tag));
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
    const id = this.#parts.people.newId();
    return this.#change((draft) => {
      const view = new GroupView(draft, within);
      // Whoever is bound to one group alone need not name it.
      const [own, ...others] = within ?? [];
      const groups =
        fields.groups ?? (own !== undefined && others.length === 0 ? [nameOfGroup(draft, own)] : []);
      const set = within === undefined ? fields : this.#fieldsWithin(draft, view, { ...fields, groups });
      const person = this.#set(draft, id, set, view);
      draft.putPerson(badge === undefined ? { ...person, isUntagged: true } : person);
      if (badge !== undefined) this.#lend(draft, id, badge);
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
    return this.#change((draft) => {
      const root = existing(draft, id).id;
      const view = new GroupView(draft, within);
      if (within !== undefined && !view.has(root, this.#today())) throw notFound();
      const set = within === undefined ? fields : this.#fieldsWithin(draft, view, fields);
      draft.putPerson(this.#set(draft, root, set, view));
    });
  }

  /**
   * Removes a person with their number and name. Their tags are nobody's since they got them; what is recorded stays. Resolves with
   * whether there was one.
   */
  remove(id: PersonId): Promise<boolean> {
    return this.#change((draft) => {
      const root = draft.resolve(id);
      const person = draft.whole(root);
      if (person?.name?.value === undefined) return false;
      for (const tag of draft.heldBy(root)) this.#vacate(draft, tag);
      for (const each of draft.idsOf(root)) {
        const one = draft.person(each);
        if (one !== undefined)
          draft.putPerson({ ...withoutFields(one), removed: this.#stampAfter(latestOf(one)) });
      }
      return true;
    });
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
    const run = isDryRun ? this.#read.bind(this) : this.#change.bind(this);
    return run((draft): TagChange => {
      const before = draft.timeline(tag);
      this.#act(draft, before, act);
      this.#markUntagged(draft, presentEntry(before)?.holder);
      return { before, after: draft.timeline(tag) };
    });
  }

  /**
   * Says that two persons are one. Resolves with the id that stays: the smaller one.
   *
   * @throws {TallybookError} `PERSON_NOT_FOUND`, or `PERSON_CONFLICT` if both are the same.
   */
  merge(one: PersonId, other: PersonId): Promise<PersonId> {
    return this.#change((draft) => {
      const [a, b] = [existing(draft, one), existing(draft, other)];
      if (a.id === b.id) throw conflict('these are one person already');
      const [{ id: smaller }, merged] = a.id < b.id ? [a, b] : [b, a];
      draft.putPerson({ ...merged, alias: this.#stamped(smaller, merged.alias?.stamp, merged.removed) });
      return smaller;
    });
  }

  /**
   * Undoes a merge: this id is a person of their own again.
   *
   * @throws {TallybookError} `PERSON_NOT_FOUND`, or `PERSON_CONFLICT` if they were not merged.
   */
  split(id: PersonId): Promise<void> {
    return this.#change((draft) => {
      const person = draft.person(id);
      if (person === undefined) throw notFound();
      if (person.alias?.value === undefined) throw conflict('this person was not merged into another one');
      draft.putPerson({ ...person, alias: this.#stamped<PersonId>(undefined, person.alias.stamp) });
    });
  }

  /** Names the present holder of a tag, as `POST /api/mapping` does. */
  nameTag(tag: TallyId, name: Name): Promise<PutOutcome> {
    const newId = this.#newIds();
    return this.#change((draft) => this.#nameTag(draft, tag, name, newId));
  }

  /** Names the holders of tags, or takes their names away; all or none. Resolves with the names before. */
  nameTags(changes: ReadonlyMap<TallyId, Name | undefined>): Promise<ReadonlyMap<TallyId, Name>> {
    const newId = this.#newIds();
    return this.#change((draft) => {
      const before = new Map<TallyId, Name>();
      for (const [tag, name] of changes) {
        const former = draft.nameRow(tag)?.name;
        if (former !== undefined) before.set(tag, former);
        if (name !== undefined) this.#nameTag(draft, tag, name, newId);
        else if (former !== undefined) this.#takeName(draft, tag);
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
    const { people } = this.#parts;
    const named = await nameTagsAlone(people, changes);
    if (named !== undefined) return named;
    // A decision is made again and again, with the same ids.
    const newIds = changes.map(({ seen }) => (seen === undefined ? people.newId() : seen.id));
    return this.#change((draft) => {
      if (!areAsSeen(draft, changes)) return undefined;
      const former = changes.flatMap(({ gets, loses }) =>
        [...gets.map(({ tag }) => tag), ...loses].flatMap(
          (tag) => presentEntry(draft.timeline(tag))?.holder ?? [],
        ),
      );
      const ids = changes.map((change, index) => this.#import(draft, change, newIds[index]));
      for (const holder of new Set(former)) this.#markUntagged(draft, holder);
      return ids;
    });
  }

  #import(
    draft: PeopleDraft,
    { seen, fields, gets, loses }: ChangedPerson,
    newId: PersonId = this.#parts.people.newId(),
  ): PersonId {
    const named = seen === undefined ? gets.find(({ tag }) => wasNobodys(draft, tag))?.tag : undefined;
    const id = named === undefined ? newId : implicitPerson(named);
    if (Object.keys(fields).length > 0) draft.putPerson(this.#set(draft, id, fields));
    for (const { tag } of gets) {
      if (tag === named) continue;
      const timeline = draft.timeline(tag);
      const present = presentEntry(timeline);
      const isAnew = present === undefined || present.why === 'removed';
      const since = isAnew ? (present?.since ?? BEGINNING) : this.#fromToday(timeline);
      this.#put(draft, tag, { since, holder: id, why: 'given' });
    }
    for (const tag of loses) this.#put(draft, tag, { since: this.#now(), why: 'lost' });
    const isNew = seen === undefined;
    if (isNew && gets.length === 0)
      draft.putPerson({ ...(draft.person(id) ?? nobodyYet(id)), isUntagged: true });
    return id;
  }

  #lend(draft: PeopleDraft, holder: PersonId, { tag, since }: LentBadge): void {
    if (isReservedTallyId(tag)) throw reserved(tag);
    const present = presentEntry(draft.timeline(tag));
    if (present?.holder !== undefined) throw conflict('somebody has this badge');
    if (present?.why === 'lost') throw conflict('this badge is lost');
    const from = this.#sinceOf(since ?? this.#now());
    if (present !== undefined && from < present.since) throw conflict('somebody else had this badge then');
    this.#put(draft, tag, { since: from, holder, why: 'given' });
  }

  #act(draft: PeopleDraft, timeline: Timeline, act: TagAct): void {
    const { tag } = timeline;
    if (isReservedTallyId(tag)) throw reserved(tag);
    const present = presentEntry(timeline);
    switch (act.act) {
      case 'give': {
        const person = existing(draft, act.person).id;
        // What was recorded of a badge before is not that of a guest, who is erased with it.
        const isFirst = standing(timeline).length === 0 && draft.whole(person)?.guest?.value === undefined;
        const since = this.#sinceOf(act.since ?? (isFirst ? BEGINNING : undefined));
        this.#put(draft, tag, { since, holder: person, why: 'given' });
        return;
      }
      case 'lost':
      case 'returned': {
        // The tap that gives it back is still the holder's, and may be answered in its own second.
        const since = this.#sinceOf(act.since, act.act === 'returned' ? 1 : 0);
        if (entryAt(timeline, since)?.holder === undefined) throw conflict('nobody holds this tag then');
        this.#put(draft, tag, { since, why: act.act });
        return;
      }
      case 'found': {
        if (present?.why !== 'lost') throw conflict('this tag is not lost');
        const holder = standing(timeline).findLast((entry) => entry.holder !== undefined)?.holder;
        if (holder === undefined) throw conflict('nobody held this tag before');
        const since = this.#sinceOf(act.since);
        if (since < present.since) throw conflict('this tag was not lost then');
        this.#put(draft, tag, { since, holder, why: 'given' });
        return;
      }
      case 'all-along': {
        const person = existing(draft, act.person).id;
        const since = this.#sinceOf(act.since ?? present?.since ?? BEGINNING);
        if (act.since !== undefined) this.#entryOf(timeline, act.since);
        this.#put(draft, tag, { since, holder: person, why: 'given' });
        return;
      }
      case 'undo':
        this.#undo(draft, timeline, this.#entryOf(timeline, act.since ?? present?.since));
    }
  }

  /** Who is left without a tag is in the mapping with that of last resort from now on. */
  #markUntagged(draft: PeopleDraft, holder: PersonId | undefined): void {
    const root = holder && draft.resolve(holder);
    if (root === undefined || draft.heldBy(root).length > 0) return;
    const person = draft.person(root);
    if (person !== undefined && draft.whole(root)?.name?.value !== undefined)
      draft.putPerson({ ...person, isUntagged: true });
  }

  /** Puts an entry. The next one was taken from its holder now. */
  #put(draft: PeopleDraft, tag: TallyId, entry: Pick<TimelineEntry, 'since' | 'holder' | 'why'>): void {
    const { entries } = draft.timeline(tag);
    const former = entries.find(({ since }) => since === entry.since);
    const before = standing({ entries }).findLast(({ since }) => since < entry.since);
    const put: TimelineEntry = {
      ...entry,
      stamp: this.#stampAfter(former?.stamp),
      ...(former && { over: former.stamp }),
      ...(before?.holder !== undefined && { after: before.holder }),
    };
    draft.putTimeline({ tag, entries: this.#withNext(withEntry(entries, put), put.since) });
  }

  #undo(draft: PeopleDraft, { tag, entries }: Timeline, { since, why, stamp }: TimelineEntry): void {
    const undone: TimelineEntry = { since, why, stamp: this.#stampAfter(stamp), over: stamp, isUndone: true };
    draft.putTimeline({ tag, entries: this.#withNext(withEntry(entries, undone), since) });
  }

  /** Writes anew from whom the entry after a second was taken. */
  #withNext(entries: readonly TimelineEntry[], second: Timestamp): readonly TimelineEntry[] {
    const next = standing({ entries }).find(({ since }) => since > second);
    if (next === undefined) return entries;
    const before = standing({ entries }).findLast(({ since }) => since < next.since);
    if (next.after === before?.holder && next.doubt === undefined) return entries;
    const { after: _, doubt: __, ...rest } = next;
    const after = before?.holder;
    return withEntry(entries, {
      ...rest,
      ...{ stamp: this.#stampAfter(next.stamp), over: next.stamp },
      ...(after !== undefined && { after }),
    });
  }

  #nameTag(draft: PeopleDraft, tag: TallyId, name: Name, newId: NewId): PutOutcome {
    const giveToNew = (since: Timestamp): void => {
      const id = newId(tag);
      draft.putPerson(this.#set(draft, id, { name }));
      this.#put(draft, tag, { since, holder: id, why: 'given' });
    };
    const timeline = draft.timeline(tag);
    const present = presentEntry(timeline);
    if (isReservedTallyId(tag)) return this.#nameReserved(draft, tag, name);
    if (present?.holder !== undefined) {
      const root = draft.resolve(present.holder);
      const { name: its, guest } = draft.whole(root) ?? {};
      const former = its?.value;
      const others = draft.heldBy(root).filter((other) => other !== tag);
      // A guest is erased: the badge that they left with is somebody else's.
      const isKept = others.length > 0 || guest?.value !== undefined;
      if (isKept && former !== undefined && !isSameFirstName(former, name)) {
        giveToNew(this.#fromToday(timeline));
      } else draft.putPerson(this.#set(draft, root, { name }));
      return former === undefined ? 'added' : 'replaced';
    }
    if (!draft.hasTimelineRow(tag)) draft.putPerson(this.#set(draft, implicitPerson(tag), { name }));
    else if (present === undefined) giveToNew(BEGINNING);
    else if (present.why === 'removed') giveToNew(present.since);
    else {
      const before = standing(timeline).findLast(({ holder }) => holder !== undefined)?.holder;
      const root = before === undefined ? undefined : draft.resolve(before);
      const since = this.#fromToday(timeline);
      const isTheirs = root !== undefined && isSameName(draft.whole(root)?.name?.value, name);
      if (isTheirs) this.#put(draft, tag, { since, holder: root, why: 'given' });
      else giveToNew(since);
    }
    return 'added';
  }

  #nameReserved(draft: PeopleDraft, tag: TallyId, name: Name): PutOutcome {
    const holder = presentEntry(draft.timeline(tag))?.holder ?? personOfReserved(tag);
    const root = draft.resolve(holder);
    const hadName = draft.whole(root)?.name?.value !== undefined;
    draft.putPerson(this.#set(draft, root, { name }));
    draft.putPerson({ ...(draft.person(holder) ?? nobodyYet(holder)), isUntagged: true });
    return hadName ? 'replaced' : 'added';
  }

  /** The ids of new persons, one for each tag: a decision is made again and again, with the same ids. */
  #newIds(): NewId {
    const ids = new Map<TallyId, PersonId>();
    return (tag) => {
      const id = ids.get(tag) ?? this.#parts.people.newId();
      ids.set(tag, id);
      return id;
    };
  }

  /** Nobody takes the place of the present holder. */
  #takeName(draft: PeopleDraft, tag: TallyId): void {
    if (isReservedTallyId(tag))
      throw conflict('this is the tag of last resort of a person: remove the person instead');
    const present = presentEntry(draft.timeline(tag));
    if (present?.holder === undefined) return;
    const implicit = draft.person(implicitPerson(tag));
    if (!draft.hasTimelineRow(tag)) {
      if (implicit === undefined) return;
      draft.putPerson({ ...implicit, name: this.#stamped<Name>(undefined, implicit.name?.stamp) });
      return;
    }
    this.#vacate(draft, tag);
    // Their name said all about them.
    if (implicit?.id === present.holder && isNameAlone(draft, implicit))
      draft.putPerson({ ...withoutFields(implicit), removed: this.#stampAfter(latestOf(implicit)) });
  }

  #vacate(draft: PeopleDraft, tag: TallyId): void {
    const since = presentEntry(draft.timeline(tag))?.since;
    if (since !== undefined) this.#put(draft, tag, { since, why: 'removed' });
  }

  /** A value is later than that of each person who was merged into this one, and than the removal. */
  #set(
    draft: PeopleDraft,
    root: PersonId,
    { name, number, from, until, guest, groups, groupsSince }: PersonFields,
    view: GroupView = new GroupView(draft, undefined),
  ): Person {
    const { doubt, ...rest } = draft.person(root) ?? nobodyYet(root);
    const whole = draft.whole(root);
    const stamped = <T>(value: T | null, field: 'name' | 'number' | 'from' | 'until' | 'guest'): Stamped<T> =>
      this.#stamped(value ?? undefined, whole?.[field]?.stamp, rest.removed);
    return {
      ...rest,
      ...(name === undefined ? doubt && { doubt } : { name: stamped(name, 'name') }),
      ...(number !== undefined && { number: stamped(number, 'number') }),
      ...(from !== undefined && { from: stamped(from, 'from') }),
      ...(until !== undefined && { until: stamped(until, 'until') }),
      ...(guest !== undefined && { guest: stamped(guest, 'guest') }),
      ...(groups !== undefined && this.#setGroups(draft, rest, { groups, groupsSince, view })),
    };
  }

  /** The memberships of a person's own row, with the changed ones of those who were merged into them. */
  #setGroups(
    draft: PeopleDraft,
    { id, memberships, removed }: Person,
    {
      groups,
      groupsSince,
      view,
    }: {
      readonly groups: readonly string[];
      readonly groupsSince: Day | undefined;
      /** Other groups stay as they are. */
      readonly view: GroupView;
    },
  ): Pick<Person, 'memberships'> {
    const wanted = groups.map((name) => useGroup(draft, name, this.#parts.people));
    const changed = changeMemberships({
      memberships: draft.whole(id)?.memberships ?? [],
      wanted: new Set(wanted),
      since: groupsSince,
      today: () => this.#today(),
      resolve: (group) => draft.resolveGroup(group),
      stampAfter: (before) => this.#stampAfter(before),
      removed,
    });
    const own = changed.filter(({ group }) => view.hasGroup(draft.resolveGroup(group)));
    const all = mergeMemberships(memberships, own);
    if (all.length > Math.max(MEMBERSHIPS_MAX, memberships?.length ?? 0))
      throw new TallybookError(
        'INVALID_GROUP',
        `a person has at most ${MEMBERSHIPS_MAX} memberships of groups, with those that ended or were undone`,
      );
    return withMemberships(all);
  }

  /** Fields that somebody who is bound to groups may set. */
  #fieldsWithin(
    draft: PeopleDraft,
    view: GroupView,
    { groupsSince, groups, ...fields }: PersonFields,
  ): PersonFields {
    if (groups === undefined) return fields;
    if (groupsSince !== undefined && groupsSince !== this.#today())
      throw notAllowed('since: you are bound to groups, so you change who is in them from today on');
    if (groups.length === 0)
      throw notAllowed('groups: you are bound to groups, so the person must be in one of them');
    const isOwn = (name: string): boolean => {
      const group = draft.groupNamed(name);
      return group !== undefined && view.hasGroup(group);
    };
    if (!groups.every(isOwn))
      throw notAllowed('groups: you are bound to groups, so you can put nobody into another one');
    return { ...fields, groups };
  }

  #stamped<T>(value: T | undefined, ...before: readonly (Stamp | undefined)[]): Stamped<T> {
    return {
      value,
      stamp: this.#stampAfter(
        before
          .flatMap((stamp) => stamp ?? [])
          .sort(compareStamps)
          .at(-1),
      ),
    };
  }

  #stampAfter(before: Stamp | undefined): Stamp {
    return this.#parts.people.stampAfter(before);
  }

  /** The first second since which every second up to now is of today; after the present entry, if there is time for that. */
  #fromToday(timeline: Timeline): Timestamp {
    const now = this.#now();
    const { calendar } = this.#parts;
    const start = calendar.startOf(now);
    const present = presentEntry(timeline)?.since ?? BEGINNING;
    return Math.min(Math.max(start, present + 1), now) as Timestamp;
  }

  #sinceOf(since: Timestamp | undefined, ahead = 0): Timestamp {
    if (since === BEGINNING) return since;
    const now = this.#now();
    if (since === undefined) return now;
    if (since > now + ahead) throw conflict('the second is in the future');
    return since;
  }

  #today(): Day {
    return this.#parts.calendar.dayOf(this.#now());
  }

  #now(): Timestamp {
    const { timekeeper } = this.#parts;
    const trust = timekeeper.trust();
    if (trust.isTrusted) return timekeeper.now();
    const message = `the holder of a tag cannot change while the clock may be wrong (${trust.doubt}): set the time first`;
    throw new TallybookError('CLOCK_NOT_TRUSTED', message, { details: { doubt: trust.doubt } });
  }

  #entryOf(timeline: Timeline, since: Timestamp | undefined): TimelineEntry {
    const entry = standing(timeline).find((each) => each.since === since);
    if (entry === undefined) throw conflict('nothing happened to this tag in that second');
    return entry;
  }

  #change<T>(decide: (draft: PeopleDraft) => T): Promise<T> {
    return changePeople(this.#parts.people, decide);
  }

  #read<T>(decide: (draft: PeopleDraft) => T): Promise<T> {
    return readPeople(this.#parts.people, decide);
  }
}

/** Whether a tag is in no row but, at most, that of a name that was taken away. */
function wasNobodys(draft: PeopleDraft, tag: TallyId): boolean {
  return !draft.hasTimelineRow(tag) && presentEntry(draft.timeline(tag)) === undefined;
}

function withEntry(entries: readonly TimelineEntry[], entry: TimelineEntry): readonly TimelineEntry[] {
  return [...entries.filter(({ since }) => since !== entry.since), entry].sort((a, b) => a.since - b.since);
}

/** The person that an id stands for now. */
function existing(draft: PeopleDraft, id: PersonId): Person {
  const root = draft.resolve(id);
  if (draft.whole(root)?.name?.value === undefined) throw notFound();
  return draft.person(root) ?? nobodyYet(root);
}

/** Whether nothing is known of a person but a name, and no other tag was ever theirs. */
function isNameAlone(
  draft: PeopleDraft,
  { id, number, from, until, guest, memberships, alias, isUntagged, tags, aliases }: Person,
): boolean {
  const fields = [number, from, until, guest, alias];
  const isPlain = memberships === undefined && fields.every((field) => field?.value === undefined);
  const holds = (tag: TallyId): boolean => standing(draft.timeline(tag)).some(({ holder }) => holder === id);
  return isPlain && isUntagged !== true && aliases.length === 0 && !tags.some(holds);
}

function withoutFields({ id, isUntagged, tags, aliases }: Person): Person {
  return { id, ...(isUntagged && { isUntagged }), tags, aliases };
}

/** The latest stamp of a person's values. */
function latestOf({
  name,
  number,
  from,
  until,
  guest,
  memberships = [],
  alias,
  removed,
}: Person): Stamp | undefined {
  const stamps = [name, number, from, until, guest, alias, ...memberships].flatMap(
    (each) => each?.stamp ?? [],
  );
  return [...stamps, ...(removed ? [removed] : [])].sort(compareStamps).at(-1);
}

function notFound(): TallybookError {
  return new TallybookError('PERSON_NOT_FOUND', 'there is no such person');
}

function notAllowed(message: string): TallybookError {
  return new TallybookError('NOT_ALLOWED', message);
}

function conflict(message: string): TallybookError {
  return new TallybookError('PERSON_CONFLICT', message);
}

function reserved(tag: TallyId): TallybookError {
  return new TallybookError(
    'RESERVED_TALLY_ID',
    `${tag} is the tag of last resort of a person, and is never handed on`,
  );
}
