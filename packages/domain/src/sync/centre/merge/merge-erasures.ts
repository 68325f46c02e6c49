import { ERASURE_KEPT_DAYS } from '../../../personal/erasure-service.js';
import type { Erasure } from '../../../values/record/erasure.js';
import { STAMP_MAX_AHEAD_MS } from '../../../values/sync/sync.js';
import { CENTRE_KEYS_MAX } from '../../../values/record/erasure-keys.js';
import { DAY_SECONDS, toTimestamp, type Timestamp } from '../../../values/timestamp.js';
import type { MergeTerms } from './merge-parts.js';
import type { Merging, Of } from './merging.js';

const NEVER = toTimestamp(Number.MAX_SAFE_INTEGER);

/** Takes over the erasures of the station: they hold for the whole record. */
export async function mergeErasures(
  items: readonly Of<'erasure'>[],
  { parts: { erasures, timekeeper }, terms, refusals }: Merging,
): Promise<void> {
  if (items.length === 0) return;
  // Under a clock that may be wrong nothing lies in the future.
  const now = timekeeper.trust().isTrusted ? timekeeper.now() : NEVER;
  // Under a clock that runs years ahead, an erasure must not refuse data for years.
  const expiresAt = toTimestamp(Math.min(now + ERASURE_KEPT_DAYS * DAY_SECONDS, NEVER));
  const latest = now + STAMP_MAX_AHEAD_MS / 1_000;
  const present = await erasures.list();
  const known = new Map(present.map(({ digest, until }) => [digest, until]));
  const keys = await takenKeys(items, new Set(present.map(({ key }) => key)), terms);
  const taken = items.filter((item) => keys.has(item.erasure.key) || refusals.refuseKey(item, keys.size));
  if (taken.length === 0) return;
  const all = taken.map(({ erasure, cursor }) => {
    // An erasure that comes again, since its answer was lost, keeps its end: later scans are of whoever has the tag now.
    const before = cursor <= terms.acknowledged ? known.get(erasure.digest) : undefined;
    const until = earlier(erasure.until, before !== undefined && erasure.until > now ? before : now);
    // The station has to learn the new end, or it would refuse the tag for as long as its clock was ahead.
    if (erasure.until > latest) refusals.tellErasure(until);
    return { ...erasure, until, expiresAt: earlier(erasure.expiresAt, expiresAt) };
  });
  await erasures.add(all, now);
  // Looked at afterwards: it may have come a moment ago, by another server too.
  const keyOf = new Map((await erasures.list()).map(({ digest, key }) => [digest, key]));
  const hasConflict = ({ key, digest }: Erasure): boolean => (keyOf.get(digest) ?? key) !== key;
  for (const { erasure, cursor } of taken) if (hasConflict(erasure)) refusals.refuseConflict({ cursor });
  const erased = all.filter((each) => !hasConflict(each) && (known.get(each.digest) ?? -1) < each.until);
  await terms.notes.note({ erasures: erased });
}

/** The keys of erasures of which the station may bring more: those that are there, and new ones as long as there is room. */
async function takenKeys(
  items: readonly Of<'erasure'>[],
  present: ReadonlySet<string>,
  { claimKeys }: Pick<MergeTerms, 'claimKeys'>,
): Promise<ReadonlySet<string>> {
  const others = new Set(items.map(({ erasure }) => erasure.key).filter((key) => !present.has(key)));
  const asked = [...others].slice(0, Math.max(0, CENTRE_KEYS_MAX - present.size));
  return asked.length === 0 ? present : new Set([...present, ...(await claimKeys(asked))]);
}

function earlier(one: Timestamp, other: Timestamp): Timestamp {
  return one < other ? one : other;
}
