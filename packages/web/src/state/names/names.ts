import { signal, type ReadonlySignal } from '@preact/signals';
import type { Mapping, Name } from '@tallybook/client';
import type { Service } from '../service.js';
import { lazily } from '../../lazily.js';

type NamesService = Pick<Service, 'readMapping' | 'assignName' | 'importNames' | 'removeName'>;

/** A change of the name of a tag; `null` means no name. */
export interface NameChange {
  readonly id: string;
  readonly before: Name | null;
  readonly after: Name | null;
}

/** The names of the holders of tags, by id. */
export class Names {
  private readonly service: NamesService;
  private readonly byId = signal<ReadonlyMap<string, Name>>(new Map());
  private readonly loaded = signal(false);
  private read: Mapping | undefined;
  private loading: Promise<void> | undefined;
  private isStale = false;
  readonly all: ReadonlySignal<ReadonlyMap<string, Name>> = this.byId;
  /** Whether the names have been read once. */
  readonly isLoaded: ReadonlySignal<boolean> = this.loaded;

  constructor(service: NamesService) {
    this.service = service;
  }

  /** Reads the names again. Calls during a read share one more read after it. */
  async load(): Promise<void> {
    this.isStale = true;
    this.loading ??= this.loadUntilFresh().finally(() => (this.loading = undefined));
    return this.loading;
  }

  /** Forgets the names until they are read again. */
  forget(): void {
    this.read = undefined;
    this.byId.value = new Map();
    this.loaded.value = false;
  }

  /** Takes over a name from a tap: somebody else has changed it. */
  note(id: string, name: Name): void {
    if (!isSame(this.byId.peek().get(id), name)) this.take([{ id, before: null, after: name }]);
  }

  /**
   * Changes names. The changes are on the disk when this resolves. New names are set all or none; removals follow one by
   * one.
   */
  async apply(changes: readonly NameChange[]): Promise<void> {
    try {
      await this.give(changes.flatMap(({ id, after }) => (after === null ? [] : [{ id, ...after }])));
      for (const { id, after } of changes) if (after === null) await this.service.removeName(id);
    } catch (error) {
      // Some names may be changed: read all names again.
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
    // A read under way may return the earlier names.
    this.isStale = true;
  }

  private async loadUntilFresh(): Promise<void> {
    let read = this.read;
    while (this.isStale) {
      this.isStale = false;
      read = await this.service.readMapping(read);
    }
    this.read = read;
    const names = new Map(Object.entries(read ?? {}));
    // Equal names are not drawn again, since the service reports this page's own changes too.
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

/** A person with a name, and all tags of that name. */
export interface Holder {
  /** Key of the name. */
  readonly key: string;
  readonly name: Name;
  readonly ids: readonly string[];
  /** Name and ids, for a search. */
  readonly folded: string;
}

/** Puts tags of the same name together. */
export function holdersOf(names: ReadonlyMap<string, Name>): readonly Holder[] {
  const holders = new Map<string, { readonly key: string; readonly name: Name; readonly ids: string[] }>();
  for (const [id, name] of names) {
    const key = keyOf(name);
    const holder = holders.get(key);
    if (holder === undefined) holders.set(key, { key, name, ids: [id] });
    else holder.ids.push(id);
  }
  return Array.from(holders.values(), ({ key, name, ids }) => ({
    key,
    name,
    ids: ids.sort(),
    folded: fold(`${name.first} ${name.last} ${ids.join(' ')}`),
  }));
}

/** The changes after which a person has this name and these tags. Tags of other people become tags of this person. */
export function changesTo(
  names: ReadonlyMap<string, Name>,
  before: Holder | undefined,
  name: Name,
  ids: readonly string[],
): readonly NameChange[] {
  const given = ids
    .map((id) => ({ id, before: names.get(id) ?? null, after: name }))
    .filter(({ before: held }) => held === null || keyOf(held) !== keyOf(name));
  const taken = (before?.ids ?? [])
    .filter((id) => !ids.includes(id))
    .map((id) => ({ id, before: before?.name ?? null, after: null }));
  return [...given, ...taken];
}

/** Number of tags of a name. */
export function countTags(names: ReadonlyMap<string, Name>, name: Name): number {
  let count = 0;
  for (const each of names.values()) if (each.first === name.first && each.last === name.last) count++;
  return count;
}

const ASCII = /^[\0-\x7f]*$/;

/** Removes accents and case, which people leave out when they type quickly. */
export function fold(text: string): string {
  const plain = ASCII.test(text) ? text : text.normalize('NFD').replace(/\p{M}/gu, '');
  // Upper case, because it turns ß into SS.
  return plain.toUpperCase();
}

/** Makes a function that says whether every word of a search is in a folded text. */
export function searchFor(search: string): (folded: string) => boolean {
  const words = fold(search).split(/\s/);
  return (folded) => words.every((word) => folded.includes(word));
}

/** Key of a person: tags with the same name are one person. */
export function keyOf({ first, last }: Name): string {
  return `${last}\n${first}`;
}

interface Sortable {
  readonly key: string;
  readonly name: Name | null;
}

/** Compares by last name, then by first name, in the order of the language; tags without a name come first, by id. */
export function compareByName(language: string): (one: Sortable, other: Sortable) => number {
  const collator = lazily(() => new Intl.Collator(language, { numeric: true }));
  return (one, other) => {
    const { compare } = collator();
    if (one.name === null || other.name === null) {
      return Number(one.name !== null) - Number(other.name !== null) || compare(one.key, other.key);
    }
    return compare(sortedBy(one.name), sortedBy(other.name)) || compare(one.name.first, other.name.first);
  };
}

/** A person without a last name is sorted by the first name. */
function sortedBy({ first, last }: Name): string {
  return last === '' ? first : last;
}

/** Whether a search finds a person: every word is in the name or in an id. */
export function isMeant(
  { name, ids }: { readonly name: Name | null; readonly ids: readonly string[] },
  search: string,
): boolean {
  return searchFor(search)(fold(`${name?.first ?? ''} ${name?.last ?? ''} ${ids.join(' ')}`));
}
