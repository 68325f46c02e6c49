import { isTallybookError, requireOption, TallybookError } from '../errors.js';
import type { AccessChanges } from './ports/access-store.js';
import type { Revision } from '../ports/revision.js';
import { Emitter, type Subscribable, type Subscription } from '../subscribable.js';
import type { AuditAction, AuditDetails } from '../ports/audit-notes.js';
import type { Day } from '../values/day.js';
import type { Timestamp } from '../values/timestamp.js';
import type { Credential, User } from './values/access.js';
import { mayDo, type Action } from './values/roles.js';
import { AccessDirectory, type KnownCredential } from './access-directory.js';
import type { AccessDependencies } from './access-parts.js';
import type { Principal } from './principal.js';

/** Milliseconds between two ticks: each removes ended credentials and writes the first uses of a day. */
const TICK_MS = 60_000;
const TICK_SECONDS = TICK_MS / 1000;
/** Maximum number of attempts at a change, while other servers write first. */
const ATTEMPTS_MOST = 20;

/** Another server wrote after the decision. Thrown by {@link AccessLedger.change}, and caught by {@link AccessLedger.transaction}. */
class Outdated extends Error {}

/**
 * Users, sessions and tokens, in memory and in the store. Other servers may write to the store too.
 *
 * ```
 * transaction -> reads changes of other servers, decides -> change -> store, durably -> memory -> `changes`
 *              \----- again, if another server wrote first -----/
 * use    -> memory -> store, once a day and credential, within a minute
 * look   -> reads changes of other servers
 * tick   -> removes ended credentials
 * ```
 */
export class AccessLedger {
  /** Runs an operation while the service is open. */
  readonly run: <T>(work: () => Promise<T>) => Promise<T>;
  readonly #changes = new Emitter<undefined>();
  readonly changes: Subscribable<undefined> = this.#changes;
  readonly #parts: AccessDependencies;
  /** Becomes the secret of the service if the store has none. */
  readonly #ownSecret: string;
  #directory = new AccessDirectory();
  #revision: Revision | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  /** Sessions that the store could not take, and their users as they were, by their ids. */
  readonly #unwritten = new Map<string, { readonly session: Credential; readonly user: User }>();
  /** Ids of the credentials whose first use on a day is not written yet. */
  readonly #used = new Set<string>();
  #today: { readonly from: Timestamp; readonly day: Day } | undefined;
  #isOpen = false;
  #refreshing: Promise<void> | undefined;
  readonly #lookMs: number;
  #look: Subscription | undefined;
  /** Monotonic time at which the next tick is due. */
  #tickAtMs = 0;

  /** @throws {TallybookError} `INVALID_OPTION` if `lookMs` is out of range. */
  constructor(parts: AccessDependencies, run: AccessLedger['run'], lookMs: number = TICK_MS) {
    this.#parts = parts;
    this.run = run;
    this.#ownSecret = parts.secrets.random();
    this.#lookMs = requireOption('lookMs', lookMs, 50, TICK_MS);
  }

  get directory(): AccessDirectory {
    return this.#directory;
  }

  /** The secret of the service. The first change writes it, so that all servers on the store have the same one. */
  get secret(): string {
    return this.#directory.secret ?? this.#ownSecret;
  }

  async open(): Promise<void> {
    this.#revision = undefined;
    this.#unwritten.clear();
    await this.transaction(() => this.#sweep());
    this.#isOpen = true;
    this.#tickAtMs = this.#nowMs() + TICK_MS;
    this.#schedule();
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    this.#look?.unsubscribe();
    await this.transaction(() => this.#writeUses()).catch(this.#report);
  }

  /**
   * Decides changes one after another, each on the present data of the store. The work is called again from its beginning
   * when {@link change} finds that another server wrote first.
   */
  transaction<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(() => this.#decide(work));
    this.#queue = done.catch(() => undefined);
    return done;
  }

  /**
   * A {@link transaction} for a principal, who must still have the right in it, however long ago the request came.
   *
   * @param action `undefined`: any valid session or token is enough.
   * @param work Gets the principal with its present role.
   */
  act<T>(by: Principal, action: Action | undefined, work: (by: Principal) => Promise<T>): Promise<T> {
    return this.transaction(() => {
      const now = this.now();
      const present = this.#directory.present(by, now, this.dayOf(now));
      if (present === undefined) {
        throw new TallybookError('NOT_SIGNED_IN', 'your session, token or account has ended; sign in again');
      }
      if (action !== undefined && !mayDo(present, action)) {
        throw new TallybookError('NOT_ALLOWED', `your role is ${present.role} now, which may not do this`);
      }
      return work(present);
    });
  }

  /** Reads the changes of other servers, if there are any, and if the store can be read. */
  async catchUp(): Promise<void> {
    const revision = await this.#parts.store.revision().catch(() => this.#revision);
    if (revision !== this.#revision) await this.refresh().catch(this.#report);
  }

  /** Reads the changes of other servers, if there are any. Calls before the reading begins share it. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#queue.then(() => {
      this.#refreshing = undefined;
      return this.#read();
    });
    const refreshing = this.#refreshing;
    this.#queue = refreshing.catch(() => undefined);
    return refreshing;
  }

  /** Writes changes. Call it in a {@link transaction} only. */
  async change(wanted: AccessChanges): Promise<void> {
    const isFirst = this.#directory.secret === undefined;
    const changes = isFirst ? { ...wanted, secret: this.#ownSecret } : wanted;
    const revision = await this.#parts.store.change(changes, this.#revision);
    if (revision === undefined) throw new Outdated('another server has changed it meanwhile');
    this.#revision = revision;
    for (const { id } of changes.putCredentials ?? []) this.#unwritten.delete(id);
    for (const id of changes.removeCredentials ?? []) this.#unwritten.delete(id);
    this.#directory.apply(changes);
    this.#changes.emit(undefined);
  }

  /**
   * Writes a new session. If the store cannot be written, as on a full disk, the session lasts until this process ends, so
   * that somebody can sign in and see what is wrong.
   */
  async begin(changes: AccessChanges): Promise<void> {
    if (await this.#tryChange(changes)) return;
    for (const session of changes.putCredentials ?? []) {
      const user = this.#directory.user(session.user ?? '');
      if (user !== undefined) this.#unwritten.set(session.id, { session, user });
    }
  }

  /** Ends a session or a token. One that is only in memory ends although the store cannot be written. */
  async end(id: string): Promise<void> {
    const changes = { removeCredentials: [id] };
    if (this.#unwritten.delete(id)) await this.#tryChange(changes);
    else await this.change(changes);
  }

  /** Writes a note into the audit trail. If that fails, the error is reported, and the noted change stays. */
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

  /** The present time, but never before the known lower bound. */
  now(): Timestamp {
    const { timekeeper } = this.#parts;
    const [now, passed] = [timekeeper.now(), timekeeper.notBefore];
    return now > passed ? now : passed;
  }

  /** Calculated at most once a minute. */
  dayOf(now: Timestamp): Day {
    const today = this.#today;
    if (today !== undefined && now >= today.from && now - today.from < TICK_SECONDS) return today.day;
    const day = this.#parts.calendar.dayOf(now);
    this.#today = { from: now, day };
    return day;
  }

  readonly #report = (error: unknown): void => this.#parts.onFault?.(error);

  async #decide<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; attempt <= ATTEMPTS_MOST; attempt++) {
      await this.#read();
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof Outdated)) throw error;
      }
    }
    throw new TallybookError(
      'STORE_WRITE_FAILED',
      'users, sessions or tokens could not be changed: other servers change them all the time; try again',
    );
  }

  async #read(): Promise<void> {
    const { store } = this.#parts;
    const revision = await store.revision();
    if (revision === this.#revision) return;
    const isFirst = this.#revision === undefined;
    this.#directory = new AccessDirectory(await store.read());
    this.#restoreUnwritten();
    this.#revision = revision;
    if (!isFirst) this.#changes.emit(undefined);
  }

  /** Says whether the store has taken the changes. They are made in memory also if it cannot be written. */
  async #tryChange(changes: AccessChanges): Promise<boolean> {
    try {
      await this.change(changes);
      return true;
    } catch (error) {
      if (!isTallybookError(error, 'STORE_WRITE_FAILED')) throw error;
      this.#report(error);
      this.#directory.apply(changes);
      this.#changes.emit(undefined);
      return false;
    }
  }

  /** Sessions that are only in memory end with their user, role or password too. */
  #restoreUnwritten(): void {
    for (const [id, { session, user }] of this.#unwritten) {
      const present = this.#directory.user(user.name);
      if (present?.role === user.role && present.password === user.password) {
        this.#directory.apply({ putCredentials: [session] });
      } else this.#unwritten.delete(id);
    }
  }

  #nowMs(): number {
    return this.#parts.timekeeper.clock.monotonicMs();
  }

  /** Schedules the next look. It begins after the end of the one before, however long the store takes. */
  #schedule(): void {
    const look = async (): Promise<void> => {
      const isTick = this.#nowMs() >= this.#tickAtMs;
      if (isTick) this.#tickAtMs = this.#nowMs() + TICK_MS;
      await (isTick ? this.transaction(() => this.#tick()) : this.refresh()).catch(this.#report);
      if (this.#isOpen) this.#schedule();
    };
    const { clock } = this.#parts.timekeeper;
    this.#look = clock.schedule(this.#lookMs, () => void look(), { holdsProgram: false });
  }

  async #tick(): Promise<void> {
    await this.#writeUses();
    await this.#sweep();
  }

  /** Removes ended credentials. */
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
      await this.change({ putCredentials: used });
    } catch (error) {
      for (const id of ids) this.#used.add(id);
      throw error;
    }
  }
}
