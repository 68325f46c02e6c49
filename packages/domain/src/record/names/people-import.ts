import { Holders } from '../../people/holders.js';
import type { PeopleService } from '../../people/people-service.js';
import type { MappingStore } from '../../ports/names/mapping-store.js';
import type { SnapshotSource } from '../../ports/record/snapshot-source.js';
import type { Calendar } from '../../time/calendar.js';
import type { Timekeeper } from '../../time/timekeeper.js';
import type { Name } from '../../values/name.js';
import type { PersonId } from '../../values/people/person.js';
import type { TallyId } from '../../values/tally-id.js';
import { requireHeapFor } from '../require-heap-for.js';
import type { Pause } from '../turns.js';
import { KnownPeople, type ImportedPerson } from './known-people.js';
import type { ListRow } from './listed-person.js';
import type { Doubt } from './match-rows.js';
import { PersonList, type ListedTag, type PersonRow } from './person-list.js';
import { planImport, type ImportPlan, type PlannedRow, type RowChoice } from './plan-import.js';
import { causesOf, type RefusedLine } from './refused-line.js';
import type { KnownTag, LastSeen, TagFinder } from './tag-finder.js';
import { parseSpelling } from './typed-ids.js';

/** A tag of a row, as it was read. */
type ImportedTag = Pick<ListedTag, 'id'> & {
  /** As it is written in the list; absent if it was read as hex. */
  readonly text?: string;
  readonly format?: ListedTag['format'];
  /** Only in a dry run, with `text`. */
  readonly lastSeen?: LastSeen;
};

/** A row that changes something, is doubtful, or was skipped. */
interface ImportedRow extends Omit<PlannedRow, 'row'> {
  readonly line: number;
  readonly name: Name;
  readonly number?: string;
  readonly groups?: readonly string[];
  readonly tags: readonly ImportedTag[];
}

/** Result of importing a list of persons, or of a dry run. */
export interface ImportReport {
  readonly isDryRun: boolean;
  /** Numbers of rows. */
  readonly new: number;
  readonly changed: number;
  readonly same: number;
  readonly doubtful: number;
  /** Number of persons who have no tag yet. */
  readonly withoutTag: number;
  /** The numbers seem to count the rows, and were left out. */
  readonly runningNumber: boolean;
  /** All rows but the same ones, in the order of the list. */
  readonly rows: readonly ImportedRow[];
  /** Members who are not in the list, if it has others of those who are known. Nothing happens to them. */
  readonly left: readonly ImportedPerson[];
  /** The refused lines. If there are any, nothing is written. */
  readonly refused: readonly RefusedLine[];
  readonly newGroups: readonly string[];
}

interface ImportOptions {
  /** Reads the ids of the list. */
  readonly tags: TagFinder;
  /** Only reports what would change. Default false. */
  readonly isDryRun?: boolean;
  /** Spelling of all ids of the list. Default: decided by the readers of the service. */
  readonly format?: unknown;
  /** What is done with rows, by line. */
  readonly choices?: ReadonlyMap<number, RowChoice>;
  /** Whether numbers say who somebody is, or count the rows. Default: as they seem; if they seem to count rows, only a dry run goes on. */
  readonly numbers?: 'member' | 'running' | undefined;
  /** Called right before anything is written, or refused. If it throws, nothing is written. */
  readonly confirm?: () => void;
}

interface PeopleImportDependencies {
  /** Has the persons, as of one moment. */
  readonly snapshots: SnapshotSource;
  /** Without it, each row is a tag and a name. */
  readonly people?: PeopleService | undefined;
  /** Takes the names of tags where there are no persons. */
  readonly mapping: Pick<MappingStore, 'change'>;
  readonly calendar: Calendar;
  readonly timekeeper: Timekeeper;
  readonly pause: Pause;
  /** Maximum number of names and persons that are read. Default: no limit. */
  readonly maxTags?: number;
}

/** A plan with what it was made for. */
interface Planned {
  readonly plan: ImportPlan;
  readonly left: readonly ImportedPerson[];
}

/**
 * Imports lists of persons, durably, each as a whole or not at all: if a line is refused or doubtful, nothing is written. Who is not
 * in the list stays as they are. The rows may be untrusted.
 */
export class PeopleImport {
  readonly #parts: PeopleImportDependencies;

  constructor(parts: PeopleImportDependencies) {
    this.#parts = parts;
  }

  /**
   * Lines are refused with the code of the wrong value, with `INVALID_NAME_LIST` if they are doubtful and nobody has chosen what is
   * done with them, or with the code with which they come. After 1,000 refused lines, the rest is not read. If all lines are refused
   * for one reason, only the first one is reported.
   *
   * @throws {TallybookError} `INVALID_OPTION` if the format is unknown, `NOT_ENOUGH_MEMORY`, `CLOCK_NOT_TRUSTED`, `INVALID_GROUP` if
   * there are too many groups; and as the stores reject.
   */
  async import(lines: AsyncIterable<ListRow>, options: ImportOptions): Promise<ImportReport> {
    const { isDryRun = false, tags, format, confirm } = options;
    const list = new PersonList(tags.typed, parseSpelling(format));
    for await (const line of lines) {
      list.add(line);
      if (list.isDone) break;
    }
    const known = await tags.known(list.idsToKnow(isDryRun));
    list.settle(known);
    for (;;) {
      const planned = await this.#plan(list.rows, options);
      const refused = causesOf(
        [...list.refused, ...this.#refusedOf(planned.plan, options)].sort((a, b) => a.line - b.line),
        list.rows.length,
      );
      if (isDryRun) return reportOf(planned, { isDryRun, refused, known });
      confirm?.();
      if (refused.length > 0) return reportOf(undefined, { isDryRun, refused, known });
      const ids = await this.#apply(planned.plan);
      // Somebody changed a person of the list meanwhile.
      if (ids !== undefined) return reportOf(planned, { isDryRun, refused, known, ids });
    }
  }

  async #plan(
    rows: readonly PersonRow[],
    { choices = new Map(), numbers }: Pick<ImportOptions, 'choices' | 'numbers'>,
  ): Promise<Planned> {
    const { snapshots, calendar, timekeeper, pause, maxTags = Infinity } = this.#parts;
    await using snapshot = await snapshots.take();
    const holders = await Holders.read(snapshot, (count) =>
      requireHeapFor('the list of names', count, maxTags),
    );
    const today = calendar.dayOf(timekeeper.now());
    const known = await KnownPeople.find(rows, holders, today, pause);
    const plan = await planImport(rows, known, { choices, numbers, pause });
    const listed = new Set(
      plan.rows.flatMap(({ person, candidates }) => [
        ...(person === undefined ? [] : [person]),
        ...candidates.map(({ id }) => id),
      ]),
    );
    return { plan, left: listed.size === 0 ? [] : await known.others(listed, pause) };
  }

  #refusedOf(
    plan: ImportPlan,
    { isDryRun = false }: Pick<ImportOptions, 'isDryRun'>,
  ): readonly RefusedLine[] {
    const { people } = this.#parts;
    const plain = people === undefined ? plan.rows.flatMap((row) => notPlain(row, plan)) : [];
    if (isDryRun) return [...plan.refused, ...plain];
    const [first] = plan.rows;
    const running = plan.isRunning && first !== undefined ? [refuse(first.row.line, RUNNING)] : [];
    const doubtful = plan.rows.flatMap(({ row: { line }, state, doubts }) =>
      state === 'doubtful' ? [refuse(line, describeDoubts(doubts))] : [],
    );
    return [...plan.refused, ...plain, ...running, ...doubtful];
  }

  /** Resolves with the ids of the persons, by line, or with `undefined` if the plan is no longer right. */
  async #apply({ changes, rows }: ImportPlan): Promise<ReadonlyMap<number, PersonId> | undefined> {
    if (changes.size === 0) return new Map();
    const { people, mapping } = this.#parts;
    const lines = [...changes.keys()];
    if (people !== undefined) {
      const ids = await people.importPersons([...changes.values()]);
      return ids && new Map(ids.map((id, index) => [lines[index] ?? NaN, id]));
    }
    const named = rows.flatMap(({ row: { line, tags, name } }) =>
      changes.has(line) ? tags.map(({ id }): [TallyId, Name] => [id, name]) : [],
    );
    await mapping.change(new Map(named));
    return new Map();
  }
}

const RUNNING =
  'the numbers seem to count the rows, because they are those of other persons; say whether they are numbers of members (numbers=member) or count the rows (numbers=running)';

const words: Readonly<Record<Doubt, string>> = {
  'another-name':
    'the tag or number is that of somebody with another name, or the name is that of somebody else',
  namesakes: 'several persons or rows have this name',
  'two-persons': 'tags and number are those of several persons',
  'tag-twice': 'another row has the same tag',
  'number-twice': 'another row has the same number',
};

/** Says for people why a row is doubtful. It holds no name. */
export function describeDoubts(doubts: readonly Doubt[]): string {
  return `${doubts.map((doubt) => words[doubt]).join('; ')}: choose who it is`;
}

function refuse(line: number, message: string): RefusedLine {
  return { line, code: 'INVALID_NAME_LIST', message };
}

/** A store without persons has names of tags alone. */
function notPlain(
  { row: { line, tags, number, groups = [] }, state }: PlannedRow,
  { changes }: ImportPlan,
): readonly RefusedLine[] {
  const { seen, gets = [] } = changes.get(line) ?? {};
  const isPlain = tags.length === 1 && number === undefined && groups.length === 0;
  const isRename = seen === undefined || gets.length === 0;
  if (state === 'same' || state === 'skipped' || (isPlain && isRename)) return [];
  return [refuse(line, 'this store has names of tags alone: a row is one tag and a name')];
}

interface Findings extends Pick<ImportReport, 'isDryRun' | 'refused'> {
  readonly known: ReadonlyMap<TallyId, KnownTag>;
  /** The persons of lines, after they were written. */
  readonly ids?: ReadonlyMap<number, PersonId>;
}

function reportOf(planned: Planned | undefined, { isDryRun, refused, known, ids }: Findings): ImportReport {
  const all = planned?.plan.rows ?? [];
  const count = (wanted: PlannedRow['state']): number => all.filter(({ state }) => state === wanted).length;
  const rows = all
    .filter(({ state }) => state !== 'same')
    .map(({ row, ...rest }): ImportedRow => {
      const { line, name, number, groups } = row;
      const id = rest.person ?? ids?.get(line);
      return {
        ...{ line, name, ...(number !== undefined && { number }), ...(groups && { groups }) },
        tags: row.tags.map((tag) => tagOf(tag, isDryRun ? known : undefined)),
        ...rest,
        ...(id !== undefined && { person: id }),
      };
    });
  return {
    isDryRun,
    ...{ new: count('new'), changed: count('changed'), same: count('same'), doubtful: count('doubtful') },
    withoutTag: planned?.plan.withoutTag ?? 0,
    runningNumber: planned?.plan.isRunning ?? false,
    ...{ rows, left: planned?.left ?? [], refused, newGroups: planned?.plan.newGroups ?? [] },
  };
}

function tagOf(
  { id, text, format }: ListedTag,
  known: ReadonlyMap<TallyId, KnownTag> | undefined,
): ImportedTag {
  if (format === 'hex') return { id };
  const lastSeen = known?.get(id)?.lastSeen;
  return { id, text, format, ...(lastSeen && { lastSeen }) };
}
