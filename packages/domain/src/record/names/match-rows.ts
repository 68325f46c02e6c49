import type { KnownPerson } from '../../people/holders.js';
import type { Name } from '../../values/name.js';
import { isSameFirstName, type PersonId } from '../../values/people/person.js';
import type { TallyId } from '../../values/tally-id.js';
import { fullNameOf, tagsOf, type KnownPeople } from './known-people.js';
import type { PersonRow } from './person-list.js';
import { mapInTurns, type Pause } from '../turns.js';

/** By what a row was found to be somebody. */
export type MatchedBy = 'person' | 'tag' | 'number' | 'name';

/** Why it cannot be told who a row is. */
export type Doubt =
  /** The tag or number is somebody's with another name, or the full name of the row is somebody else's. */
  | 'another-name'
  /** Several persons or rows have this full name, or several rows are this person. */
  | 'namesakes'
  /** The tags and the number are those of several persons. */
  | 'two-persons'
  /** Another row has this tag. */
  | 'tag-twice'
  /** Another row has this number. */
  | 'number-twice';

/** Who a row seems to be. */
export interface MatchedRow {
  readonly row: PersonRow;
  /** Absent: a new person, unless there are doubts. */
  readonly person?: KnownPerson;
  readonly by?: MatchedBy;
  /** The tags of the row, without those of last resort, and those that the person of the given id had before. */
  readonly tags: readonly TallyId[];
  readonly doubts: readonly Doubt[];
  /** Who the row may be. */
  readonly candidates: readonly KnownPerson[];
  /** Another row is this person too. */
  readonly isTwice?: boolean;
}

/** As many persons are shown for a row. */
const CANDIDATES_MAX = 20;

/** Fewer numbers of others may be mistakes. */
const RUNNING_MIN_ROWS = 3;
const RUNNING_MIN_SHARE = 0.1;

/** Whether the numbers of rows seem to count the rows, and to say nothing of persons: they are often those of others. */
export function areRunning(rows: readonly PersonRow[], known: KnownPeople): boolean {
  let [matched, others] = [0, 0];
  for (const { name, number } of rows) {
    const [person] = known.numbered(number);
    if (person === undefined) continue;
    matched++;
    if (!isSameFullName(person, name) && !hasSameFirstName(person, name)) others++;
  }
  return others >= RUNNING_MIN_ROWS && others >= RUNNING_MIN_SHARE * matched;
}

/**
 * Finds who rows are: by person, tag, number, then a full name that one row and one person alone have, or
 * as many persons as rows, each with the groups of one. */
export async function matchRows(
  rows: readonly PersonRow[],
  chosen: ReadonlyMap<number, PersonId | 'new'>,
  known: KnownPeople,
  pause: Pause,
): Promise<readonly MatchedRow[]> {
  const found = await mapInTurns(rows, (row) => matchByIds(row, known), pause);
  const sure = new Set(found.flatMap(({ person, doubts }) => (doubts.length > 0 ? [] : (person?.id ?? []))));
  const namesakes = new Map<string, Namesakes>();
  for (const { row } of found) {
    const name = fullNameOf(row.name);
    const persons = known.named(row.name);
    const its = [...(namesakes.get(name)?.rows ?? []), row];
    namesakes.set(name, { rows: its, persons, areSure: false, byGroups: NO_PAIRS });
  }
  for (const [name, each] of namesakes) {
    const areSure = each.persons.every(({ id }) => sure.has(id));
    namesakes.set(name, { ...each, areSure, byGroups: pairByGroups(each, known) });
  }
  const named = (each: MatchedRow): MatchedRow => {
    const of = namesakes.get(fullNameOf(each.row.name));
    const isOpen = each.person === undefined && !chosen.has(each.row.line);
    return isOpen && of !== undefined ? matchByName(each, of, sure) : each;
  };
  const matched = await mapInTurns(found, named, pause);
  return addTwins(matched, chosen, known);
}

/** Rows that contradict each other. */
function addTwins(
  matched: readonly MatchedRow[],
  chosen: ReadonlyMap<number, PersonId | 'new'>,
  known: KnownPeople,
): readonly MatchedRow[] {
  const takenBy = ({ row: { line }, person, doubts }: MatchedRow): readonly PersonId[] => {
    const choice = chosen.get(line) ?? (doubts.length > 0 ? 'new' : (person?.id ?? 'new'));
    return choice === 'new' ? [] : [choice];
  };
  const tags = repeated(matched.flatMap((each) => each.tags));
  // Places may have given one number to two persons: a list of both changes nothing.
  const isOfOne = (number: string): boolean => known.numbered(number).length <= 1;
  const numbers = repeated(matched.flatMap(({ row: { number } }) => number ?? []).filter(isOfOne));
  const persons = repeated(matched.flatMap(takenBy));
  return matched.map((each) => {
    const doubts: readonly Doubt[] = [
      ...each.doubts,
      ...(each.tags.some((tag) => tags.has(tag)) ? (['tag-twice'] as const) : []),
      ...(each.row.number !== undefined && numbers.has(each.row.number) ? (['number-twice'] as const) : []),
    ];
    const isTwice = takenBy(each).some((id) => persons.has(id));
    return { ...each, isTwice, doubts: isTwice && doubts.length === 0 ? ['namesakes'] : doubts };
  });
}

/** The persons and the rows of one full name. */
interface Namesakes {
  readonly rows: readonly PersonRow[];
  readonly persons: readonly KnownPerson[];
  /** Whether each of these persons is another row for sure. */
  readonly areSure: boolean;
  /** The persons by the lines of their rows, if groups tell them all apart. */
  readonly byGroups: ReadonlyMap<number, KnownPerson>;
}

const NO_PAIRS: Namesakes['byGroups'] = new Map();

function matchByIds(row: PersonRow, known: KnownPeople): MatchedRow {
  const { name, number } = row;
  const byId = row.person && known.person(row.person);
  // A table of past days has tags that people have no longer.
  const tags = tagsOf(row).filter(
    (tag) => byId === undefined || known.holder(tag)?.id === byId.id || !known.heldOnce(tag, byId.id),
  );
  const given = row.tags.map(({ id }) => id).filter((id) => tags.includes(id) || !tagsOf(row).includes(id));
  const byTag = given.flatMap((tag) => known.holder(tag) ?? []);
  const byNumber = known.numbered(number);
  const [first] = [byId, ...byTag, ...byNumber].filter((each) => each !== undefined);
  if (first === undefined) return { row, tags, doubts: [], candidates: [] };
  const by = byId !== undefined ? 'person' : byTag.length > 0 ? 'tag' : 'number';
  const others = [...byTag, ...(first.number === number ? [] : byNumber)].filter(({ id }) => id !== first.id);
  const isSure = by === 'person' || isSurely(first, name, known);
  const doubts: readonly Doubt[] = [
    ...(isSure ? [] : (['another-name'] as const)),
    ...(others.length > 0 ? (['two-persons'] as const) : []),
  ];
  const candidates = doubts.length === 0 ? [first] : distinct([first, ...others, ...known.named(name)]);
  return { row, person: first, by, tags, doubts, candidates };
}

/** A row that neither a tag nor a number tells from others of its name. */
function matchByName(
  found: MatchedRow,
  { rows, persons, areSure, byGroups }: Namesakes,
  sure: ReadonlySet<PersonId>,
): MatchedRow {
  const [first] = persons;
  const isAlone = rows.length === 1 && persons.length === 1;
  const only = isAlone ? first : byGroups.get(found.row.line);
  if (only !== undefined && !sure.has(only.id))
    return { ...found, person: only, by: 'name', candidates: [only] };
  const hasOwn = found.tags.length > 0 || found.row.number !== undefined;
  const isNew = persons.length === 0 ? rows.length === 1 || hasOwn : areSure && hasOwn;
  return isNew ? found : { ...found, doubts: ['namesakes'], candidates: distinct(persons) };
}

/** Namesakes of whom there are as many rows as persons, each row with the groups of one of them, and with no other number. */
function pairByGroups(
  { rows, persons }: Pick<Namesakes, 'rows' | 'persons'>,
  known: KnownPeople,
): Namesakes['byGroups'] {
  if (rows.length < 2 || rows.length !== persons.length) return NO_PAIRS;
  const pairs = new Map<number, KnownPerson>();
  for (const { line, number, groups } of rows) {
    const mayBe = (person: KnownPerson): boolean =>
      groups !== undefined &&
      known.isInGroups(person, groups) &&
      (number === undefined || person.number === undefined || person.number === number);
    const [only, ...others] = persons.filter(mayBe);
    if (only === undefined || others.length > 0) return NO_PAIRS;
    pairs.set(line, only);
  }
  const paired = new Set([...pairs.values()].map(({ id }) => id));
  return paired.size === persons.length ? pairs : NO_PAIRS;
}

/** A new last name is a marriage, unless the name is somebody else's. */
function isSurely(person: KnownPerson, name: Name, known: KnownPeople): boolean {
  if (isSameFullName(person, name)) return true;
  return hasSameFirstName(person, name) && known.named(name).every(({ id }) => id === person.id);
}

function hasSameFirstName({ name: own }: KnownPerson, name: Name): boolean {
  return own !== undefined && name.first !== '' && isSameFirstName(own, name);
}

function isSameFullName({ name: own }: KnownPerson, name: Name): boolean {
  return own !== undefined && fullNameOf(own) === fullNameOf(name);
}

function distinct(people: readonly KnownPerson[]): readonly KnownPerson[] {
  return [...new Map(people.slice(0, CANDIDATES_MAX).map((person) => [person.id, person])).values()];
}

function repeated<T>(values: readonly T[]): ReadonlySet<T> {
  const seen = new Set<T>();
  return new Set(values.filter((value) => seen.size === seen.add(value).size));
}
