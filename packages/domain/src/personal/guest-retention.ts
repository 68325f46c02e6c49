import type { AttendanceService } from '../attendance/attendance-service.js';
import { ifCode, isTallybookError } from '../errors.js';
import type { AuditNotes } from '../ports/audit-notes.js';
import type { PeopleStore } from '../ports/people/people-store.js';
import type { DayStore } from '../ports/record/day-store.js';
import type { ProvisionalStore } from '../ports/record/provisional-store.js';
import type { CorrectionStore } from '../record/ports/correction-store.js';
import type { GuestLimit } from '../record/guest-limit.js';
import type { ErasedHolding, ErasureStore } from '../record/ports/erasure-store.js';
import { ERASURE_KEPT_DAYS } from '../record/values/erasure.js';
import type { Calendar } from '../time/calendar.js';
import { personPages } from '../people/people-pages.js';
import { requireTime } from '../time/require-time.js';
import type { Timekeeper } from '../time/timekeeper.js';
import { DAY_MAX, formatDay, type Day } from '../values/day.js';
import type { PersonId } from '../values/people/person.js';
import { holdingsOf } from '../values/people/timeline.js';
import type { TallyId } from '../values/tally-id.js';
import {
  BEGINNING,
  DAY_SECONDS,
  OUTSIDE_TIME_MAX,
  toTimestamp,
  type Timestamp,
} from '../values/timestamp.js';
import { recordOf, type HeldRecord } from './held-traces.js';
import { firstKeptDay, type Keep } from './keep.js';

/**
 * How long the erasure of a guest's own id is remembered, in days: long enough for stations to hear of it. After that, what comes
 * late of a guest is refused by its day, so that the list of erasures does not grow with each guest.
 */
const TOLD_DAYS = 7;
const ALWAYS = { from: BEGINNING, until: OUTSIDE_TIME_MAX as Timestamp } as const;

export interface GuestRetentionDependencies {
  readonly people: PeopleStore;
  readonly days: DayStore;
  readonly provisional?: Pick<ProvisionalStore, 'list'>;
  readonly corrections?: Pick<CorrectionStore, 'list'>;
  readonly erasures: Pick<ErasureStore, 'key' | 'of' | 'erase'>;
  readonly attendance: Pick<AttendanceService, 'eraseTags'>;
  readonly calendar: Calendar;
  readonly timekeeper: Timekeeper;
  readonly audit?: AuditNotes;
}

/** A guest whose last day is over for longer than guests are kept. */
export interface ExpiredGuest {
  readonly person: PersonId;
  /** The day on which they were added. */
  readonly since: Day;
}

/** A time in which a tag was a guest's. */
interface Span {
  readonly from: Timestamp;
  readonly until: Timestamp;
  readonly person: PersonId;
}

/** Finds and erases guests some time after their last day: that of their last scan or correction, or on which they were added. */
export class GuestRetention {
  readonly keep: Keep;
  readonly #parts: GuestRetentionDependencies;

  constructor(parts: GuestRetentionDependencies, keep: Keep) {
    this.#parts = parts;
    this.keep = keep;
  }

  /** The present limit; `undefined` while the clock is not trusted. */
  limit(): GuestLimit | undefined {
    const { timekeeper, calendar } = this.#parts;
    if (!timekeeper.trust().isTrusted) return undefined;
    const firstKept = firstKeptDay(this.keep, calendar.dayOf(timekeeper.now()));
    return { firstKept, isPast: (at) => calendar.dayOf(at) < firstKept };
  }

  /**
   * The guests to erase now; none while the clock is not trusted, or if a day that may be theirs is damaged. Rejects as the stores
   * do. It reads the kept days only if a guest was added before them.
   */
  async expired(): Promise<readonly ExpiredGuest[]> {
    const { firstKept } = this.limit() ?? {};
    if (firstKept === undefined) return [];
    const added = await this.#addedBefore(firstKept);
    if (added.size === 0) return [];
    try {
      for (const person of await this.#seenSince(firstKept, added)) added.delete(person);
    } catch (error) {
      if (isTallybookError(error, 'STORE_CORRUPT')) return [];
      throw error;
    }
    // In the order in which they had a badge, so that its erased times become one.
    const sorted = [...added.values()].sort((a, b) => startOf(a) - startOf(b));
    return sorted.flatMap(({ person: { id, guest } }) =>
      guest?.value === undefined ? [] : [{ person: id, since: guest.value.since }],
    );
  }

  /**
   * Erases guests with their scans.
   *
   * @param guests As {@link expired} gave them. Who is a guest no more stays, and so does who has come again meanwhile.
   * @param confirm Called before each one. If it throws, that guest and later ones stay.
   * @throws {TallybookError} `CLOCK_NOT_TRUSTED`; and as the stores reject. Then some are erased already.
   */
  async erase(
    guests: readonly ExpiredGuest[],
    { actor, confirm }: { readonly actor: string; readonly confirm?: (() => void) | undefined },
  ): Promise<void> {
    const { timekeeper, audit } = this.#parts;
    const before = this.limit()?.firstKept;
    let erased = 0;
    try {
      for (const { person } of guests) {
        requireTime(timekeeper, 'guests cannot be erased');
        confirm?.();
        const its = await this.#guest(person);
        if (its === undefined || (await this.#hasComeAgain(its))) continue;
        await this.#erase(its, timekeeper.now());
        erased++;
      }
    } finally {
      if (erased > 0) {
        const day = before === undefined ? '' : formatDay(before);
        await audit?.note(actor, 'guests-erased', { before: day, guests: erased });
      }
    }
  }

  /** Many guests take a while, and all scans of one up to now are erased. */
  async #hasComeAgain(its: HeldRecord): Promise<boolean> {
    const { calendar, timekeeper } = this.#parts;
    const today = calendar.dayOf(timekeeper.now());
    const seen = await this.#seenSince(today, new Map([[its.person.id, its]]));
    return seen.size > 0;
  }

  /** The guests who were added before a day, with what they held. */
  async #addedBefore(day: Day): Promise<Map<PersonId, HeldRecord>> {
    const found = new Map<PersonId, HeldRecord>();
    const { people } = this.#parts;
    for await (const page of personPages(people))
      for (const { id, guest } of page) {
        const its = guest?.value === undefined ? undefined : await this.#guest(id);
        const since = its?.person.guest?.value?.since;
        if (its !== undefined && since !== undefined && since < day) found.set(its.person.id, its);
      }
    return found;
  }

  /** A person who is a guest; `undefined` if they are none, or no more. */
  async #guest(id: PersonId): Promise<HeldRecord | undefined> {
    const { people, timekeeper } = this.#parts;
    const its = await recordOf(people, id, timekeeper.now()).catch(ifCode('PERSON_NOT_FOUND', undefined));
    return its?.person.guest?.value === undefined ? undefined : its;
  }

  /** Those who have a scan or a correction on a day or later. Each day is read once, and none is if all were seen. */
  async #seenSince(day: Day, guests: ReadonlyMap<PersonId, HeldRecord>): Promise<ReadonlySet<PersonId>> {
    const { days, corrections, provisional } = this.#parts;
    const spans = this.#spansOf(guests);
    const seen = new Set<PersonId>();
    const see = (id: TallyId, first: Timestamp, last = first): void => {
      for (const { from, until, person } of spans.get(id) ?? [])
        if (first <= until && last >= from) seen.add(person);
    };
    for (const { id, at } of (await corrections?.list(day, DAY_MAX)) ?? []) see(id, at);
    for (const { id, filing } of (await provisional?.list()) ?? []) {
      // Its day is not known yet, and may be a kept one.
      if (filing === undefined) see(id, ALWAYS.from, ALWAYS.until);
      else if (filing.day >= day) see(id, filing.at);
    }
    for (const each of await days.list(day, DAY_MAX)) {
      if (seen.size === guests.size) break;
      for (const { id, first, last } of (await days.load(each))?.entries ?? []) see(id, first, last);
    }
    return seen;
  }

  #spansOf(guests: ReadonlyMap<PersonId, HeldRecord>): ReadonlyMap<TallyId, readonly Span[]> {
    const spans = new Map<TallyId, Span[]>();
    const add = (id: TallyId, span: Span): void => {
      const of = spans.get(id) ?? [];
      of.push(span);
      spans.set(id, of);
    };
    for (const [person, { ids, holdings, onlyTag }] of guests) {
      for (const { id, from, until } of holdings) add(id, { from, until, person });
      for (const id of ids) add(this.#parts.people.lastResortOf(id), { ...ALWAYS, person });
      if (onlyTag !== undefined) add(onlyTag, { ...ALWAYS, person });
    }
    return spans;
  }

  /** The badges first: if the power is cut after them, the guest is found again. */
  async #erase({ ids: persons, holdings, onlyTag }: HeldRecord, now: Timestamp): Promise<void> {
    const { erasures, attendance, people } = this.#parts;
    const joined = await this.#join(holdings, new Set(persons));
    const badges = {
      ...{ ids: onlyTag === undefined ? [] : [onlyTag], holdings: joined, persons: [] },
      ...{ until: now, expiresAt: daysAfter(now, ERASURE_KEPT_DAYS) },
    };
    const own = { ids: [], holdings: [], persons, until: now, expiresAt: daysAfter(now, TOLD_DAYS) };
    const open = holdings.filter(({ isClosed }) => isClosed !== true).map(({ id }) => id);
    const waiting = new Set([...badges.ids, ...open, ...persons.map((id) => people.lastResortOf(id))]);
    await attendance.eraseTags(waiting, async () => {
      if (badges.ids.length + joined.length > 0) await erasures.erase(badges);
      await erasures.erase(own);
    });
  }

  /** Makes one erasure of the erased times of a badge that nobody else had in between. */
  async #join(
    holdings: readonly ErasedHolding[],
    theirs: ReadonlySet<PersonId>,
  ): Promise<readonly ErasedHolding[]> {
    const { people, erasures } = this.#parts;
    const { timelines } = await people.read({ timelines: holdings.map(({ id }) => id) });
    // The later holding of those that are joined takes the place of the earlier one.
    const joined = new Map<string, ErasedHolding>();
    for (const holding of holdings) {
      const others = holdingsOf(timelines.get(holding.id) ?? { tag: holding.id, entries: [] }).filter(
        ({ holder }) => holder !== undefined && !theirs.has(holder),
      );
      const isFree = (from: Timestamp): boolean =>
        !others.some(({ since, until = ALWAYS.until }) => since < holding.from && until >= from);
      const before = [
        ...erasures.of(holding.id).filter(({ key }) => key === erasures.key),
        ...holdings.filter(({ id }) => id === holding.id),
      ].filter(({ from }) => from < holding.from && isFree(from));
      const from = toTimestamp(Math.min(holding.from, ...before.map((each) => each.from)));
      joined.set(`${holding.id} ${from}`, { ...holding, from });
    }
    return [...joined.values()];
  }
}

function startOf({ holdings }: HeldRecord): number {
  return holdings.length === 0 ? 0 : Math.min(...holdings.map(({ from }) => from));
}

function daysAfter(now: Timestamp, days: number): Timestamp {
  return toTimestamp(now + days * DAY_SECONDS);
}
