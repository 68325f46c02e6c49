import type { Association, MappingSnapshot, MappingStore, PutOutcome } from '../ports/names/mapping-store.js';
import type { Revision } from '../ports/revision.js';
import { Emitter, type Subscribable } from '../subscribable.js';
import type { NameChange } from '../values/record/change.js';
import type { Mapping } from '../values/names/mapping.js';
import { isSameName, parseName, type Name } from '../values/names/name.js';
import type { TallyId } from '../values/tally-id.js';
import { NameList, type ListedAssignment, type ListedName, type RefusedLine } from './name-list.js';

/** A line of a list that changes a name. */
export interface ListedChange {
  readonly line: number;
  readonly id: TallyId;
  /** `undefined` if the tag had no name. */
  readonly before: Name | undefined;
  readonly after: Name;
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
   * Lines are refused with `INVALID_TALLY_ID` or `INVALID_NAME`; with `INVALID_NAME_LIST` if an earlier line gives the tag
   * another name, or after {@link NAME_LIST_MAX_LINES} lines; or with the code with which they come. After 1,000 refused
   * lines, the rest is not read. Rejects as {@link MappingStore} does.
   */
  async importList(
    lines: AsyncIterable<ListedName>,
    { isDryRun = false }: ImportNamesOptions = {},
  ): Promise<NameListReport> {
    const list = new NameList();
    const before = new Map<TallyId, Name>();
    for await (const line of lines) {
      const assignment = list.add(line);
      if (list.isDone) break;
      if (!isDryRun || assignment === undefined) continue;
      // Read line by line, so that a long list delays nobody.
      const name = await this.#mapping.get(assignment.id);
      if (name !== undefined) before.set(assignment.id, name);
    }
    const { refused } = list;
    const assignments = [...list.assignments.values()];
    if (isDryRun) return reportOf({ isDryRun, assignments, before, refused });
    if (refused.length > 0) return reportOf({ isDryRun, assignments: [], before, refused });
    const report = reportOf({ isDryRun, assignments, before: await this.#write(assignments), refused });
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
}

function reportOf({ isDryRun, assignments, before, refused }: Findings): NameListReport {
  const changes = assignments
    .filter(({ id, name }) => !isSameName(before.get(id), name))
    .map(({ line, id, name }) => ({ line, id, before: before.get(id), after: name }));
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
