import type { Journal } from '../../ports/record/journal.js';
import type { ScanChange } from '../../values/record/change.js';
import { ifCode } from '../../errors.js';
import { readPeople } from '../../people/change-people.js';
import type { PersonId } from '../../values/people/person.js';
import { presentEntry, standing } from '../../values/people/timeline.js';
import type { PeopleStore } from '../../ports/people/people-store.js';
import type { Name } from '../../values/name.js';
import type { DayStore } from '../../ports/record/day-store.js';
import type { MappingStore } from '../../ports/names/mapping-store.js';
import type { Calendar } from '../../time/calendar.js';
import type { Timekeeper } from '../../time/timekeeper.js';
import type { Entry } from '../../values/record/attendance-day.js';
import type { Day } from '../../values/day.js';
import type { TallyId } from '../../values/tally-id.js';
import { BEGINNING, type Timestamp } from '../../values/timestamp.js';
import { sortInTurns, type Pause } from '../turns.js';

/** Number of the latest changes that are searched for readers; fewer if the journal does not go back that far. */
const CHANGES_SEARCHED = 4_096;
/** A search of fewer changes is not worth another try. */
const CHANGES_LEAST = 16;
const CHANGES_OF_TURN = 256;

/** Adds the readers of the latest scans of tags, as far as the journal goes back: days do not hold readers. */
export async function addReaders<T extends { readonly at: Timestamp }>(
  tags: Map<TallyId, T>,
  journal: Journal,
  pause: Pause,
): Promise<void> {
  if (tags.size === 0) return;
  for await (const { id, at, reader } of latestScans(journal, pause)) {
    const tag = tags.get(id);
    if (tag?.at === at && reader !== undefined) tags.set(id, { ...tag, reader });
  }
}

/** The scans among the latest changes, ascending. */
async function* latestScans(journal: Journal, pause: Pause): AsyncGenerator<ScanChange, void, undefined> {
  const latest = await journal.latest();
  for (let back = CHANGES_SEARCHED; back >= CHANGES_LEAST; back /= 2) {
    let after = Math.max(latest - back, 0);
    let page = await journal.read(after, CHANGES_OF_TURN);
    if (!page.isKnown && page.next !== undefined && page.next < latest) {
      // Cursors between the two were never given.
      after = page.next;
      page = await journal.read(after, CHANGES_OF_TURN);
    }
    if (!page.isKnown) continue;
    while (page.isKnown && page.entries.length > 0 && after < latest) {
      for (const { cursor, change } of page.entries) {
        after = cursor;
        if (change.kind === 'scan') yield change;
      }
      await pause();
      page = await journal.read(after, CHANGES_OF_TURN);
    }
    return;
  }
}

/** Maximum number of listed tags: phones that show a new id at each tap could fill any list. */
export const UNNAMED_MAX_TAGS = 1_000;

/** Entries between two pauses. A store may answer from memory: then a look-up takes only some microseconds. */
const ENTRIES_OF_TURN = 500;

/** A tag with scans but without a holder now. */
export interface UnnamedTag {
  readonly id: TallyId;
  /** The latest scan. */
  readonly at: Timestamp;
  /** The day of that scan. */
  readonly day: Day;
  /** Number of scans on the days searched. */
  readonly scans: number;
  /**
   * Reader of the latest scan. Absent if this scan is not among the latest changes of the journal, since days do not hold
   * readers.
   */
  readonly reader?: string;
  /** Who lost the tag. */
  readonly lostBy?: { readonly person: PersonId; readonly name?: Name | undefined };
}

interface UnnamedTagsDependencies {
  readonly days: DayStore;
  readonly mapping: MappingStore;
  /** Knows who holds a tag. Default: whoever its name names. */
  readonly people?: PeopleStore;
  readonly calendar: Calendar;
  readonly timekeeper: Timekeeper;
  /** Holds the readers of the latest scans. */
  readonly journal: Journal;
}

/** Since when nobody holds a tag, and who lost it. */
type Unheld = { readonly since: Timestamp } & Pick<UnnamedTag, 'lostBy'>;

/**
 * Finds tags with scans but without a holder, so that somebody can give them to a person. Of a lost or returned tag only the scans
 * since then count.
 *
 * It reads days from the newest back, one in memory at a time. Provisional scans are not searched.
 */
export class UnnamedTags {
  readonly #parts: UnnamedTagsDependencies;

  constructor(parts: UnnamedTagsDependencies) {
    this.#parts = parts;
  }

  /**
   * The tags without a holder, the latest first, at most {@link UNNAMED_MAX_TAGS}. A damaged day is left out: its store
   * reports it. Otherwise rejects as the stores do.
   *
   * @param dayCount Number of days to search, 1 or more. The last one is today, or the day of the latest scan if that is
   * later.
   * @param pause Lets other work run: a day may have 100,000 entries.
   */
  async list(dayCount: number, pause: Pause): Promise<readonly UnnamedTag[]> {
    const { days } = this.#parts;
    const today = this.#today();
    const found = new Map<TallyId, UnnamedTag>();
    const unheldSince = new Map<TallyId, Timestamp>();
    const held = new Set<TallyId>();
    for (const day of [...(await days.list(Math.max(today - dayCount + 1, 0) as Day, today))].reverse()) {
      const record = await days.load(day).catch(unlessDamaged);
      const entries = await sortInTurns(record?.entries ?? [], (a, b) => b.last - a.last, pause);
      for (const [index, entry] of entries.entries()) {
        const { id, last } = entry;
        if (index > 0 && index % ENTRIES_OF_TURN === 0) await pause();
        const tag = found.get(id);
        if (tag !== undefined) {
          const scans = await this.#countSince(day, entry, unheldSince.get(id) ?? BEGINNING);
          found.set(id, { ...tag, scans: tag.scans + scans });
        } else if (!held.has(id) && found.size < UNNAMED_MAX_TAGS) {
          const unheld = await this.#unheld(id);
          if (unheld !== undefined && last >= unheld.since) {
            const { since, ...of } = unheld;
            unheldSince.set(id, since);
            found.set(id, { id, at: last, day, scans: await this.#countSince(day, entry, since), ...of });
          } else held.add(id);
        }
      }
    }
    await addReaders(found, this.#parts.journal, pause);
    return [...found.values()];
  }

  async #countSince(day: Day, { id, first, last, count }: Entry, since: Timestamp): Promise<number> {
    if (first >= since) return count;
    if (last < since) return 0;
    return (await this.#parts.days.scans(day, id)).filter((at) => at >= since).length;
  }

  /** `undefined` if somebody holds the tag now. */
  async #unheld(id: TallyId): Promise<Unheld | undefined> {
    const { mapping, people } = this.#parts;
    if ((await mapping.get(id)) !== undefined) return undefined;
    if (people === undefined) return { since: BEGINNING };
    return readPeople(people, (draft) => {
      const timeline = draft.timeline(id);
      const present = presentEntry(timeline);
      if (present === undefined || present.why === 'removed') return { since: BEGINNING };
      if (present.holder !== undefined) return undefined;
      const { since, why } = present;
      const holder = standing(timeline).findLast((entry) => entry.holder !== undefined)?.holder;
      if (why !== 'lost' || holder === undefined) return { since };
      const person = draft.resolve(holder);
      return { since, lostBy: { person, name: draft.whole(person)?.name?.value } };
    });
  }

  #today(): Day {
    const { calendar, timekeeper } = this.#parts;
    return calendar.dayOf(Math.max(timekeeper.now(), timekeeper.latestScan) as Timestamp);
  }
}

/** A damaged day is left out: tags of the other days can still be named. */
export const unlessDamaged: (error: unknown) => undefined = ifCode('STORE_CORRUPT', undefined);
