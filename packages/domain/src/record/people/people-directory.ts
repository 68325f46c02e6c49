import { rootOf } from '../../values/people/stamped.js';
import { GroupView, scansWithin, type ScanOfDay } from '../../people/group-view.js';
import { readPeople } from '../../people/change-people.js';
import { personPages } from '../../people/people-pages.js';
import type { PeopleDraft } from '../../people/people-draft.js';
import { implicitPerson, parsePersonId, type Person, type PersonId } from '../../values/people/person.js';
import { presentEntry } from '../../values/people/timeline.js';
import { groupsOn } from '../../people/holders.js';
import {
  groupName,
  resolvedMemberships,
  type Group,
  type GroupId,
  type Membership,
} from '../../values/people/group.js';
import type { MappingStore } from '../../ports/names/mapping-store.js';
import type { PeopleStore } from '../../ports/people/people-store.js';
import type { DayStore } from '../../ports/record/day-store.js';
import type { Revision } from '../../ports/revision.js';
import type { TagChange } from '../../people/tag-acts.js';
import type { Calendar } from '../../time/calendar.js';
import type { Timekeeper } from '../../time/timekeeper.js';
import type { Day } from '../../values/day.js';
import { isReservedTallyId, type TallyId } from '../../values/tally-id.js';
import { BEGINNING } from '../../values/timestamp.js';
import { alphabet } from '../alphabet.js';
import type { Entry } from '../../values/record/attendance-day.js';
import type { CorrectionStore } from '../ports/correction-store.js';
import { AFTER_NAME, AFTER_PERSON, afterName, parseAfter } from './page-cursor.js';
import { entriesWithin, presentPeople, type PeopleChoice, type PresentPerson } from './present-people.js';
import type { Pause } from '../turns.js';
import {
  detailOf,
  namedHoldings,
  summaryOf,
  type PersonDetail,
  type PersonSummary,
} from './person-summary.js';
import { countDays, movesBetween, type NamedHolding, type TagMove } from './tag-moves.js';

/** A page of persons. A page may have fewer than the limit. */
export interface PeoplePage {
  readonly people: readonly PersonSummary[];
  /** For the next page; `undefined` at the end. */
  readonly next: string | undefined;
}

/** A group as shown in lists. */
interface NamedGroup {
  readonly id: GroupId;
  readonly name: string;
  /** Number of persons who are in it today. */
  readonly members: number;
}

interface PeopleDirectoryDependencies {
  readonly people: PeopleStore;
  /** Holds the names of the persons that are no rows. */
  readonly mapping: MappingStore;
  readonly days: DayStore;
  /** Absent if nothing is corrected. */
  readonly corrections?: Pick<CorrectionStore, 'list'>;
  readonly calendar: Calendar;
  readonly timekeeper: Pick<Timekeeper, 'now'>;
  /** Lets other work run while days are counted. */
  readonly pause: Pause;
  /** Largest number of persons on a day for which there is memory. Default: no limit. */
  readonly maxTags?: number;
}

/** What an act on a tag changes. */
export interface TagReport {
  readonly before: readonly NamedHolding[];
  readonly after: readonly NamedHolding[];
  /** The spans of time whose holder becomes another one, with the number of days with a scan. */
  readonly moves: readonly (TagMove & { readonly days: number })[];
}

/** Persons as people look for them: in pages, and one with the timelines of their tags. */
export class PeopleDirectory {
  readonly #parts: PeopleDirectoryDependencies;

  constructor(parts: PeopleDirectoryDependencies) {
    this.#parts = parts;
  }

  /** Changes whenever a page or a person changes, and at midnight. */
  async revision(): Promise<Revision> {
    const { people, mapping } = this.#parts;
    return `${this.#today()} ${await people.revision()} ${await mapping.revision()}`;
  }

  /**
   * A page of persons: first those with a row, by id; then the implicit ones without a row, by tag.
   *
   * @param after `next` of the page before; `undefined` for the first page.
   * @param wanted `group`: only those who are in this group today. `within`: only what somebody sees who is bound to these groups.
   * @throws {TallybookError} `INVALID_PERSON` if `after` is not such a text; otherwise as the stores reject.
   */
  async page(after: string | undefined, limit: number, wanted: PeopleChoice = {}): Promise<PeoplePage> {
    if (wanted.group !== undefined || wanted.within !== undefined) return this.#members(wanted, after, limit);
    const people: PersonSummary[] = [];
    let next: string | undefined = after ?? AFTER_PERSON;
    while (next !== undefined && people.length < limit) {
      const page: PeoplePage = next.startsWith(AFTER_PERSON)
        ? await this.#rows(next.slice(AFTER_PERSON.length), limit - people.length)
        : await this.#names(afterName(next), limit - people.length);
      people.push(...page.people);
      ({ next } = page);
    }
    return { people, next };
  }

  /**
   * The groups by name, with the number of those who are in them today.
   *
   * @param within Only what somebody sees who is bound to these groups; likewise below.
   */
  async groups(within?: readonly GroupId[]): Promise<readonly NamedGroup[]> {
    const today = this.#today();
    const all = await this.#parts.people.groups();
    const resolve = resolverOf(all);
    const members = new Map<GroupId, number>();
    const count = (groups: readonly GroupId[]): void => {
      for (const group of groups) members.set(group, (members.get(group) ?? 0) + 1);
    };
    for await (const rows of personPages(this.#parts.people)) {
      const roots = rows.filter(({ alias }) => alias?.value === undefined);
      // Their own row says all of nearly everybody: nothing else is read.
      for (const { name, aliases, memberships } of roots)
        if (aliases.length === 0 && name?.value !== undefined) count(groupsOf(memberships, resolve, today));
      const merged = roots.filter(({ aliases }) => aliases.length > 0);
      const summaries = await this.#read((draft) =>
        merged.map(({ id }) => summaryOf(draft, id, today)?.groups ?? []),
      );
      for (const groups of summaries) count(groups);
    }
    const { compare } = alphabet();
    const roots = all.filter(({ alias }) => alias?.value === undefined);
    const seen = await this.#read((draft) => {
      const view = new GroupView(draft, within);
      return roots.filter(({ id }) => view.hasGroup(id));
    });
    return seen
      .map((group) => ({ id: group.id, name: groupName(group), members: members.get(group.id) ?? 0 }))
      .sort((a, b) => compare(a.name, b.name) || (a.id < b.id ? -1 : 1));
  }

  /** A person, or the one they were merged into; `undefined` if there is none. */
  person(id: PersonId, within?: readonly GroupId[]): Promise<PersonDetail | undefined> {
    return this.#read((draft) =>
      detailOf(draft, draft.resolve(id), this.#today(), new GroupView(draft, within)),
    );
  }

  /** Who was there, of the entries of a day: see {@link presentPeople}. */
  present(
    day: { readonly day: Day; readonly entries: readonly Entry[] },
    wanted?: PeopleChoice,
  ): Promise<readonly PresentPerson[]> {
    return presentPeople({ maxTags: Infinity, ...this.#parts }, day, wanted);
  }

  /** Those entries of a day that are all of one holder who is in one of these groups on that day. */
  entriesWithin(
    day: { readonly day: Day; readonly entries: readonly Entry[] },
    within: readonly GroupId[],
  ): Promise<readonly Entry[]> {
    return entriesWithin(this.#parts, day, within);
  }

  /** Those scans whose holders are in one of these groups on the day of the scan. */
  scansWithin<T extends ScanOfDay>(
    scans: readonly T[],
    within: readonly GroupId[] | undefined,
  ): Promise<readonly T[]> {
    return scansWithin(this.#parts.people, scans, within);
  }

  /** The present holder of a tag; `undefined` if nobody holds it. */
  holder(tag: TallyId, within?: readonly GroupId[]): Promise<PersonDetail | undefined> {
    return this.#read((draft) => {
      const holder = presentEntry(draft.timeline(tag))?.holder;
      return holder && detailOf(draft, draft.resolve(holder), this.#today(), new GroupView(draft, within));
    });
  }

  /** What a timeline and the one after it say, with the names of now. */
  async report({ before: one, after: other }: TagChange): Promise<TagReport> {
    const [before = [], after = []] = await this.#read((draft) =>
      [one, other].map((timeline) => namedHoldings(draft, timeline)),
    );
    const moves: (TagMove & { readonly days: number })[] = [];
    for (const move of movesBetween(before, after))
      moves.push({ ...move, days: await countDays(this.#parts, one.tag, move) });
    return { before, after, moves };
  }

  /** Whether a person other than this one has a number. It reads all persons with a row. */
  async isNumberTaken(number: string, except: PersonId | undefined): Promise<boolean> {
    const own = except && (await this.#read((draft) => draft.idsOf(draft.resolve(except))));
    const isOther = (person: Person): boolean =>
      person.number?.value === number && own?.includes(person.id) !== true;
    for await (const rows of personPages(this.#parts.people)) if (rows.some(isOther)) return true;
    return false;
  }

  /** Only persons with a row are in a group. */
  async #members(
    { group, within }: PeopleChoice,
    after: string | undefined,
    limit: number,
  ): Promise<PeoplePage> {
    const today = this.#today();
    const resolve = resolverOf(await this.#parts.people.groups());
    const root = group === undefined ? undefined : resolve(group);
    const roots = new Set(within?.map(resolve));
    const isWanted = (each: GroupId): boolean => (root === undefined ? roots.has(each) : each === root);
    const mayBeIn = ({ alias, aliases, memberships }: Person): boolean =>
      alias?.value === undefined &&
      (aliases.length > 0 || groupsOf(memberships, resolve, today).some(isWanted));
    const people: PersonSummary[] = [];
    for await (const rows of personPages(this.#parts.people, parseAfter(after))) {
      const some = rows.filter(mayBeIn);
      const summaries = await this.#read((draft) => {
        const view = new GroupView(draft, within);
        return some.flatMap(({ id }) => summaryOf(draft, id, today, view) ?? []);
      });
      const all = summaries.filter(({ groups }) => root === undefined || groups.includes(root));
      const taken = all.slice(0, limit - people.length);
      people.push(...taken);
      // The last row may be somebody whom the reader must not know.
      if (people.length === limit) return { people, next: `${AFTER_PERSON}${people.at(-1)?.id}` };
    }
    return { people, next: undefined };
  }

  async #rows(after: string, limit: number): Promise<PeoplePage> {
    const last = after === '' ? undefined : parsePersonId(after);
    const today = this.#today();
    const rows = await this.#parts.people.persons(last, limit);
    const end = rows.at(-1)?.id;
    const roots = rows.filter(({ alias }) => alias?.value === undefined).map(({ id }) => id);
    const people = await this.#read((draft) => roots.flatMap((id) => summaryOf(draft, id, today) ?? []));
    return { people, next: end === undefined ? AFTER_NAME : `${AFTER_PERSON}${end}` };
  }

  async #names(after: TallyId | undefined, limit: number): Promise<PeoplePage> {
    await using names = await this.#parts.mapping.snapshot();
    const page = await names.page(after, limit);
    const end = page.at(-1)?.[0];
    if (end === undefined) return { people: [], next: undefined };
    const { timelines } = await this.#parts.people.read({
      timelines: page.map(([tag]) => tag),
    });
    const people = page
      .filter(([tag]) => timelines.get(tag) === undefined && !isReservedTallyId(tag))
      .map(([tag, name]) => ({
        ...{ id: implicitPerson(tag), name, groups: [], isInDoubt: false, aliases: [] },
        tags: [{ id: tag, since: BEGINNING, isLost: false }],
      }));
    return { people, next: `${AFTER_NAME}${end}` };
  }

  #today(): Day {
    return this.#parts.calendar.dayOf(this.#parts.timekeeper.now());
  }

  #read<T>(decide: (draft: PeopleDraft) => T): Promise<T> {
    return readPeople(this.#parts.people, decide);
  }
}

/** The groups of memberships on a day, without those of merged persons. */
function groupsOf(
  memberships: readonly Membership[] | undefined,
  resolve: (group: GroupId) => GroupId,
  day: Day,
): readonly GroupId[] {
  return memberships === undefined ? [] : groupsOn(resolvedMemberships(memberships, resolve), day);
}

/** Gives what a group was merged into. */
function resolverOf(groups: readonly Group[]): (group: GroupId) => GroupId {
  const byId = new Map(groups.map((each) => [each.id, each]));
  return (group) => rootOf((id) => byId.get(id), group);
}
