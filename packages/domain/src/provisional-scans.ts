import type { RecordOutcome } from './attendance-day.js';
import type { Calendar } from './calendar.js';
import type { DayStore } from './ports/day-store.js';
import type { ProvisionalStore } from './ports/provisional-store.js';
import { placeScans, type Filing, type Placement, type ProvisionalScan } from './provisional.js';
import type { Subscription } from './subscribable.js';
import type { TallyId } from './tally-id.js';
import type { Timekeeper } from './timekeeper.js';
import type { Timestamp } from './timestamp.js';

export interface ProvisionalScansDependencies {
  readonly store: ProvisionalStore;
  readonly days: DayStore;
  readonly calendar: Calendar;
  readonly timekeeper: Timekeeper;
  /** Hears of every scan that was filed; the next one waits for it. */
  readonly onFiled: (scan: ProvisionalScan, filing: Filing, outcome: RecordOutcome) => Promise<void>;
  /** Hears why filing did not get on; it is tried again. */
  readonly onTrouble: (error: unknown) => void;
}

/** How often the clock is looked at while scans wait for it, in milliseconds. */
const LOOK_MS = 1_000;

/**
 * Holds scans while the clock cannot be trusted, and files them under their days once it can.
 *
 * ```
 * hold -> ProvisionalStore ... the clock is right -> settle day and time -> DayStore.record -> remove
 * ```
 *
 * Each step is durable before the next one begins and recording is idempotent, so a power cut in between costs
 * nothing. What could only be estimated is not removed, so that it can be looked at.
 */
export class ProvisionalScans {
  readonly #parts: ProvisionalScansDependencies;
  #areWaiting = false;
  #isRunning = false;
  #look: Subscription | undefined;
  #filing: Promise<void> = Promise.resolve();

  constructor(parts: ProvisionalScansDependencies) {
    this.#parts = parts;
  }

  /** Begins to file what waits from earlier, as soon as the clock is right. */
  start(): void {
    this.#isRunning = true;
    this.#areWaiting = true;
    this.#filing = this.#file();
  }

  /** Stops. Resolves when nothing is being filed any more. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#look?.unsubscribe();
    this.#look = undefined;
    await this.#filing;
  }

  /** Keeps a scan until the clock is right. Resolves with its sequence when that is durable. */
  async hold(tap: {
    readonly id: TallyId;
    readonly reader: string;
    readonly monotonicMs: number;
    readonly shown: Timestamp;
  }): Promise<number> {
    const { store, timekeeper } = this.#parts;
    const { bootId } = timekeeper.clock;
    const sequence = await store.add({ ...tap, bootId, notBefore: timekeeper.latestScan });
    this.#areWaiting = true;
    this.#lookLater();
    return sequence;
  }

  #lookLater(): void {
    if (!this.#isRunning || !this.#areWaiting) return;
    this.#look ??= this.#parts.timekeeper.clock.schedule(LOOK_MS, () => {
      this.#look = undefined;
      this.#filing = this.#file();
    });
  }

  async #file(): Promise<void> {
    try {
      if (this.#parts.timekeeper.trust().isTrusted) await this.#fileAll();
    } catch (error) {
      this.#parts.onTrouble(error);
    }
    this.#lookLater();
  }

  async #fileAll(): Promise<void> {
    // Before the list is read, so that what is held meanwhile is not forgotten.
    this.#areWaiting = false;
    try {
      const scans = await this.#parts.store.list();
      const waiting = scans.filter(({ filing }) => filing?.isRecorded !== true);
      for (const placement of placeScans(waiting, this.#parts.timekeeper.present())) {
        await this.#fileOne(placement);
      }
    } catch (error) {
      this.#areWaiting = true;
      throw error;
    }
  }

  async #fileOne({ scan, at, estimate }: Placement): Promise<void> {
    const { store, days, calendar, timekeeper, onFiled } = this.#parts;
    const { sequence, id } = scan;
    const day = calendar.dayOf(at);
    // What was noted before a power cut stays, so that a scan is not recorded at two times.
    const filing = scan.filing ?? { day, at, ...(estimate && { estimate }), isRecorded: false };
    if (scan.filing === undefined) await store.settle(sequence, filing);
    const outcome = await days.record(filing.day, id, filing.at);
    timekeeper.noteScan(filing.at);
    if (filing.estimate === undefined) await store.remove(sequence);
    else await store.settle(sequence, { ...filing, isRecorded: true });
    await onFiled(scan, filing, outcome);
  }
}
