import { TallybookError } from '../../errors.js';
import { readPeople, type PeopleDraft } from '../../people/people-draft.js';
import { implicitPerson, parsePersonId, type Person, type PersonId } from '../../values/people/person.js';
import { holdingsOf, presentEntry, standing, type Timeline } from '../../values/people/timeline.js';
import type { MappingStore } from '../../ports/names/mapping-store.js';
import type { PeopleStore } from '../../ports/people/people-store.js';
import type { DayStore } from '../../ports/record/day-store.js';
import type { Revision } from '../../ports/revision.js';
import type { TagChange } from '../../people/people-service.js';
import type { Calendar } from '../../time/calendar.js';
import type { Day } from '../../values/day.js';
import type { Name } from '../../values/name.js';
import { isReservedTallyId, parseTallyId, type TallyId } from '../../values/tally-id.js';
import type { Timestamp } from '../../values/timestamp.js';
import type { Pause } from '../turns.js';
import { countDays, movesBetween, type NamedHolding, type TagMove } from './tag-moves.js';

/** A tag that somebody holds now, or lost. */
interface PersonTag {
  readonly id: TallyId;
  /** Since when it is theirs, or lost. */
  readonly since: Timestamp;
  readonly isLost: boolean;
}

/** A person as shown in lists. */
interface PersonSummary {
  readonly id: PersonId;
  readonly name?: Name | undefined;
  readonly number?: string | undefined;
  readonly from?: Day | undefined;
  readonly until?: Day | undefined;
  /** The tags that they hold now, and the lost ones that were theirs last; ascending. */
  readonly tags: readonly PersonTag[];
  /** Whether places disagree on their name, or on the holder of one of these tags. */
  readonly isInDoubt: boolean;
  readonly aliases: readonly PersonId[];
}

/** A person with all tags that they ever held. */
export interface PersonDetail extends PersonSummary {
  readonly timelines: readonly { readonly tag: TallyId; readonly holdings: readonly NamedHolding[] }[];
  readonly doubt?: Name | undefined;
}

/** A page of persons. A page may have fewer than the limit. */
export interface PeoplePage {
  readonly people: readonly PersonSummary[];
  /** For the next page; `undefined` at the end. */
  readonly next: string | undefined;
}

interface PeopleDirectoryDependencies {
  readonly people: PeopleStore;
  /** Holds the names of the persons that are no rows. */
  readonly mapping: MappingStore;
  readonly days: DayStore;
  readonly calendar: Calendar;
  /** Lets other work run while days are counted. */
  readonly pause: Pause;
}

/** What an act on a tag changes. */
export interface TagReport {
  readonly before: readonly NamedHolding[];
  readonly after: readonly NamedHolding[];
  /** The spans of time whose holder becomes another one, with the number of days with a scan. */
  readonly moves: readonly (TagMove & { readonly days: number })[];
}

const BEGINNING = 0 as Timestamp;

/** Begins the cursor after a row of a person, and after the name of a tag. */
const AFTER_PERSON = 'person:';
const AFTER_NAME = 'name:';

/** Rows that are read at a time. */
const ROWS = 1_000;

/** Persons as people look for them: in pages, and one with the timelines of their tags. */
export class PeopleDirectory {
  readonly #parts: PeopleDirectoryDependencies;

  constructor(parts: PeopleDirectoryDependencies) {
    this.#parts = parts;
  }

  /** Changes whenever a page or a person changes. */
  async revision(): Promise<Revision> {
    const { people, mapping } = this.#parts;
    return `${await people.revision()} ${await mapping.revision()}`;
  }

  /**
   * A page of persons: first those with a row, by id; then the implicit ones without a row, by tag.
   *
   * @param after `next` of the page before; `undefined` for the first page.
   * @throws {TallybookError} `INVALID_PERSON` if `after` is not such a text; otherwise as the stores reject.
   */
  async page(after: string | undefined, limit: number): Promise<PeoplePage> {
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

  /** A person, or the one they were merged into; `undefined` if there is none. */
  person(id: PersonId): Promise<PersonDetail | undefined> {
    return this.#read((draft) => detailOf(draft, draft.resolve(id)));
  }

  /** The present holder of a tag; `undefined` if nobody holds it. */
  holder(tag: TallyId): Promise<PersonDetail | undefined> {
    return this.#read((draft) => {
      const holder = presentEntry(draft.timeline(tag))?.holder;
      return holder && detailOf(draft, draft.resolve(holder));
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
    for (let last: PersonId | undefined; ;) {
      const rows = await this.#parts.people.persons(last, ROWS);
      if (rows.length === 0) return false;
      if (rows.some((person) => person.number?.value === number && own?.includes(person.id) !== true))
        return true;
      last = rows.at(-1)?.id;
    }
  }

  async #rows(after: string, limit: number): Promise<PeoplePage> {
    const last = after === '' ? undefined : parsePersonId(after);
    const rows = await this.#parts.people.persons(last, limit);
    const end = rows.at(-1)?.id;
    const roots = rows.filter(({ alias }) => alias?.value === undefined).map(({ id }) => id);
    const people = await this.#read((draft) => roots.flatMap((id) => summaryOf(draft, id) ?? []));
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
        ...{ id: implicitPerson(tag), name, isInDoubt: false, aliases: [] },
        tags: [{ id: tag, since: BEGINNING, isLost: false }],
      }));
    return { people, next: `${AFTER_NAME}${end}` };
  }

  #read<T>(decide: (draft: PeopleDraft) => T): Promise<T> {
    return readPeople(this.#parts.people, decide);
  }
}

function afterName(cursor: string): TallyId | undefined {
  if (cursor === AFTER_NAME) return undefined;
  if (cursor.startsWith(AFTER_NAME)) return parseTallyId(cursor.slice(AFTER_NAME.length));
  throw new TallybookError('INVALID_PERSON', 'this is not the end of a page of persons');
}

/** `undefined` for a person who was removed, or never was. */
function summaryOf(draft: PeopleDraft, root: PersonId): PersonSummary | undefined {
  const person = draft.whole(root);
  if (person === undefined) return undefined;
  const timelines = timelinesOf(draft, person);
  const tags = timelines.flatMap((timeline) => tagOf(draft, root, timeline) ?? []);
  const name = person.name?.value;
  if (name === undefined && tags.every(({ isLost }) => isLost)) return undefined;
  const isTagInDoubt = timelines
    .filter(({ tag }) => tags.some(({ id }) => id === tag))
    .some((timeline) => holdingsOf(timeline).some(({ isInDoubt }) => isInDoubt));
  return {
    ...{ id: root, name, tags, isInDoubt: person.doubt !== undefined || isTagInDoubt },
    ...{ number: person.number?.value, from: person.from?.value, until: person.until?.value },
    aliases: draft.idsOf(root).slice(1),
  };
}

function detailOf(draft: PeopleDraft, root: PersonId): PersonDetail | undefined {
  const summary = summaryOf(draft, root);
  const person = draft.whole(root);
  if (summary === undefined || person === undefined) return undefined;
  const timelines = timelinesOf(draft, person).map((timeline) => ({
    tag: timeline.tag,
    holdings: namedHoldings(draft, timeline),
  }));
  return { ...summary, timelines, doubt: person.doubt };
}

/** Without the tag of last resort, which nobody carries. */
function timelinesOf(draft: PeopleDraft, { tags }: Person): readonly Timeline[] {
  return tags.filter((tag) => !isReservedTallyId(tag)).map((tag) => draft.timeline(tag));
}

function tagOf(draft: PeopleDraft, root: PersonId, timeline: Timeline): PersonTag | undefined {
  const present = presentEntry(timeline);
  if (present === undefined) return undefined;
  const isLost = present.why === 'lost';
  const holder = isLost ? lastHolderOf(timeline) : present.holder;
  if (holder === undefined || draft.resolve(holder) !== root) return undefined;
  return { id: timeline.tag, since: present.since, isLost };
}

/** Who held a tag last, before it was lost. */
function lastHolderOf(timeline: Timeline): PersonId | undefined {
  return standing(timeline).findLast(({ holder }) => holder !== undefined)?.holder;
}

function namedHoldings(draft: PeopleDraft, timeline: Timeline): readonly NamedHolding[] {
  return holdingsOf(timeline).map(({ holder, ...holding }) => {
    if (holder === undefined) return holding;
    const person = draft.resolve(holder);
    return { ...holding, person, name: draft.whole(person)?.name?.value };
  });
}
