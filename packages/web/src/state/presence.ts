import type { Entry, Name, RecordedAttendance } from '@tallybook/client';
import { computed, signal, type ReadonlySignal } from '@preact/signals';
import type { Service, ServiceClock, Tap } from './service.js';
import { keyOf, type Names } from './names/names.js';

/** Who is here today: a person with all tags of the name, or one tag without a name. */
export interface Person {
  /** Unique key of the person. */
  readonly key: string;
  readonly name: Name | null;
  readonly ids: readonly string[];
  /** Seconds since 1970; `null` as long as the time is not known. */
  readonly first: number | null;
  readonly last: number | null;
  readonly count: number;
  /** Reader of the last tap, if this page has seen the tap. */
  readonly reader: string | undefined;
}

/** One tag of today. */
export interface TagOfToday extends Omit<Entry, 'first' | 'last'> {
  readonly first: number | null;
  readonly last: number | null;
  readonly reader: string | undefined;
}

/** Groups tags with the same name to one person. */
export function personsOf(tags: Iterable<TagOfToday>, names: ReadonlyMap<string, Name>): readonly Person[] {
  const persons = new Map<string, Person>();
  for (const tag of tags) {
    const name = names.get(tag.id) ?? null;
    const key = name === null ? `#${tag.id}` : keyOf(name);
    const before = persons.get(key);
    const { id, ...rest } = tag;
    persons.set(key, before === undefined ? { key, name, ids: [id], ...rest } : join(before, tag));
  }
  return [...persons.values()];
}

function join(person: Person, tag: TagOfToday): Person {
  const isLater = (tag.last ?? 0) > (person.last ?? 0);
  return {
    ...person,
    ids: [...person.ids, tag.id].sort(),
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
interface SeenTap {
  readonly tap: Tap;
  /** Counts the taps. */
  readonly number: number;
  /** Time of the tap in seconds since 1970; if unknown, the time at which the page received it. */
  readonly at: number;
  /** Name of the tag at that time, if it had one. */
  readonly name: Name | undefined;
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
  private readonly names: Names;
  private readonly tags = signal<ReadonlyMap<string, TagOfToday>>(new Map());
  private readonly latestTap = signal<SeenTap | undefined>(undefined);
  private readonly loaded = signal(false);
  private day: number | undefined;
  private loading: Promise<void> | undefined;
  private isStale = false;
  /** The taps since the last read began. */
  private since: Tap[] = [];
  private count = 0;
  readonly people: ReadonlySignal<readonly Person[]>;
  /** The last tap that this page has seen; `undefined` before the first. */
  readonly lastTap: ReadonlySignal<SeenTap | undefined> = this.latestTap;
  /** Whether the record has been read once. */
  readonly isLoaded: ReadonlySignal<boolean> = this.loaded;

  constructor(parts: { service: Pick<Service, 'readToday'>; clock: ServiceClock; names: Names }) {
    this.service = parts.service;
    this.clock = parts.clock;
    this.names = parts.names;
    this.people = computed(() => personsOf(this.tags.value.values(), this.names.all.value));
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
    if (tap.outcome !== 'failed' && tap.name !== null) this.names.note(tap.id, tap.name);
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
    const name = this.names.all.peek().get(tap.id);
    this.latestTap.value = { tap, number: ++this.count, at, name };
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
    const [{ now, entries, waiting }] = await Promise.all([told, this.names.load()]);
    const { day } = now;
    const readers = this.day === day ? this.tags.peek() : new Map<string, TagOfToday>();
    const tags = new Map<string, TagOfToday>();
    for (const { id } of waiting) tags.set(id, unknownTime(id, readers.get(id)?.reader));
    for (const entry of entries) {
      // All taps of this tag were void.
      if (entry.isVoided) continue;
      tags.set(entry.id, { ...entry, reader: readers.get(entry.id)?.reader });
    }
    this.day = day;
    this.tags.value = this.since.reduce<ReadonlyMap<string, TagOfToday>>(
      (all, tap) => applied(all, tap, day),
      tags,
    );
    this.loaded.value = true;
  }
}

function unknownTime(id: string, reader: string | undefined): TagOfToday {
  return { id, first: null, last: null, count: 1, reader };
}

/** The tags with one more tap. A tap of another day, or a tap that is included already, changes nothing. */
function applied(
  tags: ReadonlyMap<string, TagOfToday>,
  tap: Tap,
  today: number | undefined,
): ReadonlyMap<string, TagOfToday> {
  if (tap.outcome === 'failed') return tags;
  const { id } = tap;
  const reader = tap.reader ?? undefined;
  const before = tags.get(id);
  if (!isRecorded(tap)) return before === undefined ? new Map(tags).set(id, unknownTime(id, reader)) : tags;
  const { at, day } = tap;
  const { first, last, count } = before ?? unknownTime(id, reader);
  if (day !== today || at <= (last ?? 0)) return tags;
  return new Map(tags).set(id, {
    id,
    first: first ?? at,
    last: at,
    count: first === null ? 1 : count + 1,
    reader,
  });
}

function isRecorded(tap: Tap): tap is RecordedAttendance {
  return tap.outcome === 'counted' || tap.outcome === 'already-counted';
}
