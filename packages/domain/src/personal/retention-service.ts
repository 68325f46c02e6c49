import type { AttendanceService } from '../attendance/attendance-service.js';
import type { AuditNotes } from '../ports/audit-notes.js';
import { counted, isTallybookError, TallybookError } from '../errors.js';
import type { GuestLimit } from '../record/guest-limit.js';
import type { CorrectionStore } from '../record/ports/correction-store.js';
import type { DayStore } from '../ports/record/day-store.js';
import type { ProvisionalStore } from '../ports/record/provisional-store.js';
import type { Calendar } from '../time/calendar.js';
import { requireTime } from '../time/require-time.js';
import type { Timekeeper } from '../time/timekeeper.js';
import { formatDay, type Day } from '../values/day.js';
import { DAY_SECONDS, type Timestamp } from '../values/timestamp.js';
import { GuestRetention, type ExpiredGuest, type GuestRetentionDependencies } from './guest-retention.js';
import { firstKeptDay, type Keep } from './keep.js';
import { doubtOf, retentionDoubts, type RetentionDoubt } from './retention-guard.js';

/** Finds and removes old backups. */
export interface OldBackups {
  /** Names of the backups that were made before a moment. */
  madeBefore(at: Timestamp): Promise<readonly string[]>;
  /** Removes backups by their names. */
  remove(names: readonly string[]): Promise<void>;
}

export interface RetentionDependencies {
  readonly days: DayStore;
  readonly provisional?: ProvisionalStore;
  readonly corrections?: Pick<CorrectionStore, 'list'>;
  /** Removes a day with its corrections. */
  readonly attendance: Pick<AttendanceService, 'removeDay'>;
  readonly calendar: Calendar;
  readonly timekeeper: Timekeeper;
  /** Absent if no backups are kept. */
  readonly backups?: OldBackups;
  /** Absent if guests are kept for ever. */
  readonly guests?: Pick<GuestRetentionDependencies, 'people' | 'erasures' | 'attendance'> & {
    readonly keep: Keep;
  };
  readonly audit?: AuditNotes;
}

/** A day to remove. */
export interface ExpiredDay {
  readonly day: Day;
  /** 0 for a day that has only corrections, or scans whose time is an estimate. */
  readonly entries: number;
}

export interface RetentionReport {
  readonly isDryRun: boolean;
  /** `undefined`: all days are kept. */
  readonly keep: Keep | undefined;
  /** Days before this one are removed; `undefined` if all are kept. */
  readonly firstKept: Day | undefined;
  /** Ascending. */
  readonly days: readonly ExpiredDay[];
  /** Names of older backups, which are removed too. */
  readonly backups: readonly string[];
  /** How long guests are kept; `undefined`: for ever. */
  readonly keepGuests: Keep | undefined;
  /** Guests to erase. */
  readonly guests: readonly ExpiredGuest[];
  /** Why nothing is removed without a confirmation; `undefined` if there is no doubt. */
  readonly doubt: RetentionDoubt | undefined;
}

/** Options of {@link RetentionService.apply}. */
export interface RetentionRequest {
  /** Whether somebody confirms a doubtful removal. It does not confirm an untrusted clock. Default: false. */
  readonly isConfirmed?: boolean;
  readonly actor: string;
  /** Called right before each day is removed. If it throws, that day and later ones stay. */
  readonly confirm?: () => void;
}

/** The present findings in the record and the backups. */
interface Look {
  readonly firstKept: Day | undefined;
  /** Ascending. */
  readonly expired: readonly Day[];
  readonly old: readonly string[];
  readonly doubt: RetentionDoubt | undefined;
}

/** No day is earlier. */
const FIRST_DAY = 0 as Day;

/**
 * Removes old days: their records and corrections, their changes in the journal, their provisional scans, and older backups.
 *
 * Names stay, so that members who were away for long stay on the list of members. See `ErasureService` for people who leave. Guests
 * are erased after a limit of their own.
 *
 * It removes day by day, so a power cut leaves some days for the next time. While there is a doubt, it removes nothing
 * without a confirmation: see {@link doubtOf}.
 */
export class RetentionService {
  readonly keep: Keep | undefined;
  readonly #parts: RetentionDependencies;
  readonly #guests: GuestRetention | undefined;
  /** The last result of {@link firstKept}, with today and the revision of the list of days at that time. */
  #found: { readonly of: string; readonly firstKept: Day | undefined } | undefined;

  /** @param keep `undefined`: all days are kept. */
  constructor(parts: RetentionDependencies, keep: Keep | undefined) {
    this.#parts = parts;
    this.keep = keep;
    const { guests } = parts;
    this.#guests = guests && new GuestRetention({ ...parts, ...guests }, guests.keep);
  }

  /** Which guests are refused when they come from elsewhere; `undefined` if none are, or the clock is not trusted. */
  guestLimit(): GuestLimit | undefined {
    return this.#guests?.limit();
  }

  /** The present day. Each day has another first kept day. */
  today(): Day {
    return this.#parts.calendar.dayOf(this.#parts.timekeeper.now());
  }

  /**
   * The days and backups that would be removed now. Rejects as the stores do.
   *
   * @param keep How long days would be kept. Default: the present setting.
   */
  async plan(keep: Keep | undefined = this.keep): Promise<RetentionReport> {
    const keepGuests = this.#guests?.keep;
    const guests = (await this.#guests?.expired()) ?? [];
    const { firstKept, expired, old, doubt } = await this.#look(keep, guests.length);
    const gone: ExpiredDay[] = [];
    for (const day of expired) {
      gone.push({ day, entries: await this.#countEntries(day) });
    }
    return { isDryRun: true, keep, firstKept, days: gone, backups: old, keepGuests, guests, doubt };
  }

  /**
   * The first kept day, for other places that remove their days together with this one. `undefined` if all days are kept, while
   * there is a doubt, or if the stores cannot be read: other places may not remove days that are held back here.
   *
   * Cheap while the same days have a record.
   */
  async firstKept(): Promise<Day | undefined> {
    const { keep } = this;
    const { days, timekeeper } = this.#parts;
    if (keep === undefined || !timekeeper.trust().isTrusted) return undefined;
    try {
      // Taken before the days are read: after a change meanwhile, they are read again.
      const of = `${this.today()} ${await days.listRevision()}`;
      if (this.#found?.of !== of) {
        const { doubt, firstKept } = await this.#look(keep);
        this.#found = { of, firstKept: doubt === undefined ? firstKept : undefined };
      }
      return this.#found.firstKept;
    } catch (error) {
      if (isTallybookError(error)) return undefined;
      throw error;
    }
  }

  /**
   * Erases the guests who were kept long enough. Resolves with their number. A doubt about days does not keep guests, but a leap in
   * time does.
   *
   * @throws {TallybookError} `RETENTION_NOT_CONFIRMED` in doubt: then nobody was erased; and as the stores reject.
   */
  async eraseGuests(actor: string): Promise<number> {
    const expired = (await this.#guests?.expired()) ?? [];
    if (expired.length === 0) return 0;
    const { doubt } = await this.#look(undefined, expired.length);
    if (doubt !== undefined) throw notConfirmed({ days: [], firstKept: undefined, guests: expired }, doubt);
    await this.#guests?.erase(expired, { actor });
    return expired.length;
  }

  /**
   * Removes the days, backups and guests that were kept long enough.
   *
   * @throws {TallybookError} `RETENTION_NOT_CONFIRMED` if a doubt is not confirmed: then nothing was removed.
   * `CLOCK_NOT_TRUSTED` if the clock is not trusted, before or during the removal; and as the stores reject. Then some days may
   * be removed already.
   */
  async apply({ isConfirmed = false, actor, confirm }: RetentionRequest): Promise<RetentionReport> {
    const { timekeeper, attendance, backups, audit } = this.#parts;
    const plan = await this.plan();
    const { days, doubt, firstKept, guests } = plan;
    if (days.length + plan.backups.length + guests.length === 0) return { ...plan, isDryRun: false };
    requireTime(timekeeper, 'days cannot be removed');
    if (doubt !== undefined && !isConfirmed) throw notConfirmed(plan, doubt);
    await this.#guests?.erase(guests, { actor, confirm });
    const removed = { days: 0, backups: 0 };
    try {
      for (const { day } of days) {
        // A clock that is set meanwhile may show that it was wrong.
        requireTime(timekeeper, 'days cannot be removed');
        confirm?.();
        if (await attendance.removeDay(day)) removed.days++;
      }
      confirm?.();
      await backups?.remove(plan.backups);
      removed.backups = plan.backups.length;
    } finally {
      const before = firstKept === undefined ? '' : formatDay(firstKept);
      // Another server may have removed all of them meanwhile, and noted it.
      if (removed.days + removed.backups > 0) {
        await audit?.note(actor, 'retention-applied', { before, ...removed });
      }
    }
    return { ...plan, isDryRun: false };
  }

  /** Finds the days and backups to remove, and the doubt about these and the guests. */
  async #look(keep: Keep | undefined, guests = 0): Promise<Look> {
    if (keep === undefined && guests === 0)
      return { firstKept: undefined, expired: [], old: [], doubt: undefined };
    const { days, calendar, timekeeper, backups } = this.#parts;
    const now = timekeeper.now();
    const today = calendar.dayOf(now);
    const firstKept = keep && firstKeptDay(keep, today);
    const recorded = await days.list(FIRST_DAY, today);
    const expired = firstKept === undefined ? [] : await this.#findExpired(recorded, firstKept);
    const firstMoment = firstKept === undefined ? 0 : now - (today - firstKept) * DAY_SECONDS;
    const old = firstMoment <= 0 ? [] : ((await backups?.madeBefore(firstMoment as Timestamp)) ?? []);
    const isTrusted = timekeeper.trust().isTrusted;
    const doubt = isTrusted
      ? doubtOf(recorded, today, expired.length, { backups: old.length, guests })
      : 'clock-not-trusted';
    return { firstKept, expired, old, doubt };
  }

  /** The days to remove: days with a record, with listed provisional scans, or with corrections in any state. */
  async #findExpired(recorded: readonly Day[], firstKept: Day): Promise<readonly Day[]> {
    const expired = new Set(recorded.filter((day) => day < firstKept));
    for (const { filing } of (await this.#parts.provisional?.list()) ?? []) {
      if (filing !== undefined && filing.day < firstKept) expired.add(filing.day);
    }
    if (firstKept > 0) {
      const old = (await this.#parts.corrections?.list(FIRST_DAY, (firstKept - 1) as Day)) ?? [];
      for (const { day } of old) expired.add(day);
    }
    return [...expired].sort((a, b) => a - b);
  }

  /** Number of entries of a day; 0 if the day is damaged, since it is removed too. */
  async #countEntries(day: Day): Promise<number> {
    const record = await this.#parts.days.load(day).catch(() => undefined);
    return record?.entries.length ?? 0;
  }
}

function notConfirmed(
  { days, firstKept, guests }: Pick<RetentionReport, 'days' | 'firstKept' | 'guests'>,
  doubt: RetentionDoubt,
): TallybookError {
  const what = [
    ...(firstKept === undefined ? [] : [`${counted(days.length, 'day')} before ${formatDay(firstKept)}`]),
    ...(guests.length === 0 ? [] : [counted(guests.length, 'guest')]),
  ].join(' and ');
  return new TallybookError(
    'RETENTION_NOT_CONFIRMED',
    `nothing was removed: ${retentionDoubts[doubt]}; check what would be removed, ${what}, and confirm it`,
    { details: { doubt, days: days.length } },
  );
}
