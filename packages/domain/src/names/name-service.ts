import type { Association, MappingSnapshot, MappingStore, PutOutcome } from '../ports/names/mapping-store.js';
import type { Revision } from '../ports/revision.js';
import { Emitter, type Subscribable } from '../subscribable.js';
import type { NameChange } from '../values/record/change.js';
import type { Mapping } from '../values/names/mapping.js';
import { isSameName, parseName, type Name } from '../values/names/name.js';
import type { TallyId } from '../values/tally-id.js';
import { parseSpelling, TypedIds } from '../values/ids/typed-ids.js';
import type { SpellingName } from '../values/ids/spellings.js';
import type { KnownTag, LastSeen, TagFinder } from './tag-finder.js';
import { causesOf, NameList, type ListedAssignment, type ListedName, type RefusedLine } from './name-list.js';

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

export interface ImportNamesOptions {
  /** Only reports what would change. Default false. */
  readonly isDryRun?: boolean;
  /** Reads the ids of the list. Default: they are hex. */
  readonly tags?: TagFinder | undefined;
  /** Spelling of all ids of the list. Default: decided by the readers of the service. */
  readonly format?: unknown;
  /** Called right before the names are written. If it throws, nothing is written. */
  readonly confirm?: () => void;
}

/** Reads and changes the names of tags. */
export class NameService {
  /** Emits the changes, in order, when they are durable: tags, without names. */
  readonly changes: Subscribable<readonly NameChange[]>;
  readonly #changes = new Emitter<readonly NameChange[]>();
  readonly #mapping: MappingStore;

  constructor(mapping: MappingStore) {
    this.#mapping = mapping;
    this.changes = this.#changes;
  }

  /** The whole mapping. Rejects as {@link MappingStore} does. */
  read(): Promise<Mapping> {
    return this.#mapping.read();
  }

  /** The whole mapping a page at a time, for callers that cannot hold it in memory. Dispose of it. */
  snapshot(): Promise<MappingSnapshot> {
    return this.#mapping.snapshot();
  }

  /** The name of one tag, `undefined` if it has none. Rejects as {@link MappingStore} does. */
  nameOf(id: TallyId): Promise<Name | undefined> {
    return this.#mapping.get(id);
  }

  /** Changes whenever the result of {@link read} changes. */
  revision(): Promise<Revision> {
    return this.#mapping.revision();
  }

  /**
   * Gives a tag a name, durably.
   *
   * Rejects with `INVALID_NAME` if the name, which may be untrusted, is invalid, and as {@link MappingStore} does.
   */
  async assign(id: TallyId, name: unknown): Promise<PutOutcome> {
    const outcome = await this.#mapping.put(id, parseName(name));
    this.#tell([{ kind: 'name', id, action: outcome }]);
    return outcome;
  }

  /** Removes the name of a tag, durably, and says whether it had one. */
  async remove(id: TallyId): Promise<boolean> {
    const wasThere = await this.#mapping.remove(id);
    if (wasThere) this.#tell([{ kind: 'name', id, action: 'removed' }]);
    return wasThere;
  }

  /**
   * Imports a list of names, durably, as a whole or not at all: if a line is refused, no name is written. Tags that are
   * not in the list keep their names. The lines may be untrusted. A tag may occur twice with the same name.
   *
   * Lines are refused with `INVALID_TALLY_ID`, `AMBIGUOUS_TALLY_ID` or `INVALID_NAME`; with `INVALID_NAME_LIST` if an earlier
   * line gives the tag another name, or after {@link NAME_LIST_MAX_LINES} lines; or with the code with which they come. After
   * 1,000 refused lines, the rest is not read. If all lines are refused for one reason, only the first one is reported. Rejects with `INVALID_OPTION` if the format is unknown, and as
   * {@link MappingStore} does.
   */
  async importList(
    lines: AsyncIterable<ListedName>,
    { isDryRun = false, tags, format, confirm }: ImportNamesOptions = {},
  ): Promise<NameListReport> {
    const list = new NameList(tags?.typed ?? HEX, parseSpelling(format));
    for await (const line of lines) {
      list.add(line);
      if (list.isDone) break;
    }
    const open = list.idsToKnow(isDryRun);
    const known = (open.size > 0 ? await tags?.known(open) : undefined) ?? new Map<TallyId, KnownTag>();
    list.settle(known);
    const refused = causesOf(list);
    const assignments = [...list.assignments.values()];
    if (isDryRun) {
      const before = new Map<TallyId, Name>();
      // Read line by line, so that a long list delays nobody.
      for (const { id } of assignments) {
        const name = await this.#mapping.get(id);
        if (name !== undefined) before.set(id, name);
      }
      return reportOf({ isDryRun, assignments, before, refused, known });
    }
    if (refused.length > 0) return reportOf({ isDryRun, assignments: [], before: new Map(), refused, known });
    confirm?.();
    const before = await this.#write(assignments);
    const report = reportOf({ isDryRun, assignments, before, refused, known });
    this.#tell(report.changes.map(changeOf));
    return report;
  }

  #write(assignments: readonly ListedAssignment[]): Promise<ReadonlyMap<TallyId, Name>> {
    return this.#mapping.change(new Map(assignments.map(({ id, name }): Association => [id, name])));
  }

  #tell(changes: readonly NameChange[]): void {
    if (changes.length > 0) this.#changes.emit(changes);
  }
}

function changeOf({ id, before }: ListedChange): NameChange {
  return { kind: 'name', id, action: before === undefined ? 'added' : 'replaced' };
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
