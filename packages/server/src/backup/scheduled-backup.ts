import { ManagedResource, type Subscription, type Timekeeper } from '@tallybook/domain';
import type { BackupCounts, BackupService } from '@tallybook/domain/record';
import { BackupFolder } from './backup-folder.js';
import type { Log } from '../log/log.js';

/** The folder for backups, the time between them, and the number of kept ones. */
export interface BackupPlan {
  readonly folder: string;
  /** Milliseconds from one backup to the next, 60000..31622400000. */
  readonly everyMs: number;
  /** Number of backups to keep, 1..10000. */
  readonly keep: number;
}

/** Milliseconds from the opening to the first work: readers and clients come first. */
const START_MS = 1_000;
/** Longest time, in milliseconds, from a failure to the next attempt. */
const RETRY_MS = 600_000;
/** Milliseconds between two checks whether the clock is trusted. */
const LOOK_MS = 60_000;
/**
 * If the age of the latest backup is unknown, a backup is made only after the service has run for this time. Otherwise a
 * device that restarts again and again with a wrong clock would soon have only backups of the last minutes.
 */
const UNKNOWN_AGE_MS = 3_600_000;
/** Timers cannot wait longer than 2^31 milliseconds. */
const LONGEST_WAIT_MS = 86_400_000;

/**
 * Writes backups of the running service into a folder at regular times, and removes the oldest ones.
 *
 * The time of the first backup follows from the age of the latest one in the folder, the times of later ones from the
 * monotonic clock. A failure is logged, and the backup is tried again. Recording goes on meanwhile.
 */
export class ScheduledBackup extends ManagedResource {
  readonly #plan: BackupPlan | undefined;
  readonly #backup: BackupService;
  readonly #timekeeper: Timekeeper;
  readonly #log: Log;
  #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #appointment: Subscription | undefined;
  #wake: () => void = () => undefined;
  /** Time of the latest backup, on the monotonic clock. */
  #latestMs: number | undefined;
  #hasFailed = false;

  /** @param plan `undefined` for no backups. */
  constructor(plan: BackupPlan | undefined, backup: BackupService, timekeeper: Timekeeper, log: Log) {
    super();
    this.#plan = plan;
    this.#backup = backup;
    this.#timekeeper = timekeeper;
    this.#log = log;
  }

  /** Age of the latest backup in milliseconds, `undefined` if unknown, and whether the last attempt failed. */
  get state(): { readonly ageMs: number | undefined; readonly hasFailed: boolean } {
    const ageMs = this.#latestMs === undefined ? undefined : this.#nowMs() - this.#latestMs;
    return { ageMs, hasFailed: this.#hasFailed };
  }

  protected override async onOpen(): Promise<void> {
    this.#stopping = new AbortController();
    if (this.#plan !== undefined) this.#running = this.#run(this.#plan, this.#stopping.signal);
  }

  /** Aborts a backup that is being written. */
  protected override async onClose(): Promise<void> {
    this.#stopping.abort();
    this.#appointment?.unsubscribe();
    this.#wake();
    await this.#running;
  }

  async #run(plan: BackupPlan, signal: AbortSignal): Promise<void> {
    const folder = new BackupFolder(plan.folder, this.#backup);
    await this.#waitUntil(this.#nowMs() + START_MS, signal);
    await this.#waitForFirst(plan, folder, signal);
    while (!signal.aborted) {
      const held = await this.#write(plan, folder, signal);
      const dueMs = this.#nowMs() + (held ? plan.everyMs : Math.min(RETRY_MS, plan.everyMs));
      if (held) await this.#prune(plan, folder, held);
      await this.#waitUntil(dueMs, signal);
    }
  }

  /**
   * Waits until the latest backup is old enough. If its age stays unknown, waits for {@link UNKNOWN_AGE_MS} at most.
   */
  async #waitForFirst({ everyMs }: BackupPlan, folder: BackupFolder, signal: AbortSignal): Promise<void> {
    const endMs = this.#nowMs() + Math.min(everyMs, UNKNOWN_AGE_MS);
    while (!signal.aborted && this.#nowMs() < endMs) {
      const ageMs = await this.#ageOfLatest(folder);
      if (ageMs !== undefined) return this.#waitUntil(this.#nowMs() + everyMs - ageMs, signal);
      await this.#waitUntil(Math.min(this.#nowMs() + LOOK_MS, endMs), signal);
    }
  }

  /** Age of the latest backup in milliseconds; `undefined` if it is not known. */
  async #ageOfLatest(folder: BackupFolder): Promise<number | undefined> {
    let latest;
    try {
      latest = (await folder.list()).at(-1);
    } catch {
      // Writing will fail for the same reason, and report it.
      return Infinity;
    }
    if (latest === undefined) return Infinity;
    const now = this.#trustedNow();
    if (now === undefined || latest.at === undefined || latest.at > now) return undefined;
    const ageMs = (now - latest.at) * 1000;
    this.#latestMs = this.#nowMs() - ageMs;
    return ageMs;
  }

  /** Writes a backup. Resolves with its counts; `undefined` if it failed. */
  async #write(
    plan: BackupPlan,
    folder: BackupFolder,
    signal: AbortSignal,
  ): Promise<BackupCounts | undefined> {
    try {
      const { file, ...counts } = await folder.write(this.#trustedNow(), signal);
      this.#latestMs = this.#nowMs();
      this.#hasFailed = false;
      this.#log.info({ folder: plan.folder, file, ...counts }, 'backup written');
      return counts;
    } catch (err) {
      if (signal.aborted) return undefined;
      this.#hasFailed = true;
      this.#log.error({ err }, 'the backup failed and will be tried again');
      return undefined;
    }
  }

  async #prune({ keep }: BackupPlan, folder: BackupFolder, held: BackupCounts): Promise<void> {
    try {
      const { spared, noFiles } = await folder.prune(keep, held);
      if (spared !== undefined) {
        this.#log.warn(
          { spared, ...held },
          'an old backup has more than twice as much data as the store and is kept longer; is this the right store?',
        );
      }
      if (noFiles.length > 0) {
        this.#log.warn({ noFiles }, 'left alone, because it has the name of a backup but is not a file');
      }
    } catch (err) {
      this.#log.error({ err }, 'could not remove old backups');
    }
  }

  #trustedNow(): ReturnType<Timekeeper['now']> | undefined {
    return this.#timekeeper.trust().isTrusted ? this.#timekeeper.now() : undefined;
  }

  #nowMs(): number {
    return this.#timekeeper.clock.monotonicMs();
  }

  /** Resolves at a time on the monotonic clock, or when this is closed. */
  async #waitUntil(dueMs: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.#nowMs() < dueMs) {
      const delayMs = Math.min(dueMs - this.#nowMs(), LONGEST_WAIT_MS);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        this.#appointment = this.#timekeeper.clock.schedule(delayMs, resolve, { holdsProgram: false });
      });
    }
  }
}
