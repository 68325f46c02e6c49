import type { AuditStore } from '../ports/audit-store.js';
import type { Secrets } from '../ports/secrets.js';
import { AUDIT_BEGINNING, type AuditEntry, type AuditHead } from '../values/audit.js';

const PAGE = 500;

/** All entries, ascending, a page in memory at a time. */
export async function* entriesOf(store: AuditStore): AsyncGenerator<AuditEntry, void, undefined> {
  let page = await store.read(0, PAGE);
  while (page.length > 0) {
    yield* page;
    page = await store.read(page.at(-1)?.number ?? 0, PAGE);
  }
}

/**
 * The text that an entry's hash is made of: all other fields as a JSON object in the form of RFC 8785. It has no white
 * space, and the keys of each object are sorted by UTF-16 code units.
 */
export function canonicalText({
  number,
  at,
  actor,
  action,
  details,
  previous,
}: Omit<AuditEntry, 'hash'>): string {
  // Sorts by UTF-16 code units.
  const keys = Object.keys(details).sort();
  const members = keys.map((key) => `${JSON.stringify(key)}:${JSON.stringify(details[key])}`);
  return (
    `{"action":${JSON.stringify(action)},"actor":${JSON.stringify(actor)},"at":${at},` +
    `"details":{${members.join(',')}},"number":${number},"previous":${JSON.stringify(previous)}}`
  );
}

/**
 * The last of the first entries that are older than a time; `undefined` if there are none.
 *
 * An entry with a later time than now, or with a doubtful time, decides nothing: it is removed if an older entry
 * follows it.
 */
export async function findExpired(
  store: AuditStore,
  { now, before }: { readonly now: number; readonly before: number },
): Promise<AuditEntry | undefined> {
  let expired: AuditEntry | undefined;
  for await (const entry of entriesOf(store)) {
    if (entry.at > now || entry.details['clockDoubt'] !== undefined) continue;
    if (entry.at >= before) return expired;
    expired = entry;
  }
  return expired;
}

/** A part of the trail. */
export interface AuditPage {
  /** Ascending by number. */
  readonly entries: readonly AuditEntry[];
  /** Whether none of these entries is missing or changed. `AuditTrail.verify` checks the whole trail. */
  readonly isWhole: boolean;
}

/** @param after The page has the entries after this number; `undefined`: the latest entries. */
export async function readAuditPage(
  store: AuditStore,
  digest: Secrets['digest'],
  { after, limit }: { readonly after: number | undefined; readonly limit: number },
): Promise<AuditPage> {
  const end = await store.latest();
  const start = after ?? Math.max(0, (end?.number ?? 0) - limit);
  // Also reads the entry before, because the first entry must follow it.
  const isInside = start > 0;
  const found = await readUpTo(store, isInside ? start - 1 : 0, isInside ? limit + 1 : limit);
  const [beginning] = await store.read(0, 1);
  const entries = found.filter(({ number }) => number > start).slice(0, limit);
  const isAtEnd = entries.length < limit;
  const isWhole =
    beginsAt(found[0], isInside ? start : 1, beginning) &&
    found.every((entry, index) => isSound(entry, found[index - 1], digest)) &&
    (!isAtEnd || endsAt(found.at(-1), end, start));
  return { entries, isWhole };
}

/** Older entries may have been removed because of their age. */
function beginsAt(first: AuditEntry | undefined, number: number, beginning: AuditEntry | undefined): boolean {
  return first === undefined || first.number === number || first.number === beginning?.number;
}

function endsAt(last: AuditHead | undefined, end: AuditHead | undefined, start: number): boolean {
  if (last === undefined) return (end?.number ?? 0) <= start;
  // An entry that was appended meanwhile comes after the end.
  return last.number > (end?.number ?? 0) || (last.number === end?.number && last.hash === end.hash);
}

function isSound(entry: AuditEntry, before: AuditEntry | undefined, digest: Secrets['digest']): boolean {
  if (digest(canonicalText(entry)) !== entry.hash) return false;
  return before === undefined || (entry.number === before.number + 1 && entry.previous === before.hash);
}

/** Reads until there are enough entries: one read of the store may return fewer. */
async function readUpTo(store: AuditStore, after: number, limit: number): Promise<readonly AuditEntry[]> {
  const entries: AuditEntry[] = [];
  while (entries.length < limit) {
    const page = await store.read(entries.at(-1)?.number ?? after, limit - entries.length);
    if (page.length === 0) break;
    entries.push(...page);
  }
  return entries;
}

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

/** Checks the trail as it is now, without entries that are appended meanwhile. */
export async function verifyAudit(
  store: AuditStore,
  digest: Secrets['digest'],
  expected?: AuditHead,
): Promise<AuditVerification> {
  const end = await store.latest();
  const walk = new Walk(digest, expected);
  for await (const entry of entriesOf(store)) {
    if (entry.number > (end?.number ?? 0) || walk.fault !== undefined) break;
    walk.add(entry);
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
