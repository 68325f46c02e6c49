import type { KnownPerson } from '../../people/holders.js';
import type { ChangedPerson } from '../../people/changed-person.js';
import { isSameName } from '../../values/name.js';
import { groupOfName } from '../../values/people/group.js';
import type { PersonId } from '../../values/people/person.js';
import type { TallyId } from '../../values/tally-id.js';
import type { ImportedPerson, KnownPeople } from './known-people.js';
import { areRunning, matchRows, type Doubt, type MatchedBy, type MatchedRow } from './match-rows.js';
import type { PersonRow } from './person-list.js';
import type { RefusedLine } from './refused-line.js';
import { mapInTurns, type Pause } from '../turns.js';

/** What is done with a row. */
export interface RowChoice {
  readonly take: PersonId | 'new' | 'skip';
  /** Whether a known person gets the name of the list. Default true. */
  readonly rename?: boolean;
  /** Whether the tags of a known person that are not in the row are lost. Default `add`: they stay. */
  readonly tags?: 'add' | 'replace';
}

/** What a row changes of a known person; `guest`: they become a member. */
type RowChange = 'name' | 'number' | 'groups' | 'guest' | 'tag';

/** A row with what becomes of it. */
export interface PlannedRow {
  readonly row: PersonRow;
  readonly state: 'new' | 'changed' | 'same' | 'doubtful' | 'skipped';
  /** Absent for a new person. */
  readonly person?: PersonId;
  readonly by?: MatchedBy;
  /** The known person, or whoever a doubtful row seems to be. */
  readonly before?: ImportedPerson;
  readonly changes: readonly RowChange[];
  readonly doubts: readonly Doubt[];
  readonly candidates: readonly ImportedPerson[];
}

/** What becomes of a list. */
export interface ImportPlan {
  readonly rows: readonly PlannedRow[];
  /** By the lines of their rows. Numbers that go to another person are taken away by the line 0 and below. */
  readonly changes: ReadonlyMap<number, ChangedPerson>;
  /** Choices that cannot be. */
  readonly refused: readonly RefusedLine[];
  readonly newGroups: readonly string[];
  /** The numbers seem to count the rows, nobody said what they are, and they were left out. */
  readonly isRunning: boolean;
  /** Number of persons who will have no tag. */
  readonly withoutTag: number;
}

interface PlanOptions {
  /** By line. */
  readonly choices: ReadonlyMap<number, RowChoice>;
  /** Whether numbers say who somebody is, or count the rows. Default: as they seem. */
  readonly numbers: 'member' | 'running' | undefined;
  /** Lets other work run. */
  readonly pause: Pause;
}

/** Plans what a list changes. It writes nothing. */
export async function planImport(
  rows: readonly PersonRow[],
  known: KnownPeople,
  { choices, numbers, pause }: PlanOptions,
): Promise<ImportPlan> {
  const live = rows.filter(({ line }) => choices.get(line)?.take !== 'skip');
  const isRunning = numbers === undefined && areRunning(live, known);
  const read = isRunning || numbers === 'running' ? live.map(withoutNumber) : live;
  const chosen = new Map<number, PersonId | 'new'>();
  for (const [line, { take }] of choices) if (take !== 'skip') chosen.set(line, take);
  const refused: RefusedLine[] = unknownLines(rows, choices);
  const takes: TakenRow[] = [];
  const planned = new Map<number, PlannedRow>();
  const plan = (match: MatchedRow): void => {
    const { row, by, person, doubts, candidates, isTwice } = match;
    const { line } = row;
    const choice = choices.get(line);
    const taken =
      choice === undefined ? person : choice.take === 'new' ? undefined : takenPerson(choice, known);
    if (choice !== undefined && choice.take !== 'new' && taken === undefined)
      refused.push({ line, code: 'PERSON_NOT_FOUND', message: 'the person who was chosen is not there' });
    else if (choice !== undefined && isTwice === true) refused.push(notTwice(line));
    const isDoubtful = choice === undefined && doubts.length > 0;
    const before = isDoubtful ? person : taken;
    planned.set(line, {
      ...{ row, state: isDoubtful ? 'doubtful' : taken === undefined ? 'new' : 'same', changes: [] },
      ...(before && { person: before.id, before: known.shown(before) }),
      ...(by && before?.id === person?.id && { by }),
      ...{ doubts: choice === undefined ? doubts : [] },
      candidates: doubts.length === 0 ? [] : candidates.map((each) => known.shown(each)),
    });
    if (!isDoubtful) takes.push({ match, choice, person: taken });
  };
  await mapInTurns(await matchRows(read, chosen, known, pause), plan, pause);
  const changes = await changesOf(takes, known, pause);
  let withoutTag = 0;
  for (const { match, person } of takes) {
    const { line } = match.row;
    const change = changes.get(line);
    const row = planned.get(line);
    if (row === undefined) continue;
    const loses = change?.loses.length ?? 0;
    const gets = change?.gets.length ?? 0;
    const held = person?.tags.filter(({ isLost }) => !isLost).length ?? 0;
    if (held + gets - loses <= 0) withoutTag++;
    const kinds = person === undefined ? [] : kindsOf(change);
    if (kinds.length > 0) planned.set(line, { ...row, state: 'changed', changes: kinds });
  }
  const added = new Map(
    takes
      .flatMap(({ match }) => match.row.groups ?? [])
      .map((name) => [groupOfName(name), name] as const)
      .filter(([, name]) => !known.hasGroup(name)),
  );
  return {
    rows: rows.map(
      (row) => planned.get(row.line) ?? { row, state: 'skipped', changes: [], doubts: [], candidates: [] },
    ),
    ...{ changes, refused, newGroups: [...added.values()], isRunning, withoutTag },
  };
}

/** A row that becomes somebody. */
interface TakenRow {
  readonly match: MatchedRow;
  readonly choice: RowChoice | undefined;
  /** Absent: a new person. */
  readonly person: KnownPerson | undefined;
}

/** The changes of rows, by line. */
async function changesOf(
  takes: readonly TakenRow[],
  known: KnownPeople,
  pause: Pause,
): Promise<Map<number, ChangedPerson>> {
  const tagTakers = takersOf(
    takes,
    ({ match }) => match.tags,
    ({ choice, person }, tag) =>
      choice?.tags !== undefined ? 2 : known.holder(tag)?.id === person?.id ? 1 : 0,
  );
  const numberTakers = takersOf(
    takes,
    ({ match }) => (match.row.number === undefined ? [] : [match.row.number]),
    ({ person }, number) => (person?.number === number ? 1 : 0),
  );
  const changes = new Map<number, ChangedPerson>();
  const decide = (taken: TakenRow): void => {
    const { row, tags } = taken.match;
    const change = changeOf(taken, known, {
      tags: tags.filter((tag) => tagTakers.get(tag) === taken),
      number: row.number !== undefined && numberTakers.get(row.number) === taken ? row.number : undefined,
    });
    if (change !== undefined) changes.set(row.line, change);
  };
  await mapInTurns(takes, decide, pause);
  takeNumbers(takes, changes, known);
  return changes;
}

function changeOf(
  { match: { row, tags: all }, choice, person }: TakenRow,
  known: KnownPeople,
  { tags, number }: { readonly tags: readonly TallyId[]; readonly number: string | undefined },
): ChangedPerson | undefined {
  const gets = tags
    .map((tag) => ({ tag, from: known.holder(tag)?.id }))
    .filter(({ from }) => person === undefined || from !== person.id);
  const { name, groups } = row;
  const isRenamed = choice?.rename !== false && !isSameName(person?.name, name);
  const hasOtherGroups =
    groups !== undefined && (person === undefined ? groups.length > 0 : !known.isInGroups(person, groups));
  // Guests are erased, and a list is one of members, unless it was exported here.
  const isNoGuest = person?.guest !== undefined && row.person === undefined;
  const fields = {
    ...((person === undefined || isRenamed) && { name }),
    ...(number !== undefined && number !== person?.number && { number }),
    ...(hasOtherGroups && { groups }),
    ...(isNoGuest && { guest: null }),
  };
  const held = person?.tags.filter(({ isLost }) => !isLost).map(({ id }) => id) ?? [];
  const loses = choice?.tags === 'replace' ? held.filter((tag) => !all.includes(tag)) : [];
  if (person !== undefined && Object.keys(fields).length + gets.length + loses.length === 0) return undefined;
  const seen = person && { id: person.id, name: person.name, number: person.number };
  return { ...(seen && { seen }), fields, gets, loses };
}

/** Takes numbers away from those who had them, unless they get another one. */
function takeNumbers(
  takes: readonly TakenRow[],
  changes: Map<number, ChangedPerson>,
  known: KnownPeople,
): void {
  const lineOf = new Map(takes.flatMap(({ match, person }) => (person ? [[person.id, match.row.line]] : [])));
  for (const [line, { fields }] of [...changes]) {
    if (typeof fields.number !== 'string') continue;
    for (const { id, name, number } of known.numbered(fields.number)) {
      const own = lineOf.get(id) ?? -changes.size - 1;
      const change = changes.get(own) ?? { seen: { id, name, number }, fields: {}, gets: [], loses: [] };
      if (own !== line && change.fields.number === undefined)
        changes.set(own, { ...change, fields: { ...change.fields, number: null } });
    }
  }
}

/** Of several rows with one value, the one that has the best reason to take it, or the first. */
function takersOf<T>(
  takes: readonly TakenRow[],
  valuesOf: (taken: TakenRow) => readonly T[],
  reasonOf: (taken: TakenRow, value: T) => number,
): ReadonlyMap<T, TakenRow> {
  const takers = new Map<T, TakenRow>();
  for (const taken of takes) {
    for (const value of valuesOf(taken)) {
      const other = takers.get(value);
      if (other === undefined || reasonOf(taken, value) > reasonOf(other, value)) takers.set(value, taken);
    }
  }
  return takers;
}

function kindsOf(change: ChangedPerson | undefined): readonly RowChange[] {
  if (change === undefined) return [];
  const { fields, gets, loses } = change;
  const given = (['name', 'number', 'groups', 'guest'] as const).filter(
    (field) => fields[field] !== undefined,
  );
  return gets.length + loses.length > 0 ? [...given, 'tag'] : given;
}

function takenPerson({ take }: RowChoice, known: KnownPeople): KnownPerson | undefined {
  return known.person(take as PersonId);
}

function notTwice(line: number): RefusedLine {
  return { line, code: 'INVALID_NAME_LIST', message: 'another row is this person too; choose another one' };
}

function unknownLines(rows: readonly PersonRow[], choices: ReadonlyMap<number, RowChoice>): RefusedLine[] {
  const lines = new Set(rows.map(({ line }) => line));
  return [...choices.keys()]
    .filter((line) => !lines.has(line))
    .map((line) => ({
      line,
      code: 'INVALID_NAME_LIST',
      message: 'a choice is given for this line, which has no person',
    }));
}

function withoutNumber(row: PersonRow): PersonRow {
  const { number: _, ...rest } = row;
  return rest;
}
