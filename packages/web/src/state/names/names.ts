import { signal, type ReadonlySignal } from '@preact/signals';
import type { Mapping } from '@tallybook/client';
import type { Name, Service } from '../service/service.js';

type NamesService = Pick<Service, 'readMapping' | 'assignName' | 'importNames' | 'removeName'>;

/** A change of the name of a tag; `null` is no name. */
export interface NameChange {
  readonly id: string;
  readonly before: Name | null;
  readonly after: Name | null;
}

/** Who holds which tag, by id. */
export class Names {
  private readonly service: NamesService;
  private readonly byId = signal<ReadonlyMap<string, Name>>(new Map());
  private readonly loaded = signal(false);
  private read: Mapping | undefined;
  private loading: Promise<void> | undefined;
  private isStale = false;

  constructor(service: NamesService) {
    this.service = service;
  }

  get all(): ReadonlySignal<ReadonlyMap<string, Name>> {
    return this.byId;
  }

  /** Whether they have been read once. */
  get isLoaded(): ReadonlySignal<boolean> {
    return this.loaded;
  }

  /** Reads them anew. Calls that come while they are read share one more reading after it. */
  async load(): Promise<void> {
    this.isStale = true;
    this.loading ??= this.loadUntilFresh().finally(() => (this.loading = undefined));
    return this.loading;
  }

  /** Forgets them, until they are read anew. */
  forget(): void {
    this.read = undefined;
    this.byId.value = new Map();
    this.loaded.value = false;
  }

  /** Takes over a name that somebody else has changed, as a tap shows it. */
  note(id: string, name: Name): void {
    if (!isSame(this.byId.peek().get(id), name)) this.take([{ id, before: null, after: name }]);
  }

  /**
   * Changes names: on the disk when this resolves. Names that are given are given all or none; those that are taken away
   * follow one by one.
   */
  async apply(changes: readonly NameChange[]): Promise<void> {
    try {
      await this.give(changes.flatMap(({ id, after }) => (after === null ? [] : [{ id, ...after }])));
      for (const { id, after } of changes) if (after === null) await this.service.removeName(id);
    } catch (error) {
      // Some of them may be changed: read all names anew.
      void this.load().catch(() => undefined);
      throw error;
    }
    this.take(changes);
  }

  private async give(lines: readonly (Name & { readonly id: string })[]): Promise<void> {
    const [line, ...others] = lines;
    if (line === undefined) return;
    const { id, first, last } = line;
    if (others.length === 0) await this.service.assignName(id, { first, last });
    else await this.service.importNames(lines.map((each) => JSON.stringify(each)).join('\n'));
  }

  private take(changes: readonly NameChange[]): void {
    const names = new Map(this.byId.peek());
    for (const { id, after } of changes) {
      if (after === null) names.delete(id);
      else names.set(id, after);
    }
    this.byId.value = names;
    // A reading under way may have the names from before.
    this.isStale = true;
  }

  private async loadUntilFresh(): Promise<void> {
    let read = this.read;
    while (this.isStale) {
      this.isStale = false;
      read = await this.service.readMapping({ known: read });
    }
    this.read = read;
    const names = new Map(Object.entries(read ?? {}));
    // Equal names are not drawn again: the service reports this page's own changes too.
    if (!areSame(names, this.byId.peek())) this.byId.value = names;
    this.loaded.value = true;
  }
}

/** The changes that undo others. */
export function undoing(changes: readonly NameChange[]): readonly NameChange[] {
  return changes.map(({ id, before, after }) => ({ id, before: after, after: before }));
}

function isSame(one: Name | undefined, other: Name): boolean {
  return one?.first === other.first && one.last === other.last;
}

function areSame(ones: ReadonlyMap<string, Name>, others: ReadonlyMap<string, Name>): boolean {
  if (ones.size !== others.size) return false;
  for (const [id, name] of ones) if (!isSame(others.get(id), name)) return false;
  return true;
}
