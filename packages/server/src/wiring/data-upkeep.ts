import {
  isTallybookError,
  ManagedResource,
  type Clock,
  type Day,
  type Subscription,
} from '@tallybook/domain';
import { SERVICE_ACTOR } from '@tallybook/domain/access';
import type { ErasureService, RetentionService } from '@tallybook/domain/personal';
import type { Log } from '../log/log.js';

/** Milliseconds from the opening to the first work: readers and clients come first. */
const START_MS = 5_000;
/** Milliseconds between two checks for work. */
const LOOK_MS = 600_000;

type Duty = 'days' | 'guests';

interface DataUpkeepParts {
  readonly erasures?: Pick<ErasureService, 'tidy'> | undefined;
  readonly retention: RetentionService;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Removes days that are too old, and erases guests, at the start and at the beginning of each day. Also finishes erasures that could not
 * be finished at once. A failure is logged, and the work is tried again after some minutes.
 */
export class DataUpkeep extends ManagedResource {
  readonly #parts: DataUpkeepParts;
  #appointment: Subscription | undefined;
  #running: Promise<void> = Promise.resolve();
  #isStopping = false;
  /** The days of the last removal, and of the last look for guests. */
  #removedOn: Day | undefined;
  #lookedForGuestsOn: Day | undefined;
  readonly #toldDoubts: Record<Duty, string | undefined> = { days: undefined, guests: undefined };

  constructor(parts: DataUpkeepParts) {
    super();
    this.#parts = parts;
  }

  protected override onOpen(): Promise<void> {
    this.#isStopping = false;
    this.#removedOn = undefined;
    this.#lookedForGuestsOn = undefined;
    this.#toldDoubts.days = this.#toldDoubts.guests = undefined;
    this.#lookAfter(START_MS);
    return Promise.resolve();
  }

  protected override async onClose(): Promise<void> {
    this.#isStopping = true;
    this.#appointment?.unsubscribe();
    await this.#running;
  }

  #lookAfter(delayMs: number): void {
    if (this.#isStopping) return;
    const look = (): void => {
      this.#running = this.#look().finally(() => this.#lookAfter(LOOK_MS));
    };
    this.#appointment = this.#parts.clock.schedule(delayMs, look, { holdsProgram: false });
  }

  async #look(): Promise<void> {
    const { erasures, log } = this.#parts;
    try {
      await erasures?.tidy();
    } catch (err) {
      log.error({ err }, 'an erasure could not be finished and will be tried again');
    }
    await this.#eraseGuests();
    await this.#removeDays();
  }

  async #eraseGuests(): Promise<void> {
    const { retention, log } = this.#parts;
    const today = retention.today();
    if (retention.guestLimit() === undefined || today === this.#lookedForGuestsOn) return;
    try {
      const guests = await retention.eraseGuests(SERVICE_ACTOR);
      this.#lookedForGuestsOn = today;
      this.#toldDoubts.guests = undefined;
      if (guests > 0) log.info({ guests }, 'erased guests older than --keep-guests');
    } catch (err) {
      this.#tell(
        'guests',
        err,
        'guests older than --keep-guests were not erased; see tallybook retention --dry-run',
      );
    }
  }

  async #removeDays(): Promise<void> {
    const { retention, log } = this.#parts;
    if (retention.keep === undefined) return;
    const today = retention.today();
    if (today === this.#removedOn) return;
    try {
      const { days, backups } = await retention.apply({ actor: SERVICE_ACTOR });
      this.#removedOn = today;
      this.#toldDoubts.days = undefined;
      if (days.length > 0 || backups.length > 0) {
        log.info({ days: days.length, backups }, 'removed days and backups older than --keep');
      }
    } catch (err) {
      this.#tell('days', err, 'days older than --keep were not removed; see tallybook retention --dry-run');
    }
  }

  /** Logs why something was not removed. A doubt lasts until somebody decides, so it is logged only once. */
  #tell(duty: Duty, err: unknown, failed: string): void {
    const { log } = this.#parts;
    if (!isTallybookError(err)) throw err;
    const isDoubt = err.code === 'RETENTION_NOT_CONFIRMED' || err.code === 'CLOCK_NOT_TRUSTED';
    if (isDoubt && this.#toldDoubts[duty] === err.message) return;
    this.#toldDoubts[duty] = isDoubt ? err.message : undefined;
    if (err.code === 'CLOCK_NOT_TRUSTED') log.info({ code: err.code }, err.message);
    else log.warn({ err }, failed);
  }
}
