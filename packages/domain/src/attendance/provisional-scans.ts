import type { RecordOutcome } from '../values/attendance-day.js';
import type { Calendar } from '../time/calendar.js';
import type { Day } from '../values/day.js';
import type { DayStore } from '../ports/day-store.js';
import type { ErasureStore } from '../ports/erasure-store.js';
import type { ProvisionalStore } from '../ports/provisional-store.js';
import { placeScans, type Filing, type Placement, type ProvisionalScan } from '../values/provisional.js';
import type { Subscription } from '../subscribable.js';
import type { TallyId } from '../values/tally-id.js';
import type { Timekeeper } from '../time/timekeeper.js';
import type { Timestamp } from '../values/timestamp.js';

export interface ProvisionalScansDependencies {
  readonly store: ProvisionalStore;
  readonly days: DayStore;
  /** Says what must not be filed any more. */
  readonly erasures?: Pick<ErasureStore, 'refusedUntil'> | undefined;
  readonly calendar: Calendar;
  readonly timekeeper: Timekeeper;
  /** Called after each scan is filed, and awaited. */
  readonly onFiled: (scan: ProvisionalScan, filing: Filing, outcome: RecordOutcome) => Promise<void>;
  /** Called with the error when filing fails. It is tried again. */
  readonly onTrouble: (error: unknown) => void;
}

/** How often the clock is looked at while scans wait for it, in milliseconds. */
const LOOK_MS = 1_000;
/** How long after a scan could not be filed it is tried again, in milliseconds. */
const RETRY_MS = 10_000;
/** How many scans are filed at a time, so that a store can commit them together. */
const GROUP_SIZE = 64;
/** How long scans with an estimated time stay listed, in seconds from that time: 90 days. */
const ESTIMATES_KEPT = 90 * 86_400;

/**
 * Holds scans while the clock cannot be trusted, and files them under their days once it can.
 *
 * ```
 * hold -> ProvisionalStore ... the clock is right -> settle day and time -> DayStore.record -> remove
 * ```
 *
 * Each step is durable before the next one begins and recording is idempotent, so a power cut in between loses nothing.
 * A scan that cannot be filed does not hold up the others. Scans with an estimated time stay listed for 90 days, so that
 * somebody can check them.
 */
export class ProvisionalScans {
  readonly #parts: ProvisionalScansDependencies;
  #areWaiting = false;
  #isRunning = false;
  #look: Subscription | undefined;
  /** The pass or removal under way: one at a time, or a scan could be filed twice under different times. */
  #pass: Promise<void> | undefined;

  constructor(parts: ProvisionalScansDependencies) {
    this.#parts = parts;
  }

  /** Files the scans that wait from earlier, as soon as the clock is trusted. */
  start(): void {
    this.#isRunning = true;
    this.#areWaiting = true;
    this.#file();
  }

  /** Stops. Resolves when nothing is being filed any more. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#look?.unsubscribe();
    this.#look = undefined;
    await this.#pass;
  }

  /**
   * Keeps a scan until the clock is right. Resolves with its sequence when that is durable.
   *
   * @param tap `filing` is set if day and time are known, and only the record of the day could not be written.
   */
  async hold(tap: {
    readonly id: TallyId;
    readonly reader: string;
    readonly monotonicMs: number;
    readonly shown: Timestamp;
    readonly filing?: Filing;
  }): Promise<number> {
    const { store, timekeeper } = this.#parts;
    const { bootId } = timekeeper.clock;
    const sequence = await store.add({ ...tap, bootId, notBefore: timekeeper.notBefore });
    this.#areWaiting = true;
    this.#lookLater(tap.filing === undefined ? LOOK_MS : RETRY_MS);
    return sequence;
  }

  /**
   * Removes the record of a day, and the scans filed under it: those not yet recorded, and those listed because their time
   * is an estimate. Says whether there was anything to remove.
   *
   * After a power cut or an error some of it may be left: remove again. Rejects as the stores do.
   */
  removeDay(day: Day): Promise<boolean> {
    // What is being filed could be recorded under the day after all.
    return this.whileIdle(() => this.#removeDay(day));
  }

  /** Does work while no scan is being filed. Rejects as the work does. */
  async whileIdle<T>(work: () => Promise<T>): Promise<T> {
    while (this.#pass !== undefined) await this.#pass;
    const working = work();
    this.#pass = Promise.allSettled([working]).then(() => {
      this.#pass = undefined;
      this.#lookLater(LOOK_MS);
    });
    return working;
  }

  async #removeDay(day: Day): Promise<boolean> {
    const { store, days } = this.#parts;
    const wasThere = await days.remove(day);
    const filed = (await store.list()).filter(({ filing }) => filing?.day === day);
    for (const { sequence } of filed) await store.remove(sequence);
    return wasThere || filed.length > 0;
  }

  #lookLater(delayMs: number): void {
    if (!this.#isRunning || !this.#areWaiting || this.#pass !== undefined) return;
    const look = (): void => {
      this.#look = undefined;
      this.#file();
    };
    // What waits is durable, so it is no reason for a program to go on.
    this.#look ??= this.#parts.timekeeper.clock.schedule(delayMs, look, { holdsProgram: false });
  }

  #file(): void {
    // What is under way looks later when it is over.
    if (this.#pass !== undefined) return;
    if (!this.#parts.timekeeper.trust().isTrusted) {
      this.#lookLater(LOOK_MS);
      return;
    }
    this.#pass = this.#fileAll().then((delayMs) => {
      this.#pass = undefined;
      this.#lookLater(delayMs);
    });
  }

  /** Files what waits, and says when to look again if anything still waits then. */
  async #fileAll(): Promise<number> {
    const { store, timekeeper, onTrouble } = this.#parts;
    // Before the list is read, so that what is held meanwhile is not forgotten.
    this.#areWaiting = false;
    let delayMs = LOOK_MS;
    const hearTrouble = (error: unknown): void => {
      delayMs = RETRY_MS;
      this.#areWaiting = true;
      onTrouble(error);
    };
    try {
      const scans = await store.list();
      const waiting = scans.filter(({ filing }) => filing?.isRecorded !== true);
      const placements = placeScans(waiting, timekeeper.present());
      for (let start = 0; start < placements.length && this.#isRunning; start += GROUP_SIZE) {
        const group = placements.slice(start, start + GROUP_SIZE);
        await Promise.all(group.map((placement) => this.#fileOne(placement).catch(hearTrouble)));
      }
      const oldest = timekeeper.now() - ESTIMATES_KEPT;
      for (const { sequence, filing } of scans) {
        if (filing?.isRecorded === true && filing.at < oldest) await store.remove(sequence);
      }
    } catch (error) {
      hearTrouble(error);
    }
    return delayMs;
  }

  async #fileOne({ scan, at, estimate }: Placement): Promise<void> {
    const { store, days, erasures, calendar, timekeeper, onFiled } = this.#parts;
    const { sequence, id, reader } = scan;
    const day = calendar.dayOf(at);
    // What was noted before a power cut stays, so that a scan is not recorded at two times.
    const filing = scan.filing ?? { day, at, ...(estimate && { estimate }), isRecorded: false };
    if (filing.at <= (erasures?.refusedUntil(id) ?? -1)) return store.remove(sequence);
    if (scan.filing === undefined) await store.settle(sequence, filing);
    const filed = { sequence, ...(filing.estimate && { estimate: filing.estimate }) };
    const outcome = await days.record(filing.day, id, filing.at, { reader, filed });
    timekeeper.noteScan(filing.at);
    if (filing.estimate === undefined) await store.remove(sequence);
    else await store.settle(sequence, { ...filing, isRecorded: true });
    await onFiled(scan, filing, outcome);
  }
}
