import type { RecordOutcome } from '../values/record/attendance-day.js';
import type { Calendar } from '../time/calendar.js';
import type { Day } from '../values/day.js';
import type { DayStore } from '../ports/record/day-store.js';
import type { Refusals } from '../ports/record/refusals.js';
import type { ProvisionalStore } from '../ports/record/provisional-store.js';
import {
  placeLeftScans,
  placeScans,
  type Filing,
  type Placement,
  type Present,
  type ProvisionalScan,
} from '../values/record/provisional.js';
import type { Subscription } from '../subscribable.js';
import type { TallyId } from '../values/tally-id.js';
import { noteTapTime, type TapTimes } from '../time/latest-scan.js';
import type { Timekeeper } from '../time/timekeeper.js';
import type { Timestamp } from '../values/timestamp.js';

/** What recording a scan needs. */
export interface RecordingDependencies {
  readonly days: DayStore;
  /** Without one, no scan of an erased person is refused. */
  readonly erasures?: Refusals;
  readonly calendar: Calendar;
  readonly timekeeper: Timekeeper;
  /**
   * The journal, if the stores have one: the times of own taps are noted there. Then scans of stations and backups say nothing
   * about the clock. Opened before the service.
   */
  readonly tapTimes?: TapTimes;
}

export interface ProvisionalScansDependencies extends RecordingDependencies {
  readonly store: ProvisionalStore;
  /** Called after each scan is filed, and awaited. */
  readonly onFiled: (scan: ProvisionalScan, filing: Filing, outcome: RecordOutcome) => Promise<void>;
  /** Called with the error when filing fails. Filing is tried again. */
  readonly onTrouble: (error: unknown) => void;
  /**
   * How long scans of another run are left to the server that took them, in milliseconds. 0: no other server uses the
   * store, so they are scans of earlier runs.
   */
  readonly leaveMs: number;
}

/** How often the clock is checked while scans wait for it, in milliseconds. */
const LOOK_MS = 1_000;
/** Milliseconds from a failed filing to the next attempt. */
const RETRY_MS = 10_000;
/** Milliseconds between two searches for scans that other servers have left. */
const LOOK_FOR_LEFT_MS = 10_000;
/** How many scans are filed at a time, so that a store can commit them together. */
const GROUP_SIZE = 64;
/** How long scans with an estimated time stay listed, in seconds from that time: 90 days. */
const ESTIMATES_KEPT = 90 * 86_400;

/**
 * Holds scans while the clock cannot be trusted, and files them under their days once it can.
 *
 * ```
 * hold -> ProvisionalStore ... the clock is right -> place: day and time -> DayStore.record -> remove
 * ```
 *
 * Where several servers use the store, each server files its own scans: only this server knows when they were taken. When a
 * server is gone, another server files its scans after a long wait, with an estimate.
 *
 * Each step is durable before the next one begins and recording is idempotent, so a power cut in between loses nothing. A
 * scan that cannot be filed does not hold up the others. Scans with an estimated time stay listed for 90 days, so that
 * somebody can check them.
 */
export class ProvisionalScans {
  readonly #parts: ProvisionalScansDependencies;
  #areWaiting = false;
  #isRunning = false;
  #look: Subscription | undefined;
  /** Monotonic time at which the next look is due. */
  #lookAtMs = 0;
  readonly #left: LeftScans;
  /** The pass or removal under way: one at a time, or a scan could be filed twice under different times. */
  #pass: Promise<void> | undefined;

  constructor(parts: ProvisionalScansDependencies) {
    this.#parts = parts;
    this.#left = new LeftScans(parts.leaveMs);
  }

  /** Starts: files the waiting scans as soon as the clock is trusted. */
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
   * Stores a scan until the clock is trusted. Resolves with its sequence when the scan is durable.
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
   * After a power cut or an error, part of the day may be left: remove it again. Rejects as the stores do.
   */
  removeDay(day: Day): Promise<boolean> {
    // A scan that is being filed now could be recorded after the removal.
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
    const { leaveMs, timekeeper } = this.#parts;
    const areExpected = this.#areWaiting || leaveMs > 0;
    if (!this.#isRunning || !areExpected || this.#pass !== undefined) return;
    const { clock } = timekeeper;
    const atMs = clock.monotonicMs() + (this.#areWaiting ? delayMs : LOOK_FOR_LEFT_MS);
    if (this.#look !== undefined && this.#lookAtMs <= atMs) return;
    this.#look?.unsubscribe();
    this.#lookAtMs = atMs;
    const look = (): void => {
      this.#look = undefined;
      this.#file();
    };
    // The waiting scans are durable, so this timer need not keep the program running.
    this.#look = clock.schedule(atMs - clock.monotonicMs(), look, { holdsProgram: false });
  }

  #file(): void {
    // The pass under way schedules the next look when it is over.
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

  /** Files the waiting scans. Resolves with the milliseconds until the next look, for those that still wait. */
  async #fileAll(): Promise<number> {
    const { store, timekeeper, onTrouble } = this.#parts;
    // Before the list is read: a scan that is held meanwhile sets it again.
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
      const placements = this.#place(waiting);
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

  #place(waiting: readonly ProvisionalScan[]): readonly Placement[] {
    const { leaveMs, timekeeper } = this.#parts;
    const present = timekeeper.present();
    // Runs of one device follow each other; runs of several servers overlap.
    if (leaveMs === 0) return placeScans(waiting, present);
    const own = waiting.filter(({ bootId }) => bootId === present.bootId);
    const others = waiting.filter(({ bootId }) => bootId !== present.bootId);
    return [...placeScans(own, present), ...this.#left.place(others, present)];
  }

  async #fileOne({ scan, at, estimate }: Placement): Promise<void> {
    const { store, days, erasures, calendar, timekeeper, tapTimes, onFiled } = this.#parts;
    const { sequence, id, reader } = scan;
    const day = calendar.dayOf(at);
    // A filing noted before a power cut, or by another server, stays, so that a scan is not recorded at two times.
    const found = { day, at, ...(estimate && { estimate }), isRecorded: false };
    const filing = scan.filing ?? (await store.place(sequence, found));
    if (filing === undefined || filing.isRecorded) return;
    if (erasures?.isRefused(id, filing.at) === true) return store.remove(sequence);
    const filed = { sequence, ...(filing.estimate && { estimate: filing.estimate }) };
    noteTapTime(tapTimes, timekeeper.now());
    const outcome = await days.record(filing.day, id, filing.at, { reader, filed });
    // A filing from a backup may lie in the future.
    if (filing.at <= timekeeper.now()) timekeeper.noteScan(filing.at);
    if (filing.estimate === undefined) await store.remove(sequence);
    else await store.settle(sequence, { ...filing, isRecorded: true });
    await onFiled(scan, filing, outcome);
  }
}

/** Finds scans of other servers that wait for so long that their servers will not file them any more. */
class LeftScans {
  readonly #leaveMs: number;
  /** Monotonic time at which each scan was first seen, by sequence. */
  #seenMs: ReadonlyMap<number, number> = new Map();

  /** @param leaveMs How long a scan is left to its server, in milliseconds. */
  constructor(leaveMs: number) {
    this.#leaveMs = leaveMs;
  }

  /**
   * Estimates the times of the scans that their servers have left.
   *
   * @param scans The waiting scans of other servers, ascending by sequence.
   */
  place(scans: readonly ProvisionalScan[], { now, builtAt, monotonicMs: nowMs }: Present): Placement[] {
    const seenMs = new Map(scans.map(({ sequence }) => [sequence, this.#seenMs.get(sequence) ?? nowMs]));
    this.#seenMs = seenMs;
    const left = scans.filter(({ sequence }) => nowMs - (seenMs.get(sequence) ?? nowMs) >= this.#leaveMs);
    return [...new Set(left.map(({ bootId }) => bootId))].flatMap((run) => {
      const its = left.filter(({ bootId }) => bootId === run);
      const lastMs = seenMs.get(its.at(-1)?.sequence ?? 0) ?? nowMs;
      const seenAt = Math.max(Math.floor(now - (nowMs - lastMs) / 1000), 0) as Timestamp;
      return placeLeftScans(its, seenAt, builtAt);
    });
  }
}
