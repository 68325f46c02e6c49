import { ManagedResource, type AuditDetails, type Subscription, type Timekeeper } from '@tallybook/domain';
import { SERVICE_ACTOR, type AuditTrail } from '@tallybook/domain/access';
import type { RepairReport } from '@tallybook/store-level';
import type { Log } from '../log/log.js';

/** Details of a repair for the audit trail. */
export function repairDetails(report: RepairReport): AuditDetails {
  const { damagedRows, lostChanges, missingCommits } = report;
  const { names, days, entries, users, credentials, auditEntries } = report.saved;
  return { names, days, entries, users, credentials, auditEntries, damagedRows, lostChanges, missingCommits };
}

/** Milliseconds from the opening to the first work, so that it does not slow down the start. */
const START_MS = 60_000;
const DAY_MS = 86_400_000;
/** Milliseconds until the next attempt if the clock is not trusted, or the store fails. */
const RETRY_MS = 3_600_000;

export interface AuditKeeperParts {
  readonly trail: AuditTrail;
  readonly timekeeper: Timekeeper;
  readonly log: Log;
  /** Repairs at the opening of the store. Each is written to the trail, and removed from this list. */
  readonly repairs: RepairReport[];
}

/**
 * Maintains the audit trail while the service runs. It records repairs, and removes entries older than `days` once a day.
 * It logs entries that could not be written. It also logs the end of the trail, so that a log on another machine shows
 * later whether the trail was cut off.
 */
export class AuditKeeper extends ManagedResource {
  readonly #parts: AuditKeeperParts;
  readonly #days: number;
  #subscription: Subscription | undefined;
  #appointment: Subscription | undefined;
  #running: Promise<void> = Promise.resolve();

  /** @param days Number of days for which an entry is kept; 0 for ever. */
  constructor(parts: AuditKeeperParts, days: number) {
    super();
    this.#parts = parts;
    this.#days = days;
  }

  protected override async onOpen(): Promise<void> {
    const { trail, log, repairs } = this.#parts;
    this.#subscription = trail.faults.subscribe(({ error: err, ...note }) => {
      log.error({ err, note }, 'could not write to the audit trail; it is tried again with the next entry');
    });
    for (const report of repairs.splice(0))
      await trail.note(SERVICE_ACTOR, 'store-repaired', repairDetails(report));
    await this.#logHead('the audit trail goes on after this entry');
    this.#plan(START_MS);
  }

  protected override async onClose(): Promise<void> {
    this.#appointment?.unsubscribe();
    await this.#running;
    await this.#logHead('the audit trail ends with this entry');
    const { trail, log } = this.#parts;
    if (trail.unwritten > 0) {
      const message =
        'entries of the audit trail in memory are lost: the log has each of them, where its write failed';
      log.error({ lost: trail.unwritten }, message);
    }
    this.#subscription?.unsubscribe();
  }

  #plan(delayMs: number): void {
    const look = (): void => void (this.#running = this.#look());
    this.#appointment = this.#parts.timekeeper.clock.schedule(delayMs, look, { holdsProgram: false });
  }

  async #look(): Promise<void> {
    const { trail, timekeeper, log } = this.#parts;
    let isDone = timekeeper.trust().isTrusted;
    try {
      const removed = this.#days === 0 ? 0 : await trail.shorten(this.#days);
      if (removed > 0) log.info({ removed, days: this.#days }, 'removed old entries of the audit trail');
    } catch (err) {
      isDone = false;
      log.error({ err }, 'could not remove old entries of the audit trail');
    }
    await this.#logHead('the audit trail is at this entry');
    if (this.status === 'open') this.#plan(isDone ? DAY_MS : RETRY_MS);
  }

  async #logHead(message: string): Promise<void> {
    const { trail, log } = this.#parts;
    try {
      const head = await trail.latest();
      if (head !== undefined) log.info({ audit: `${head.number}:${head.hash}` }, message);
    } catch (err) {
      log.error({ err }, 'could not read where the audit trail ends');
    }
  }
}
