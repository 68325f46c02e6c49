import type { AuditStore } from '../ports/audit-store.js';
import type { Secrets } from '../ports/secrets.js';
import { Emitter, type Subscribable } from '../../subscribable.js';
import type { Timekeeper } from '../../time/timekeeper.js';
import { SERVICE_ACTOR, type AuditEntry, type AuditHead } from '../values/audit.js';
import { DAY_SECONDS, type Timestamp } from '../../values/timestamp.js';
import type { AuditAction, AuditDetails, AuditNotes } from '../../ports/audit-notes.js';
import {
  canonicalText,
  findExpired,
  readAuditPage,
  verifyAudit,
  type AuditPage,
  type AuditVerification,
} from './audit-chain.js';

export interface AuditTrailDependencies {
  readonly store: AuditStore;
  readonly digest: Secrets['digest'];
  readonly timekeeper: Pick<Timekeeper, 'now' | 'trust'>;
}

export interface AuditTrailOptions {
  /**
   * Whether the service has been claimed. Before that, only lasting changes of the record are noted, such as erasures
   * and set times, and attempts to claim the service. Default: yes.
   */
  readonly isClaimed?: () => boolean;
}

/** An action whose note could not be written. */
export interface UnwrittenNote {
  readonly at: Timestamp;
  readonly actor: string;
  readonly action: AuditAction;
  readonly details: AuditDetails;
  /** Why the note could not be written. */
  readonly error: unknown;
}

/** Actions that are noted even while a service has no users. */
const alwaysNoted: ReadonlySet<AuditAction> = new Set<AuditAction>([
  'setup-refused',
  'claimed',
  'corrected',
  'correction-decided',
  'synchronised',
  'person-erased',
  'retention-applied',
  'guests-erased',
  'time-set',
  'store-repaired',
  'audit-shortened',
]);

/** Maximum number of unwritten notes in memory. With more, the oldest are dropped. */
export const UNWRITTEN_MAX = 1_000;

const noDetails: AuditDetails = Object.freeze({});

type Fact = Omit<AuditEntry, 'number' | 'previous' | 'hash'>;

/**
 * The audit trail: who did what and when. Each entry has the hash of the entry before, so a changed, missing or moved
 * entry shows.
 *
 * {@link note} hands a note to the store before it returns, even while other notes are being written. So the note and
 * the noted change can share a disk sync, if both are written at the same time. The store chains the note to the latest
 * entry.
 */
export class AuditTrail implements AuditNotes {
  readonly #faults = new Emitter<UnwrittenNote>();
  /** Emits each note that could not be written, once. The next note tries it again. */
  readonly faults: Subscribable<UnwrittenNote> = this.#faults;
  readonly #parts: AuditTrailDependencies;
  readonly #isClaimed: () => boolean;
  readonly #unwritten: Fact[] = [];

  constructor(parts: AuditTrailDependencies, { isClaimed = () => true }: AuditTrailOptions = {}) {
    this.#parts = parts;
    this.#isClaimed = isClaimed;
  }

  /** Number of unwritten notes in memory: 0 to {@link UNWRITTEN_MAX}. */
  get unwritten(): number {
    return this.#unwritten.length;
  }

  async note(actor: string, action: AuditAction, details: AuditDetails = noDetails): Promise<void> {
    if (!this.#isClaimed() && !alwaysNoted.has(action)) return;
    const fact = this.#factOf(actor, action, details);
    // Unwritten notes come first, with the time of their action.
    const late = this.#unwritten.length === 0 ? undefined : this.#writeLate();
    try {
      await this.#write(fact);
    } catch (error) {
      this.#keep(fact);
      this.#faults.emit({ ...fact, error });
    }
    if (late !== undefined) await late;
  }

  /** The entries after a number, ascending. Rejects as `AuditStore.read` does. */
  read(after: number, limit: number): Promise<readonly AuditEntry[]> {
    return this.#parts.store.read(after, limit);
  }

  /**
   * A page of entries, ascending, and whether their chain is unbroken. Rejects as `AuditStore.read` does.
   *
   * @param after The entries after this number; `undefined`: the latest entries.
   * @param limit Maximum number of entries, at least 1.
   */
  page(after: number | undefined, limit: number): Promise<AuditPage> {
    return readAuditPage(this.#parts.store, this.#parts.digest, { after, limit });
  }

  /** The end of the trail. Rejects as `AuditStore.latest` does. */
  latest(): Promise<AuditHead | undefined> {
    return this.#parts.store.latest();
  }

  /**
   * Checks the whole trail, and returns its first fault, if there is one.
   *
   * @param expected An earlier end of the trail. It shows whether the end was cut off since, and written anew.
   */
  verify(expected?: AuditHead): Promise<AuditVerification> {
    return verifyAudit(this.#parts.store, this.#parts.digest, expected);
  }

  /**
   * Removes the oldest entries: those older than `days` days. A note of the removal comes first, so that the rest can
   * be verified: an entry missing without such a note is a fault.
   *
   * Does nothing while the time is not trusted. Rejects as `AuditStore` does.
   *
   * @param days 1 or more.
   * @returns Number of removed entries.
   */
  async shorten(days: number): Promise<number> {
    if (!this.#parts.timekeeper.trust().isTrusted) return 0;
    const now = this.#parts.timekeeper.now();
    const last = await findExpired(this.#parts.store, { now, before: now - days * DAY_SECONDS });
    if (last === undefined) return 0;
    const { number: through, hash } = last;
    await this.#write(this.#factOf(SERVICE_ACTOR, 'audit-shortened', { through, hash, days }));
    return this.#parts.store.removeThrough(through);
  }

  #factOf(actor: string, action: AuditAction, details: AuditDetails): Fact {
    const trust = this.#parts.timekeeper.trust();
    return {
      at: this.#parts.timekeeper.now(),
      actor: actor.toWellFormed(),
      action,
      details: storable(trust.isTrusted ? details : { ...details, clockDoubt: trust.doubt }),
    };
  }

  /** Tries to write the unwritten notes again. */
  async #writeLate(): Promise<void> {
    const facts = this.#unwritten.splice(0);
    await Promise.all(facts.map((fact) => this.#write(fact).catch(() => this.#keep(fact))));
  }

  /** Keeps an unwritten note until the next one. */
  #keep(fact: Fact): void {
    this.#unwritten.push(fact);
    if (this.#unwritten.length > UNWRITTEN_MAX) this.#unwritten.shift();
  }

  #write(fact: Fact): Promise<void> {
    return this.#parts.store.appendNext((end) => this.#entryAfter(end, fact));
  }

  #entryAfter({ number, hash: previous }: AuditHead, { at, actor, action, details }: Fact): AuditEntry {
    const entry = { number: number + 1, at, actor, action, details, previous, hash: '' };
    entry.hash = this.#parts.digest(canonicalText(entry));
    return entry;
  }
}

/** Replaces values that JSON in UTF-8 cannot express: lone surrogates, `NaN` and infinite numbers. */
function storable(details: AuditDetails): AuditDetails {
  if (details === noDetails) return details;
  return Object.fromEntries(
    Object.entries(details).map(([key, value]) => [
      key.toWellFormed(),
      typeof value === 'boolean' || Number.isFinite(value) ? value : String(value).toWellFormed(),
    ]),
  );
}
