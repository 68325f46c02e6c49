import type { Change } from '../../values/record/change.js';
import type { MappingStore } from '../../ports/names/mapping-store.js';
import type { SpellingName } from '../../values/ids/spellings.js';
import { isSameName, type Name } from '../../values/name.js';
import type { TallyId } from '../../values/tally-id.js';
import { causesOf, NameList, type ListedAssignment, type ListedName, type RefusedLine } from './name-list.js';
import type { KnownTag, LastSeen, TagFinder } from './tag-finder.js';
import { parseSpelling, TypedIds } from './typed-ids.js';

/** Numbers of tags that got a name, got another name, or lost their name. */
export interface NameCounts {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/** Counts the changes of names. */
export function countNames(changes: readonly Change[]): NameCounts {
  const counts = { added: 0, replaced: 0, removed: 0 };
  for (const change of changes) if (change.kind === 'name') counts[change.action]++;
  return { added: counts.added, changed: counts.replaced, removed: counts.removed };
}

const HEX = new TypedIds();

/** A line of a list that changes a name. */
export interface ListedChange {
  readonly line: number;
  readonly id: TallyId;
  /** `undefined` if the tag had no name. */
  readonly before: Name | undefined;
  readonly after: Name;
  /** The id as it is written in the list; absent if it was read as hex. */
  readonly text?: string;
  /** The spelling in which `text` was read. */
  readonly format?: SpellingName;
  /** The latest scan of the tag, in a dry run of an id that was not read as hex. Absent if there is none. */
  readonly lastSeen?: LastSeen;
}

/** Result of importing a list of names, or of a dry run. */
export interface NameListReport {
  readonly isDryRun: boolean;
  /** Tags that had no name. */
  readonly added: number;
  /** Tags that had another name. */
  readonly changed: number;
  /** Tags that already had this name. */
  readonly same: number;
  /** The added and changed tags, in the order of the list. */
  readonly changes: readonly ListedChange[];
  /** The refused lines. If there are any, no name is written. */
  readonly refused: readonly RefusedLine[];
}

interface ImportNamesOptions {
  /** Only reports what would change. Default false. */
  readonly isDryRun?: boolean;
  /** Reads the ids of the list. Default: they are hex. */
  readonly tags?: TagFinder | undefined;
  /** Spelling of all ids of the list. Default: decided by the readers of the service. */
  readonly format?: unknown;
  /** Called right before the names are written. If it throws, nothing is written. */
  readonly confirm?: () => void;
}

/**
 * Imports a list of names, durably, as a whole or not at all: if a line is refused, no name is written. Tags that are
 * not in the list keep their names. The lines may be untrusted. A tag may occur twice with the same name.
 *
 * Lines are refused with `INVALID_TALLY_ID`, `AMBIGUOUS_TALLY_ID` or `INVALID_NAME`; with `INVALID_NAME_LIST` if an earlier
 * line gives the tag another name, or after {@link NAME_LIST_MAX_LINES} lines; or with the code with which they come. After
 * 1,000 refused lines, the rest is not read. If all lines are refused for one reason, only the first one is reported. Rejects
 * with `INVALID_OPTION` if the format is unknown, and as `MappingStore` does.
 */
export async function importNameList(
  names: Pick<MappingStore, 'get' | 'change'>,
  lines: AsyncIterable<ListedName>,
  { isDryRun = false, tags, format, confirm }: ImportNamesOptions = {},
): Promise<NameListReport> {
  const list = new NameList(tags?.typed ?? HEX, parseSpelling(format));
  for await (const line of lines) {
    list.add(line);
    if (list.isDone) break;
  }
  const open = list.idsToKnow(isDryRun);
  const known = (await tags?.known(open)) ?? new Map<TallyId, KnownTag>();
  list.settle(known);
  const refused = causesOf(list);
  const assignments = [...list.assignments.values()];
  if (isDryRun) {
    const before = new Map<TallyId, Name>();
    // Read line by line, so that a long list delays nobody.
    for (const { id } of assignments) {
      const name = await names.get(id);
      if (name !== undefined) before.set(id, name);
    }
    return reportOf({ isDryRun, assignments, before, refused, known });
  }
  if (refused.length > 0) return reportOf({ isDryRun, assignments: [], before: new Map(), refused, known });
  confirm?.();
  const before = await names.change(new Map(assignments.map(({ id, name }) => [id, name])));
  return reportOf({ isDryRun, assignments, before, refused, known });
}

interface Findings extends Pick<NameListReport, 'isDryRun' | 'refused'> {
  readonly assignments: readonly ListedAssignment[];
  readonly before: ReadonlyMap<TallyId, Name>;
  readonly known: ReadonlyMap<TallyId, KnownTag>;
}

function reportOf({ isDryRun, assignments, before, refused, known }: Findings): NameListReport {
  const changes = assignments
    .filter(({ id, name }) => !isSameName(before.get(id), name))
    .map((each): ListedChange => {
      const { line, id, name, text, reading } = each;
      const change = { line, id, before: before.get(id), after: name };
      if (reading.format === 'hex') return change;
      const lastSeen = isDryRun ? known.get(id)?.lastSeen : undefined;
      return { ...change, text, format: reading.format, ...(lastSeen && { lastSeen }) };
    });
  const added = changes.filter((change) => change.before === undefined).length;
  return {
    isDryRun,
    added,
    changed: changes.length - added,
    same: assignments.length - changes.length,
    changes,
    refused,
  };
}
