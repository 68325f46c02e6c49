import { computed, signal, type ReadonlySignal } from '@preact/signals';
import type { Group, Groups, Mapping, Name, PeoplePage, PersonSummary, TablePerson } from '@tallybook/client';
import type { Service } from '../service.js';
import { lazily } from '../../lazily.js';

type PeopleService = Pick<Service, 'readPeople' | 'readGroups' | 'readMapping' | 'assignName' | 'removeName'>;

/** Who holds a tag now, or held it before it was lost. */
export interface Holder {
  readonly person: PersonSummary;
  /** Since when the tag is theirs, or lost, in seconds since 1970; 0: from the beginning. */
  readonly since: number;
  readonly isLost: boolean;
}

/** All persons, and who holds which tag. */
export class People {
  private readonly service: PeopleService;
  private readonly listed = signal<readonly PersonSummary[]>([]);
  private readonly loaded = signal(false);
  private readonly offered = signal(true);
  private readonly grouped = signal<readonly Group[]>([]);
  private pages: readonly PeoplePage[] | undefined;
  private known: Groups | undefined;
  private mapping: Mapping | undefined;
  private loading: Promise<void> | undefined;
  private isStale = false;
  readonly all: ReadonlySignal<readonly PersonSummary[]> = this.listed;
  /** All groups, by name. */
  readonly groups: ReadonlySignal<readonly Group[]> = this.grouped;
  /** By every id that a person has, also those of who was merged into them. */
  readonly byId: ReadonlySignal<ReadonlyMap<string, PersonSummary>> = computed(() => {
    const persons = new Map<string, PersonSummary>();
    for (const person of this.listed.value)
      for (const id of [person.id, ...person.aliases]) persons.set(id, person);
    return persons;
  });
  /** By tag, tags of last resort included. */
  readonly holders: ReadonlySignal<ReadonlyMap<string, Holder>> = computed(() => {
    const holders = new Map<string, Holder>();
    for (const person of this.listed.value)
      for (const { id, since, isLost } of lastResortsOf(person).concat(person.tags))
        holders.set(id, { person, since, isLost });
    return holders;
  });
  /** Number of persons with a name, by the folded name. */
  private readonly counts = computed(() => {
    const counts = new Map<string, number>();
    for (const { name } of this.listed.value)
      if (name !== null) counts.set(keyOf(name), (counts.get(keyOf(name)) ?? 0) + 1);
    return counts;
  });
  /** Whether the people have been read once. */
  readonly isLoaded: ReadonlySignal<boolean> = this.loaded;
  /** Whether the service keeps persons. If not, each tag with a name is a person of its own. */
  readonly isOffered: ReadonlySignal<boolean> = this.offered;

  constructor(service: PeopleService) {
    this.service = service;
  }

  /** Reads the people again. Calls during a read share one more read after it. */
  async load(): Promise<void> {
    this.isStale = true;
    this.loading ??= this.loadUntilFresh().finally(() => (this.loading = undefined));
    return this.loading;
  }

  /** Forgets the people until they are read again. */
  forget(): void {
    this.pages = this.mapping = this.known = undefined;
    this.listed.value = [];
    this.grouped.value = [];
    this.loaded.value = false;
  }

  /** The name of the present holder of a tag; `undefined` if nobody holds it, or it is lost. */
  nameOf(tag: string): Name | undefined {
    const holder = this.holders.value.get(tag);
    return holder === undefined || holder.isLost ? undefined : (holder.person.name ?? undefined);
  }

  /** A tag with its present holder, as in a table. */
  rowOf(tag: string): Pick<TablePerson, 'person' | 'name' | 'ids'> {
    const name = this.nameOf(tag) ?? null;
    return { person: name && (this.holders.value.get(tag)?.person.id ?? null), name, ids: [tag] };
  }

  /** All persons of a name. Case and accents do not matter. */
  namesakesOf(name: Name): readonly PersonSummary[] {
    const key = keyOf(name);
    if (!this.counts.value.has(key)) return [];
    return this.listed.value.filter((person) => person.name !== null && keyOf(person.name) === key);
  }

  /** What tells a person apart from others of the name: the number, or the end of a tag. Empty if nobody else has the name. */
  markOf({ name, number, tags }: Pick<PersonSummary, 'name' | 'number' | 'tags'>): string {
    if (name === null || (this.counts.value.get(keyOf(name)) ?? 0) < 2) return '';
    const mark = number ?? (tags[0] && `…${tags[0].id.slice(-4)}`);
    return mark === undefined ? '' : `(${mark})`;
  }

  /** The name of a group; its id if it is unknown. */
  groupName(id: string): string {
    return this.grouped.value.find((group) => group.id === id)?.name ?? id;
  }

  /** Takes over who holds a tag from a tap, until the people are read again. */
  note(tag: string, name: Name, id?: string): void {
    const held = this.holders.peek().get(tag);
    if (held?.isLost === false && isSameName(held.person.name, name)) return;
    this.take(tag, name, id);
  }

  /** Names the holder of a tag, or takes the name away. Durable when it resolves. */
  async name(tag: string, name: Name | null): Promise<void> {
    try {
      if (name === null) await this.service.removeName(tag);
      else await this.service.assignName(tag, name);
    } catch (error) {
      // It may be changed nevertheless.
      void this.load().catch(() => undefined);
      throw error;
    }
    this.take(tag, name);
  }

  private take(tag: string, name: Name | null, id?: string): void {
    const before = this.holders.peek().get(tag);
    const others = this.listed.peek().filter((person) => person !== before?.person);
    const { person, isLost } = before ?? {};
    const rest = person?.tags.filter((each) => each.id !== tag) ?? [];
    if (name !== null && person !== undefined && isLost === false) others.push({ ...person, name });
    else {
      if (person !== undefined && rest.length > 0) others.push({ ...person, tags: rest });
      if (name !== null) others.push(personOf(tag, name, id));
    }
    this.draft(others);
  }

  /** Takes over that a tag was given to a person, or to nobody, until the people are read again. */
  hold(tag: string, id: string | undefined): void {
    this.draft(
      this.listed.peek().map((person) => {
        const tags = person.tags.filter((each) => each.id !== tag);
        if (person.id === id) tags.push({ id: tag, since: 0, isLost: false });
        else if (tags.length === person.tags.length) return person;
        return { ...person, tags };
      }),
    );
  }

  private draft(people: readonly PersonSummary[]): void {
    this.listed.value = people;
    // The next answer replaces this draft. A read under way may return the earlier people.
    this.pages = this.mapping = undefined;
    this.isStale = true;
  }

  private async loadUntilFresh(): Promise<void> {
    while (this.isStale) {
      this.isStale = false;
      const [pages, groups] = await Promise.all([
        this.service.readPeople(this.pages),
        this.service.readGroups(this.known),
      ]);
      const mapping = pages === undefined ? await this.service.readMapping(this.mapping) : undefined;
      // Unchanged answers are not drawn again.
      if (pages !== undefined && pages !== this.pages)
        this.listed.value = pages.flatMap(({ people }) => people);
      else if (mapping !== undefined && mapping !== this.mapping)
        this.listed.value = Object.entries(mapping).map(([tag, name]) => personOf(tag, name));
      if (groups !== this.known) this.grouped.value = groups?.groups ?? [];
      this.known = groups;
      this.pages = pages;
      this.mapping = mapping;
      this.offered.value = pages !== undefined;
    }
    this.loaded.value = true;
  }
}

/** A person with one tag from the beginning. */
function personOf(tag: string, name: Name, id = `tag-${tag}`): PersonSummary {
  const tags = [{ id: tag, since: 0, isLost: false }];
  const unknown = { number: null, from: null, until: null, groups: [], guest: null };
  return { id, name, ...unknown, tags, isInDoubt: false, aliases: [] };
}

function isSameName(one: Name | null, other: Name): boolean {
  return one?.first === other.first && one.last === other.last;
}

/** The folded name. */
function keyOf({ first, last }: Name): string {
  return fold(`${last}\n${first}`);
}

const RANDOM_ID = /^[0-9A-F]{14}$/;

/** The tags of last resort of a person, on which the service records them without a tag. Those of implicit persons are unknown. */
export function lastResortsOf({
  id,
  aliases,
}: Pick<PersonSummary, 'id' | 'aliases'>): PersonSummary['tags'][number][] {
  const ids = [id, ...aliases].filter((each) => RANDOM_ID.test(each));
  return ids.map((each) => ({ id: `FF5442${each}`, since: 0, isLost: false }));
}

/** The tags under which the record has a person, as far as they are known now. The first one is for new corrections. */
export function tagsOf(person: PersonSummary): readonly string[] {
  return person.tags.concat(lastResortsOf(person)).map(({ id }) => id);
}

/** The tag on which a forgotten tap of a person is added: the one they held then, as far as it is known; else that of last resort. */
export function tagAt(person: PersonSummary, at: number): string | undefined {
  const held = person.tags.find(({ since, isLost }) => since <= at !== isLost);
  return (held ?? lastResortsOf(person)[0])?.id;
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

interface Searchable {
  readonly name: Name | null;
  readonly number?: string | null;
  readonly ids: readonly string[];
}

/** Name, number and tags, for a search. */
export function foldedOf({ name, number, ids }: Searchable): string {
  return fold(`${name?.first ?? ''} ${name?.last ?? ''} ${number ?? ''} ${ids.join(' ')}`);
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

/** Persons by name, such as those of a list, which come by id. */
export function sortedByName<Person extends { readonly id: string; readonly name: Name | null }>(
  persons: readonly Person[],
  language: string,
): readonly Person[] {
  const compare = compareByName(language);
  return [...persons].sort((one, other) => compare({ key: one.id, ...one }, { key: other.id, ...other }));
}

/** A person without a last name is sorted by the first name. */
function sortedBy({ first, last }: Name): string {
  return last === '' ? first : last;
}
