import type { AuditStore } from '../ports/audit-store.js';
import type { Secrets } from '../ports/secrets.js';
import { AUDIT_BEGINNING, type AuditEntry, type AuditHead } from '../values/audit.js';
import { canonicalText } from './canonical-text.js';

/**
 * A fault of the trail, with the number of its entry:
 *
 * - `missing`: there is no such entry, and no entry notes its removal because of its age;
 * - `changed`: the entry does not match its hash;
 * - `unchained`: the entry does not follow the one before, so one of the two was changed or moved;
 * - `not-expected`: the entry is sound, but differs from the expected one;
 * - `removed`: the expected entry was removed because of its age, so it cannot be compared.
 */
export interface AuditFault {
  readonly kind: 'missing' | 'changed' | 'unchained' | 'not-expected' | 'removed';
  readonly number: number;
}

export interface AuditVerification {
  /** Number of sound entries: all of them, or those before the fault. */
  readonly entries: number;
  /** Number of the first present entry. */
  readonly first: number | undefined;
  /** The end of the trail; the last sound entry if there is a fault. */
  readonly head: AuditHead | undefined;
  readonly fault: AuditFault | undefined;
}

const PAGE = 500;

/** Checks the trail as it is now, without entries that are appended meanwhile. */
export async function verifyAudit(
  store: AuditStore,
  digest: Secrets['digest'],
  expected?: AuditHead,
): Promise<AuditVerification> {
  const end = await store.latest();
  const walk = new Walk(digest, expected);
  for (let after = 0; after < (end?.number ?? 0) && walk.fault === undefined;) {
    const page = await store.read(after, PAGE);
    for (const entry of page) {
      if (entry.number <= (end?.number ?? 0)) walk.add(entry);
    }
    const last = page.at(-1);
    if (last === undefined) break;
    after = last.number;
  }
  return walk.finish(end);
}

/** State of the check after each entry. */
class Walk {
  fault: AuditFault | undefined;
  #entries = 0;
  #first: AuditEntry | undefined;
  #last: AuditEntry | undefined;
  /** Number of the last entry that was removed because of its age, according to a note of that. */
  #removedThrough = 0;
  /** Whether that note has the hash that the first entry follows. */
  #isBeginningSaid = false;
  readonly #digest: Secrets['digest'];
  readonly #expected: AuditHead | undefined;

  constructor(digest: Secrets['digest'], expected: AuditHead | undefined) {
    this.#digest = digest;
    this.#expected = expected;
  }

  add(entry: AuditEntry): void {
    if (this.fault !== undefined) return;
    const last = this.#last;
    if (last !== undefined && entry.number !== last.number + 1)
      return void this.#find('missing', last.number + 1);
    if (this.#digest(canonicalText(entry)) !== entry.hash) return void this.#find('changed', entry.number);
    const before = last?.hash ?? (entry.number === 1 ? AUDIT_BEGINNING : entry.previous);
    if (entry.previous !== before) return void this.#find('unchained', entry.number);
    const { number, hash } = this.#expected ?? {};
    if (entry.number === number && entry.hash !== hash) return void this.#find('not-expected', number);
    this.#first ??= entry;
    this.#last = entry;
    this.#entries++;
    this.#learnRemoval(entry);
  }

  finish(end: AuditHead | undefined): AuditVerification {
    this.fault ??= this.#faultAtBeginning() ?? this.#faultAtEnd(end);
    const head = this.#last && { number: this.#last.number, hash: this.#last.hash };
    return { entries: this.#entries, first: this.#first?.number, head, fault: this.fault };
  }

  #find(kind: AuditFault['kind'], number: number): void {
    this.fault = { kind, number };
  }

  #learnRemoval({ action, details: { through, hash } }: AuditEntry): void {
    if (action !== 'audit-shortened' || typeof through !== 'number') return;
    this.#removedThrough = Math.max(this.#removedThrough, through);
    const first = this.#first;
    if (through + 1 === first?.number && hash === first.previous) this.#isBeginningSaid = true;
  }

  #faultAtBeginning(): AuditFault | undefined {
    const number = this.#first?.number ?? 1;
    // After a power cut between a note of a removal and the removal, removable entries may still be present.
    if (number === 1 || this.#removedThrough >= number) return undefined;
    if (this.#removedThrough < number - 1) return { kind: 'missing', number: this.#removedThrough + 1 };
    return this.#isBeginningSaid ? undefined : { kind: 'unchained', number };
  }

  #faultAtEnd(end: AuditHead | undefined): AuditFault | undefined {
    const last = this.#last?.number ?? 0;
    if (end !== undefined && end.number > last) return { kind: 'missing', number: last + 1 };
    if (end !== undefined && end.hash !== this.#last?.hash) return { kind: 'changed', number: last };
    const expected = this.#expected;
    if (expected === undefined) return undefined;
    if (expected.number > last) return { kind: 'missing', number: last + 1 };
    const first = this.#first?.number ?? 1;
    if (expected.number >= first) return undefined;
    if (expected.number + 1 < first) return { kind: 'removed', number: expected.number };
    const isSame = expected.hash === this.#first?.previous;
    return isSame ? undefined : { kind: 'not-expected', number: expected.number };
  }
}
