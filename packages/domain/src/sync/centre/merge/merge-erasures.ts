import { ERASURE_KEPT_DAYS } from '../../../personal/erasure-service.js';
import { STAMP_MAX_AHEAD_MS } from '../../../values/sync/sync.js';
import { toTimestamp, type Timestamp } from '../../../values/timestamp.js';
import type { Merging, Of } from './merging.js';

const DAY_SECONDS = 86_400;
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
  const known = new Map((await erasures.list()).map(({ digest, until }) => [digest, until]));
  const all = items.map(({ erasure, cursor }) => {
    // An erasure that comes again, since its answer was lost, keeps its end: later scans are of whoever has the tag now.
    const before = cursor <= terms.acknowledged ? known.get(erasure.digest) : undefined;
    const until = earlier(erasure.until, before !== undefined && erasure.until > now ? before : now);
    // The station has to learn the new end, or it would refuse the tag for as long as its clock was ahead.
    if (erasure.until > latest) refusals.tellErasure(until);
    return { ...erasure, until, expiresAt: earlier(erasure.expiresAt, expiresAt) };
  });
  await erasures.add(all, now);
  const erased = all.filter(({ digest, until }) => (known.get(digest) ?? -1) < until);
  await terms.notes.note({ erasures: erased });
}

function earlier(one: Timestamp, other: Timestamp): Timestamp {
  return one < other ? one : other;
}
