import type { AuditStore } from '../ports/audit-store.js';
import type { Secrets } from '../ports/secrets.js';
import type { AuditEntry, AuditHead } from '../values/audit.js';
import { canonicalText } from './canonical-text.js';

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
