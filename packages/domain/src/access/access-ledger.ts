import type { AccessChanges } from '../ports/access-store.js';
import type { Revision } from '../ports/revision.js';
import { Emitter, type Subscribable, type Subscription } from '../subscribable.js';
import type { AuditAction, AuditDetails } from '../values/audit.js';
import type { Day } from '../values/day.js';
import type { Timestamp } from '../values/timestamp.js';
import { AccessDirectory, type KnownCredential } from './access-directory.js';
import type { AccessDependencies } from './access-parts.js';

/** Milliseconds between two looks at what has ended, and what was used. */
const TICK_MS = 60_000;
const TICK_SECONDS = TICK_MS / 1000;

/**
 * What is known of users, sessions and tokens, in memory as in the store.
 *
 * ```
 * change -> store, durably -> memory -> `changes`
 * use    -> memory -> store, once a day and credential, within a minute
 * tick   -> removes what has ended, reads what another process has written
 * ```
 */
export class AccessLedger {
  readonly changes: Subscribable<undefined>;
  readonly #changes = new Emitter<undefined>();
  readonly #parts: AccessDependencies;
  #directory = new AccessDirectory();
  #revision: Revision | undefined;
  #turns: Promise<unknown> = Promise.resolve();
  /** Ids of what was used for the first time on a day. */
  readonly #used = new Set<string>();
  #today: { readonly from: Timestamp; readonly day: Day } | undefined;
  #isOpen = false;
  #tick: Subscription | undefined;

  constructor(parts: AccessDependencies) {
    this.#parts = parts;
    this.changes = this.#changes;
  }

  get directory(): AccessDirectory {
    return this.#directory;
  }

  async open(): Promise<void> {
    const { store } = this.#parts;
    this.#revision = await store.revision();
    this.#directory = new AccessDirectory(await store.read());
    await this.#sweep();
    this.#isOpen = true;
    this.#schedule();
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    this.#tick?.unsubscribe();
    await this.#turns;
    await this.#writeUses().catch(this.#report);
  }

  /** Changes are decided one after another. */
  turn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turns.then(work);
    this.#turns = done.catch(() => undefined);
    return done;
  }

  async change(changes: AccessChanges): Promise<void> {
    await this.#parts.store.change(changes);
    this.#directory.apply(changes);
    this.#changes.emit(undefined);
  }

  /** A change that has happened is not taken back because nobody could note it. */
  async note(actor: string, action: AuditAction, details: AuditDetails = {}): Promise<void> {
    try {
      await this.#parts.audit?.note(actor, action, details);
    } catch (error) {
      this.#report(error);
    }
  }

  noteUse(known: KnownCredential, today: Day): void {
    known.credential = { ...known.credential, lastUsed: today };
    this.#used.add(known.credential.id);
  }

  /** The present time, which is not before what is known to have passed. */
  now(): Timestamp {
    const { timekeeper } = this.#parts;
    const [now, passed] = [timekeeper.now(), timekeeper.notBefore];
    return now > passed ? now : passed;
  }

  /** Worked out once a minute. */
  dayOf(now: Timestamp): Day {
    const today = this.#today;
    if (today !== undefined && now >= today.from && now - today.from < TICK_SECONDS) return today.day;
    const day = this.#parts.calendar.dayOf(now);
    this.#today = { from: now, day };
    return day;
  }

  readonly #report = (error: unknown): void => this.#parts.onFault?.(error);

  /** The next look begins when the one before is done, however long the store takes. */
  #schedule(): void {
    const look = async (): Promise<void> => {
      await this.turn(() => this.#look()).catch(this.#report);
      if (this.#isOpen) this.#schedule();
    };
    const { clock } = this.#parts.timekeeper;
    this.#tick = clock.schedule(TICK_MS, () => void look(), { holdsProgram: false });
  }

  async #look(): Promise<void> {
    await this.#writeUses();
    const { store } = this.#parts;
    const revision = await store.revision();
    if (revision !== this.#revision) {
      this.#directory = new AccessDirectory(await store.read());
      this.#revision = revision;
      this.#changes.emit(undefined);
    }
    await this.#sweep();
  }

  /** Removes what has ended. */
  async #sweep(): Promise<void> {
    const now = this.now();
    const ended = this.#directory.ended(now, this.#parts.calendar.dayOf(now));
    if (ended.length > 0) await this.change({ removeCredentials: ended });
  }

  async #writeUses(): Promise<void> {
    const ids = [...this.#used];
    this.#used.clear();
    const used = ids.flatMap((id) => this.#directory.byId(id)?.credential ?? []);
    if (used.length === 0) return;
    try {
      await this.#parts.store.change({ putCredentials: used });
    } catch (error) {
      for (const id of ids) this.#used.add(id);
      throw error;
    }
  }
}
