import type { Entry, Guest, Name, RecordedAttendance, Today as TodayAnswer } from '@tallybook/client';
import { computed, signal, untracked, type ReadonlySignal } from '@preact/signals';
import type { Service, ServiceClock, Tap } from './service.js';
import type { People } from './people/people.js';

/** Who is here today: a person with all their tags, or one tag without a holder. */
export interface Person {
  /** Id of the person; of a tag without a holder, `#` and its id. */
  readonly key: string;
  readonly name: Name | null;
  /** What tells the person apart from others of the name. */
  readonly mark: string;
  readonly number: string | null;
  /** Ids of the groups that they are in today. */
  readonly groups: readonly string[];
  /** `null`: a member, or a tag without a holder. */
  readonly guest: Guest | null;
  readonly ids: readonly string[];
  /** Seconds since 1970; `null` as long as the time is not known. */
  readonly first: number | null;
  readonly last: number | null;
  readonly count: number;
  /** Reader of the last tap, if this page has seen the tap. */
  readonly reader: string | undefined;
}

/** Taps of one tag today, all of one holder. */
export interface TagOfToday extends Omit<Entry, 'first' | 'last'> {
  readonly first: number | null;
  readonly last: number | null;
  readonly reader: string | undefined;
  /** The person who held the tag at these taps, as far as it was known then. */
  readonly holder: string | undefined;
  /** Whether the tag was lost then. */
  readonly isLost: boolean;
}

type TodayPerson = TodayAnswer['people'][number];

type TagsOfToday = ReadonlyMap<string, readonly TagOfToday[]>;

interface PresentAndLost {
  readonly people: readonly Person[];
  /** Lost tags with taps, which count for nobody. */
  readonly lost: readonly Person[];
}

const NOBODY = { name: null, number: null, tags: [], groups: [], guest: null };

/** Puts the tags of each person together. */
export function personsOf(
  tags: Iterable<TagOfToday>,
  persons: Pick<People, 'holders' | 'byId' | 'markOf'>,
): PresentAndLost {
  const found = new Map<string, Person>();
  const lost: Person[] = [];
  for (const tag of tags) {
    const { id, first, last, count, reader } = tag;
    const present = persons.holders.value.get(id);
    // The holder may have become known after the taps.
    const isPresent = present !== undefined && present.since <= (first ?? Infinity);
    const person = isPresent ? present.person : persons.byId.value.get(tag.holder ?? '');
    const isLost = isPresent ? present.isLost : tag.isLost;
    const who = isLost || person === undefined ? { ...NOBODY, id: `#${id}` } : person;
    const one: Person = {
      ...{ key: who.id, name: who.name, number: who.number, mark: persons.markOf(who) },
      ...{ groups: who.groups, guest: who.guest },
      ...{ ids: [id], first, last, count, reader },
    };
    const before = found.get(one.key);
    if (isLost) lost.push(one);
    else found.set(one.key, before === undefined ? one : join(before, one));
  }
  return { people: [...found.values()], lost };
}

function join(person: Person, tag: Person): Person {
  const isLater = (tag.last ?? 0) > (person.last ?? 0);
  return {
    ...person,
    ids: [...new Set([...person.ids, ...tag.ids])].sort(),
    first: earlier(person.first, tag.first),
    last: isLater ? tag.last : person.last,
    count: person.count + tag.count,
    reader: isLater ? tag.reader : person.reader,
  };
}

function earlier(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

/** A tap that this page has received live. */
export interface SeenTap {
  readonly tap: Tap;
  /** Counts the taps. */
  readonly number: number;
  /** Time of the tap in seconds since 1970; if unknown, the time at which the page received it. */
  readonly at: number;
  /** Name of the holder at that time, if there was one. */
  readonly name: Name | undefined;
  readonly isLost: boolean;
}

/**
 * The people who are here today: from the record of the service, and every tap since.
 *
 * The record is read again whenever taps may have been missed. A tap that comes during a read is in the result already, or
 * later than all of it.
 */
export class Today {
  private readonly service: Pick<Service, 'readToday'>;
  private readonly clock: ServiceClock;
  private readonly persons: People;
  /** The taps of each tag; several parts if the tag changed hands today. */
  private readonly tags = signal<TagsOfToday>(new Map());
  private readonly latestTap = signal<SeenTap | undefined>(undefined);
  private readonly loaded = signal(false);
  private day: number | undefined;
  private loading: Promise<void> | undefined;
  private isStale = false;
  /** The taps since the last read began. */
  private since: Tap[] = [];
  private count = 0;
  private readonly present: ReadonlySignal<PresentAndLost>;
  readonly people: ReadonlySignal<readonly Person[]>;
  /** Lost tags that were tapped today: their taps count for nobody. */
  readonly lost: ReadonlySignal<readonly Person[]>;
  /** The last tap that this page has seen; `undefined` before the first. */
  readonly lastTap: ReadonlySignal<SeenTap | undefined> = this.latestTap;
  /** Whether the record has been read once. */
  readonly isLoaded: ReadonlySignal<boolean> = this.loaded;

  constructor(parts: { service: Pick<Service, 'readToday'>; clock: ServiceClock; people: People }) {
    this.service = parts.service;
    this.clock = parts.clock;
    this.persons = parts.people;
    this.present = computed(() => personsOf([...this.tags.value.values()].flat(), this.persons));
    this.people = computed(() => this.present.value.people);
    this.lost = computed(() => this.present.value.lost);
  }

  /** Reads the record again. Calls during a read share one more read after it. */
  async load(): Promise<void> {
    this.isStale = true;
    this.loading ??= this.loadUntilFresh().finally(() => (this.loading = undefined));
    return this.loading;
  }

  /** Forgets the people until the record is read again. */
  forget(): void {
    this.tags.value = new Map();
    this.latestTap.value = undefined;
    this.loaded.value = false;
  }

  /** Takes a tap of the stream. */
  take(tap: Tap): void {
    if (tap.outcome !== 'failed' && tap.name !== null)
      this.persons.note(tap.id, tap.name, tap.person ?? undefined);
    const isFiledLater = isRecorded(tap) && tap.filed !== undefined;
    // A provisional tap was shown at the tap, and is not shown again when it is filed.
    if (!isFiledLater) this.show(tap);
    this.since.push(tap);
    // The first tap of the next day begins a new list. A filed scan may change the list in ways that the event does not
    // show.
    const isOfNextDay = isRecorded(tap) && tap.day > (this.day ?? Infinity);
    if (isOfNextDay || isFiledLater) void this.load().catch(() => undefined);
    this.tags.value = applied(this.tags.peek(), tap, this.day);
  }

  private show(tap: Tap): void {
    const at = isRecorded(tap) ? tap.at : this.clock.now();
    const isLost = tap.outcome !== 'failed' && tap.holder === 'lost';
    const known = untracked(() => this.persons.nameOf(tap.id));
    const name = tap.outcome === 'failed' ? known : (tap.name ?? (isLost ? undefined : known));
    this.latestTap.value = { tap, number: ++this.count, at, name, isLost };
  }

  private async loadUntilFresh(): Promise<void> {
    while (this.isStale) {
      this.isStale = false;
      this.since = [];
      await this.loadOnce();
    }
  }

  private async loadOnce(): Promise<void> {
    const told = this.service.readToday().then((today) => {
      this.clock.take(today.now);
      return today;
    });
    const [{ now, entries, people, waiting }] = await Promise.all([told, this.persons.load()]);
    const { day } = now;
    const before = this.day === day ? this.tags.peek() : undefined;
    const readerOf = (id: string): string | undefined => before?.get(id)?.at(-1)?.reader;
    const owners = new Map<string, TodayPerson[]>();
    for (const person of people)
      for (const id of person.ids) owners.set(id, [...(owners.get(id) ?? []), person]);
    const holders = this.persons.holders.peek();
    const tags = new Map<string, readonly TagOfToday[]>();
    for (const { id } of waiting) tags.set(id, [unknownTime(id, readerOf(id))]);
    for (const entry of entries) {
      // All taps of a voided entry are void.
      if (entry.isVoided === true) continue;
      const { id } = entry;
      tags.set(id, partsOf(entry, owners.get(id) ?? [], readerOf(id), holders.get(id)?.isLost ?? false));
    }
    this.day = day;
    this.tags.value = this.since.reduce<TagsOfToday>((all, tap) => applied(all, tap, day), tags);
    this.loaded.value = true;
  }
}

/**
 * The taps of each holder of a tag today, the latest last; and a tap before or after them, which is nobody's. Who was here with
 * several tags has all taps on the first of them.
 *
 * @param owners Those who were here with the tag.
 */
function partsOf(
  { id, first, last, count }: Entry,
  owners: readonly TodayPerson[],
  reader: string | undefined,
  isLost: boolean,
): readonly TagOfToday[] {
  const unowned = { id, reader, holder: undefined, isLost };
  if (owners.length === 0) return [{ ...unowned, first, last, count }];
  const parts: TagOfToday[] = owners.map(({ person, ids, scans, ...times }) => ({
    ...{ id, reader, holder: person, isLost: false },
    ...{ first: times.first, last: times.last, count: ids[0] === id ? scans : 0 },
  }));
  const isOwned = (at: number): boolean => owners.some((each) => each.first <= at && at <= each.last);
  for (const at of new Set([first, last]))
    if (!isOwned(at)) parts.push({ ...unowned, first: at, last: at, count: 1 });
  return parts.sort((one, other) => (one.last ?? 0) - (other.last ?? 0));
}

/** Whether taps are of the same holder. */
function isOfSame(one: TagOfToday, other: Pick<TagOfToday, 'holder' | 'isLost'>): boolean {
  return one.holder === other.holder && one.isLost === other.isLost;
}

function unknownTime(id: string, reader: string | undefined): TagOfToday {
  return { id, first: null, last: null, count: 1, reader, holder: undefined, isLost: false };
}

/** The tags with one more tap. A tap of another day, or a tap that is included already, changes nothing. */
function applied(tags: TagsOfToday, tap: Tap, today: number | undefined): TagsOfToday {
  if (tap.outcome === 'failed') return tags;
  const { id } = tap;
  const reader = tap.reader ?? undefined;
  const parts = tags.get(id) ?? [];
  const latest = parts.at(-1) ?? unknownTime(id, reader);
  if (!isRecorded(tap)) return parts.length === 0 ? new Map(tags).set(id, [latest]) : tags;
  const { at, day } = tap;
  if (day !== today || at <= (latest.last ?? 0)) return tags;
  const part = { id, first: at, last: at, count: 1, reader, ...holderAt(tap) };
  if (latest.first === null) return new Map(tags).set(id, [part]);
  const { first, count } = latest;
  return new Map(tags).set(
    id,
    isOfSame(latest, part) ? [...parts.slice(0, -1), { ...part, first, count: count + 1 }] : [...parts, part],
  );
}

function holderAt({ person, holder }: RecordedAttendance): Pick<TagOfToday, 'holder' | 'isLost'> {
  return { holder: person ?? undefined, isLost: holder === 'lost' };
}

function isRecorded(tap: Tap): tap is RecordedAttendance {
  return tap.outcome === 'counted' || tap.outcome === 'already-counted';
}
