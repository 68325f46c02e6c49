import type { RecordOutcome } from '../values/record/attendance-day.js';
import type { Reading, ReadingOutcome, Scan } from '../values/record/reading.js';
import { Backlog, BACKLOG_DEFAULT_LIMIT, type BacklogState } from './backlog.js';
import type { Day } from '../values/day.js';
import { isPermanentFailure, isTallybookError, TallybookError, type ErrorCode } from '../errors.js';
import type { TagHolder } from '../ports/people/people-store.js';
import type { Filing } from '../values/record/provisional.js';
import type { ProvisionalScans, RecordingDependencies } from './provisional-scans.js';
import type { TallyId } from '../values/tally-id.js';
import type { Timestamp } from '../values/timestamp.js';
import { noteTapTime } from '../time/latest-scan.js';

/** How long a store may take to answer before the reader shows `failed`, in milliseconds. */
const SLOW_MS = 10_000;
/** Errors that may concern one row only: others may be writable. */
const stuckCodes: readonly ErrorCode[] = ['STORE_CORRUPT', 'STORE_READ_FAILED'];

/** A scan on its way into the store. */
export interface Tap {
  readonly scan: Scan;
  readonly reading: Reading;
  /** Whether the clock could not be trusted when it was taken. */
  readonly isProvisional: boolean;
}

/** A tap that is not, or not yet, written. */
export interface Failure {
  readonly error: unknown;
  /** Whether it waits in memory, and will be written. */
  readonly isKept: boolean;
}

/** Outcome of a written scan, as in `AttendanceEvent`. */
export type Written =
  | { readonly kind: 'attendance'; readonly scan: Scan; readonly outcome: RecordOutcome }
  | {
      readonly kind: 'provisional';
      readonly scan: Scan;
      readonly sequence: number;
      readonly monotonicMs: number;
    };

/** Result of an attempt to write a tap. */
type Attempted =
  | { readonly result: 'done'; readonly outcome: ReadingOutcome }
  | { readonly result: 'stuck' | 'unwell'; readonly error: unknown };

/** `lost`: the tap is neither written nor refused, and whoever still has it should keep it. */
export type Fate = ReadingOutcome | 'lost';

export interface ScanWriterDependencies extends RecordingDependencies {
  readonly provisional: ProvisionalScans | undefined;
  /** Looks up who holds the tag, while the scan is written; now, if the time of the scan is unknown. */
  readonly holderOf: (id: TallyId, at: Timestamp | undefined) => Promise<TagHolder>;
  /** Called for every tap that is written. `hasFailed`: it was announced before that it was not, or not yet, written. */
  readonly onWritten: (
    tap: Tap,
    written: Written,
    holder: PromiseSettledResult<TagHolder>,
    hasFailed: boolean,
  ) => void;
  /** Called for every tap that is refused because its person was erased since. Nobody may learn whose tap it is. */
  readonly onRefused: (tap: Tap, hasFailed: boolean) => void;
  /** Called for every tap that is not, or not yet, written; twice for one that is slow, and then lost. */
  readonly onFailed: (tap: Tap, failure: Failure, hasFailed: boolean) => void;
}

/**
 * Writes scans: into their day or, while the clock is not trusted or the day is damaged, into the provisional store. While
 * the store cannot write, they wait in a backlog.
 *
 * A scan that fails does not affect the next one.
 */
export class ScanWriter {
  readonly #parts: ScanWriterDependencies;
  readonly #backlog: Backlog<Tap>;
  /** Scans that the store has not confirmed within {@link SLOW_MS}. */
  readonly #slow = new Set<Tap>();
  readonly #inFlight = new Set<Promise<unknown>>();

  /**
   * @param backlogLimit Maximum number of scans that wait in memory, 0..1000000, default 10000.
   * @throws {TallybookError} `INVALID_OPTION` if it is out of range.
   */
  constructor(parts: ScanWriterDependencies, backlogLimit: number = BACKLOG_DEFAULT_LIMIT) {
    this.#parts = parts;
    // Each tap of the backlog has failed before.
    this.#backlog = new Backlog(
      (tap) => this.#attempt(tap, () => true),
      parts.timekeeper.clock,
      backlogLimit,
    );
  }

  /** State of the scans that wait in memory because the store cannot write or does not answer. */
  get backlog(): BacklogState {
    const { waiting, limit, refused } = this.#backlog.state;
    return { waiting: waiting + this.#slow.size, limit, refused };
  }

  /** The scans that wait in memory. At the stop they are lost. */
  get unwritten(): readonly Scan[] {
    return this.#backlog.items.map(({ scan }) => scan);
  }

  /** Tries to write the scans that were left at the last stop. */
  start(): void {
    void this.#backlog.attempt();
  }

  /** Resolves when nothing is being written any more, after a last attempt at the backlog. */
  async stop(): Promise<void> {
    await this.settled();
    await this.#backlog.attempt();
    this.#backlog.stop();
  }

  /** Resolves when the scans taken so far are written, or wait in the backlog. */
  async settled(): Promise<void> {
    await Promise.all(this.#inFlight);
  }

  /** Gives a reading its time and day, as far as they are known. */
  toTap(reading: Reading): Tap {
    const { calendar, timekeeper } = this.#parts;
    const hasOwnTime = reading.hasOwnTime === true;
    const at = hasOwnTime ? reading.at : timekeeper.timeOf(reading);
    return {
      scan: { id: reading.id, reader: reading.reader, at, day: calendar.dayOf(at) },
      reading,
      isProvisional: !hasOwnTime && !timekeeper.trust().isTrusted,
    };
  }

  /** Whether a tap is refused, because its person was erased since. A tap without a day is checked when it is filed. */
  isRefused(tap: Tap): boolean {
    return !this.#isHeld(tap) && this.#isErased(tap);
  }

  /** Writes a tap, or keeps it in memory. Resolves when its outcome is announced; never rejects. */
  write(tap: Tap): Promise<Fate> {
    const recording = this.#record(tap).finally(() => this.#inFlight.delete(recording));
    this.#inFlight.add(recording);
    return recording;
  }

  /**
   * Removes the record of a day, and the scans that wait to be written into it. Says whether there was anything to remove.
   * Rejects as the stores do.
   */
  async removeDay(day: Day): Promise<boolean> {
    const { days, provisional } = this.#parts;
    const { result: wasThere, dropped } = await this.#backlog.outdate(
      () => (provisional === undefined ? days.remove(day) : provisional.removeDay(day)),
      (tap) => tap.scan.day === day && !this.#isHeld(tap),
    );
    return wasThere || dropped > 0;
  }

  /**
   * Erases tags, and drops their scans that wait in memory. No waiting scan is written or filed meanwhile. Rejects as `erase`
   * does.
   */
  async erase<T>(ids: ReadonlySet<TallyId>, erase: () => Promise<T>): Promise<T> {
    const { provisional } = this.#parts;
    const { result } = await this.#backlog.outdate(
      () => (provisional === undefined ? erase() : provisional.whileIdle(erase)),
      ({ scan }) => ids.has(scan.id),
    );
    return result;
  }

  async #record(tap: Tap): Promise<Fate> {
    // A dying disk may not answer at all. The write goes on, but the person at the reader does not wait for it.
    const { onFailed, timekeeper } = this.#parts;
    const slow = timekeeper.clock.schedule(SLOW_MS, () => {
      const text = `the store has not answered for ${SLOW_MS / 1000} s`;
      this.#slow.add(tap);
      onFailed(tap, { error: new TallybookError('STORE_WRITE_FAILED', text), isKept: true }, false);
    });
    // The backlog first, so that scans are written in the order in which they were taken.
    if (!this.#backlog.isEmpty) await this.#backlog.attempt();
    const attempted = await this.#attempt(tap, () => this.#slow.has(tap));
    slow.unsubscribe();
    const wasSlow = this.#slow.delete(tap);
    if (attempted.result === 'done') return attempted.outcome;
    const { error } = attempted;
    // If the store will not recover by itself, memory is no safe place, and a reader that still has the scan keeps it.
    const isPermanent = isPermanentFailure(error);
    const isSentAgain = isPermanent && tap.reading.waitUntil !== undefined;
    const isKept = !isSentAgain && this.#backlog.add(tap) && !isPermanent;
    if (!wasSlow || !isKept) onFailed(tap, { error, isKept }, wasSlow);
    return isKept ? 'waiting' : 'lost';
  }

  /** Tries to write a tap, and announces it if that succeeds. */
  async #attempt(tap: Tap, hasFailed: () => boolean): Promise<Attempted> {
    const { holderOf, onWritten, onRefused } = this.#parts;
    const { id, at } = tap.scan;
    const [written, holder] = await Promise.allSettled([
      this.#store(tap),
      holderOf(id, this.#isHeld(tap) ? undefined : at),
    ]);
    if (written.status === 'rejected') {
      const error: unknown = written.reason;
      // Perhaps only one row cannot be read, and others are sound.
      const isOneRow = stuckCodes.some((code) => isTallybookError(error, code));
      return { result: isOneRow ? 'stuck' : 'unwell', error };
    }
    if (written.value === undefined) {
      onRefused(tap, hasFailed());
      return { result: 'done', outcome: 'refused' };
    }
    onWritten(tap, written.value, holder, hasFailed());
    const outcome = written.value.kind === 'attendance' ? written.value.outcome : 'provisional';
    return { result: 'done', outcome };
  }

  /** Resolves with `undefined` if the scan is refused, because the person was erased since. */
  async #store(tap: Tap): Promise<Written | undefined> {
    const { days, provisional, timekeeper, tapTimes } = this.#parts;
    const { id, day, at, reader } = tap.scan;
    if (provisional !== undefined && this.#isHeld(tap)) return hold(tap, provisional);
    // Checked in the same turn as the write: an erasure that begins later finds the scan in the store.
    if (this.isRefused(tap)) return undefined;
    noteTapTime(tapTimes, timekeeper.now());
    try {
      const outcome = await days.record(day, id, at, { reader });
      // The clock of a device says nothing about this clock.
      if (tap.reading.hasOwnTime !== true) timekeeper.noteScan(at);
      return { kind: 'attendance', scan: tap.scan, outcome };
    } catch (error) {
      // A damaged day needs a repair. Until then, the scan is kept in the provisional store.
      if (provisional === undefined || !isTallybookError(error, 'STORE_CORRUPT')) throw error;
      if (this.#isErased(tap)) return undefined;
      return hold(tap, provisional, { day, at, isRecorded: false });
    }
  }

  #isErased({ scan: { id, at } }: Tap): boolean {
    return this.#parts.erasures?.isRefused(id, at) === true;
  }

  /** Whether a tap has no day yet. */
  #isHeld({ isProvisional }: Tap): boolean {
    return isProvisional && this.#parts.provisional !== undefined;
  }
}

async function hold(
  { scan, reading }: Tap,
  provisional: ProvisionalScans,
  filing?: Filing,
): Promise<Written> {
  const { id, reader, at: shown } = scan;
  const { monotonicMs } = reading;
  const sequence = await provisional.hold({ id, reader, monotonicMs, shown, ...(filing && { filing }) });
  return { kind: 'provisional', scan, sequence, monotonicMs };
}
