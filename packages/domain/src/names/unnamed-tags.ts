import { isTallybookError } from '../errors.js';
import { ManagedResource } from '../lifecycle.js';
import type { DayStore } from '../ports/day-store.js';
import type { MappingStore } from '../ports/mapping-store.js';
import { sortInTurns, type Pause } from '../sort-in-turns.js';
import type { Subscribable, Subscription } from '../subscribable.js';
import type { Calendar } from '../time/calendar.js';
import type { Timekeeper } from '../time/timekeeper.js';
import type { AttendanceEvent, Scan } from '../values/attendance-event.js';
import type { Day } from '../values/day.js';
import type { TallyId } from '../values/tally-id.js';
import type { Timestamp } from '../values/timestamp.js';

/** Most tags that are listed, because phones that show a new id at each tap could fill any list. */
export const UNNAMED_MAX_TAGS = 1_000;

/** Entries that are looked at between two pauses: a store may look a name up at once, which takes some microseconds. */
const ENTRIES_OF_TURN = 500;

/** A tag that was read and has no name. */
export interface UnnamedTag {
  readonly id: TallyId;
  /** The latest scan. */
  readonly at: Timestamp;
  /** Its day. */
  readonly day: Day;
  /** Number of scans on the days searched. */
  readonly scans: number;
  /** Reader of the latest scan; absent if this was not open then, because days do not hold readers. */
  readonly reader?: string;
}

export interface UnnamedTagsDependencies {
  readonly days: DayStore;
  readonly mapping: MappingStore;
  readonly calendar: Calendar;
  readonly timekeeper: Timekeeper;
  /** The events of the attendance service. */
  readonly events: Subscribable<AttendanceEvent>;
}

/**
 * Finds tags that were read and have no name, so that somebody can name them.
 *
 * It reads days from the newest back, one in memory at a time. Provisional scans are not searched.
 */
export class UnnamedTags extends ManagedResource {
  readonly #parts: UnnamedTagsDependencies;
  /** The latest scans of tags that had no name then, the latest last. */
  readonly #latest = new Map<TallyId, Scan>();
  #subscription: Subscription | undefined;

  constructor(parts: UnnamedTagsDependencies) {
    super();
    this.#parts = parts;
  }

  /**
   * The tags without a name, the latest first, at most {@link UNNAMED_MAX_TAGS}.
   *
   * @param dayCount Number of days to search, 1 or more. The last one is today, or the day of the latest scan if that is
   * later.
   * @param pause Lets others have a turn: a day may have 100,000 entries.
   * A day that is damaged is left out: its store says so. Otherwise it rejects as the stores do.
   */
  list(dayCount: number, pause: Pause): Promise<readonly UnnamedTag[]> {
    return this.run(async () => {
      const { days, mapping } = this.#parts;
      const today = this.#today();
      const found = new Map<TallyId, UnnamedTag>();
      const named = new Set<TallyId>();
      for (const day of [...(await days.list(Math.max(today - dayCount + 1, 0) as Day, today))].reverse()) {
        const record = await days.load(day).catch(unlessDamaged);
        const entries = await sortInTurns(record?.entries ?? [], (a, b) => b.last - a.last, pause);
        for (const [index, { id, last, count }] of entries.entries()) {
          if (index > 0 && index % ENTRIES_OF_TURN === 0) await pause();
          const tag = found.get(id);
          if (tag !== undefined) found.set(id, { ...tag, scans: tag.scans + count });
          else if (!named.has(id) && found.size < UNNAMED_MAX_TAGS) {
            if ((await mapping.get(id)) === undefined) found.set(id, this.#describe(id, day, last, count));
            else named.add(id);
          }
        }
      }
      return [...found.values()];
    });
  }

  /** Forgets at which reader tags were tapped. */
  forget(ids: Iterable<TallyId>): void {
    for (const id of ids) this.#latest.delete(id);
  }

  protected override async onOpen(): Promise<void> {
    this.#subscription = this.#parts.events.subscribe((event) => {
      if (event.kind === 'attendance' && event.name === undefined) this.#note(event.scan);
    });
  }

  protected override async onClose(): Promise<void> {
    this.#subscription?.unsubscribe();
    this.#latest.clear();
  }

  #today(): Day {
    const { calendar, timekeeper } = this.#parts;
    return calendar.dayOf(Math.max(timekeeper.now(), timekeeper.latestScan) as Timestamp);
  }

  #note(scan: Scan): void {
    const { id, at } = scan;
    // A scan that is filed later may be an earlier one.
    if ((this.#latest.get(id)?.at ?? 0) > at) return;
    this.#latest.delete(id);
    this.#latest.set(id, scan);
    if (this.#latest.size <= UNNAMED_MAX_TAGS) return;
    const [oldest] = this.#latest.keys();
    if (oldest !== undefined) this.#latest.delete(oldest);
  }

  #describe(id: TallyId, day: Day, at: Timestamp, scans: number): UnnamedTag {
    const latest = this.#latest.get(id);
    return { id, at, day, scans, ...(latest?.at === at && { reader: latest.reader }) };
  }
}

/** Tags of the other days can still be named. */
function unlessDamaged(error: unknown): undefined {
  if (!isTallybookError(error, 'STORE_CORRUPT')) throw error;
}
