import type { AuditNotes } from '../../ports/audit-notes.js';
import { isTallybookError, TallybookError } from '../../errors.js';
import type { CorrectionStore } from '../ports/correction-store.js';
import type { Refusals } from '../../ports/record/refusals.js';
import type { Revision } from '../../ports/revision.js';
import type { Calendar } from '../../time/calendar.js';
import type { Timekeeper } from '../../time/timekeeper.js';
import type { Correction } from '../../values/record/correction.js';
import { invalidCorrection, requireNotErased, type NewCorrection } from '../values/correction.js';
import type { Day } from '../../values/day.js';
import type { TallyId } from '../../values/tally-id.js';
import type { Timestamp } from '../../values/timestamp.js';
import { checkCorrection, verdictsOf, type CorrectedDay } from './correct-day.js';
import type { CorrectedDayStore } from './corrected-day-store.js';

export interface CorrectionDependencies {
  readonly days: CorrectedDayStore;
  readonly corrections: CorrectionStore;
  /** The calendar by which the attendance is recorded. */
  readonly calendar: Calendar;
  readonly timekeeper: Timekeeper;
  /** Without one, no correction of a scan of an erased person is refused. */
  readonly erasures?: Refusals;
  readonly audit?: AuditNotes;
}

export interface CorrectionOptions {
  /** Whether a second person has to approve each correction. Default: no. */
  readonly needsApproval?: boolean;
}

/** Request for a correction. */
export type CorrectionRequest = Pick<Correction, 'action' | 'day' | 'id' | 'at' | 'reason'>;

/** Maximum number of corrections in one call. */
export const CORRECTIONS_AT_ONCE_MAX = 100;

/** The seconds of the single known scans of a tag on a day, ascending. */
export interface KnownScans {
  /** Recorded scans, void or not. */
  readonly recorded: readonly Timestamp[];
  /** Scans that were added and count, and were not recorded. */
  readonly added: readonly Timestamp[];
  /** Void scans, recorded or added. */
  readonly voided: readonly Timestamp[];
}

/** Makes corrections beside the record: adds forgotten scans and voids wrong scans, each with a reason. */
export class CorrectionService {
  readonly #parts: CorrectionDependencies;
  readonly #needsApproval: boolean;

  constructor(parts: CorrectionDependencies, options: CorrectionOptions = {}) {
    this.#parts = parts;
    this.#needsApproval = options.needsApproval ?? false;
  }

  /**
   * Makes corrections, durably: all of them or none. To undo a correction, make another one: a `void` of an added scan, or an
   * `add` of a void scan. If a second person has to approve, the corrections are pending; else they count at once.
   *
   * @param author The responsible person: `personOf` a `Principal`.
   * @param actor The name of the `Principal`, for the audit trail. Default: the author.
   * @returns The corrections in the order given.
   * @throws {TallybookError} Rejects with `INVALID_CORRECTION` if there are none or more than {@link CORRECTIONS_AT_ONCE_MAX}; if
   * a scan to add is not on its day, is in the future, or is too far back; or if a scan is not after the erasure of its person;
   * with `BLANK_TALLY_ID`; with `SCAN_NOT_FOUND` if there is no scan to void; with `CORRECTION_CONFLICT` if it would change
   * nothing; and as the stores do.
   */
  async correct(
    requests: readonly CorrectionRequest[],
    author: string,
    actor: string = author,
  ): Promise<readonly Correction[]> {
    if (requests.length === 0 || requests.length > CORRECTIONS_AT_ONCE_MAX) {
      throw invalidCorrection(
        `1 to ${CORRECTIONS_AT_ONCE_MAX} corrections can be made at once; got ${requests.length}`,
      );
    }
    const { corrections, audit } = this.#parts;
    const made: NewCorrection[] = [];
    for (const [index, request] of requests.entries()) {
      made.push(await this.#prepare(request, author, made).catch(placed(index, requests.length)));
    }
    // Checked in the same turn as the write: an erasure that begins later finds the corrections in the store.
    for (const [index, correction] of made.entries()) {
      try {
        requireNotErased(correction, this.#parts.erasures);
      } catch (error) {
        placed(index, made.length)(error);
      }
    }
    const added = await corrections.correct(made);
    await Promise.all(countByTag(added).map(async (counted) => audit?.note(actor, 'corrected', counted)));
    return added;
  }

  /**
   * Approves or rejects a pending correction, durably.
   *
   * `by` is the responsible person, `personOf` a `Principal`. `actor` is the name of the `Principal`, for the audit trail; by
   * default the same as `by`. Neither may be the author.
   *
   * @throws {TallybookError} Rejects with `CORRECTION_NOT_FOUND`; with `CORRECTION_CONFLICT` if the correction is not
   * pending; with `OWN_CORRECTION` if the author is `by` or `actor`; and as the store does.
   */
  async decide(
    number: number,
    decision: {
      readonly approve: boolean;
      readonly by: string;
      readonly actor?: string;
      readonly reason?: string;
    },
  ): Promise<Correction> {
    const { corrections, audit } = this.#parts;
    const { approve, by, actor = by, reason } = decision;
    const found = requireCorrection(number, await corrections.find(number));
    if (found.state !== 'pending') throw alreadyDecided(found);
    if (found.author === by || found.author === actor) {
      throw new TallybookError(
        'OWN_CORRECTION',
        `correction ${number} is your own: somebody else has to decide`,
        { details: { number } },
      );
    }
    const verdict = {
      state: approve ? 'approved' : 'rejected',
      by,
      at: Math.max(this.#now(), found.madeAt) as Timestamp,
      ...(reason !== undefined && { reason }),
    } as const;
    const decided = requireCorrection(number, await corrections.decide(number, verdict));
    // Somebody else may have decided first.
    const isOurs = decided.decision?.by === by && decided.decision.at === verdict.at;
    if (!isOurs || decided.state !== verdict.state) throw alreadyDecided(decided);
    await audit?.note(actor, 'correction-decided', { number, day: decided.day, isApproved: approve });
    return decided;
  }

  /** The corrections of the days from `from` to `to`, both included, ascending by day, then by number. */
  list(from: Day, to: Day): Promise<readonly Correction[]> {
    return this.#parts.corrections.list(from, to);
  }

  /** Changes whenever the result of {@link list} changes. */
  revision(): Promise<Revision> {
    return this.#parts.corrections.revision();
  }

  /**
   * A day with its corrections applied, and the corrections themselves; `undefined` if the day has neither record nor
   * approved addition.
   */
  explain(day: Day): Promise<CorrectedDay | undefined> {
    return this.#parts.days.explain(day);
  }

  /** The single known scans of a tag on a day. */
  async scansOf(day: Day, id: TallyId): Promise<KnownScans> {
    const { days, corrections } = this.#parts;
    const recorded = await days.scans(day, id);
    const its = (await corrections.list(day, day)).filter((each) => each.id === id);
    const verdicts = [...verdictsOf(its)].sort(([a], [b]) => a - b);
    const seconds = (action: Correction['action']): Timestamp[] =>
      verdicts.filter(([, verdict]) => verdict.action === action).map(([at]) => at);
    return {
      recorded,
      added: seconds('add').filter((at) => !recorded.includes(at)),
      voided: seconds('void'),
    };
  }

  async #prepare(
    request: CorrectionRequest,
    author: string,
    before: readonly NewCorrection[],
  ): Promise<NewCorrection> {
    const { days, corrections, calendar } = this.#parts;
    const { day, id, at } = request;
    const stored = await corrections.list(day, day);
    // Corrections earlier in the same request count too, as the latest ones.
    const earlier = before.map((each, index) => ({ ...each, number: Number.MAX_SAFE_INTEGER - 1e6 + index }));
    const its = [...stored, ...earlier].filter(
      (each) => each.day === day && each.id === id && each.at === at,
    );
    const now = this.#now();
    const isRecorded = (await days.scans(day, id)).includes(at);
    checkCorrection(request, { isRecorded, corrections: its, dayOfScan: calendar.dayOf(at), now });
    // Always after the corrections of the same scan, even within a second, or if the clock was set back meanwhile.
    const madeAt = Math.max(now, ...its.map((each) => each.madeAt + 1)) as Timestamp;
    const { action, reason } = request;
    return {
      action,
      day,
      id,
      at,
      reason,
      author,
      madeAt,
      state: this.#needsApproval ? 'pending' : 'approved',
    };
  }

  /** The present time, but never before the latest scan: on a wrong clock, new scans must not lie in the future. */
  #now(): Timestamp {
    const { timekeeper } = this.#parts;
    return Math.max(timekeeper.now(), timekeeper.latestScan) as Timestamp;
  }
}

function requireCorrection(number: number, found: Correction | undefined): Correction {
  if (found !== undefined) return found;
  throw new TallybookError('CORRECTION_NOT_FOUND', `there is no correction ${number}`, {
    details: { number },
  });
}

function alreadyDecided({ number, state }: Correction): TallybookError {
  return new TallybookError('CORRECTION_CONFLICT', `correction ${number} is ${state} already`, {
    details: { number, state },
  });
}

/** Adds the index of the refused correction to an error. */
function placed(index: number, count: number): (error: unknown) => never {
  return (error) => {
    if (count === 1 || !isTallybookError(error)) throw error;
    throw new TallybookError(error.code, `corrections[${index}]: ${error.message}`, {
      cause: error,
      details: { ...error.details, index },
    });
  };
}

/**
 * Number of corrections of each tag on each day, with the number of the first one. This number leads to the tag until
 * its corrections are erased or removed.
 */
function countByTag(
  added: readonly Correction[],
): readonly { readonly day: Day; readonly number: number; readonly count: number }[] {
  const groups = new Map<string, { readonly day: Day; readonly number: number; count: number }>();
  for (const { day, id, number } of added) {
    const group = groups.get(`${day} ${id}`) ?? { day, number, count: 0 };
    group.count++;
    groups.set(`${day} ${id}`, group);
  }
  return [...groups.values()];
}
