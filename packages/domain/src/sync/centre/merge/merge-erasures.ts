import { CENTRE_ERASURES_MAX, ERASURE_KEYS_MAX } from '../../../record/values/erasure-index.js';
import {
  ERASURE_KEPT_DAYS,
  nameOfErasure,
  plainErasure,
  type Erasure,
} from '../../../record/values/erasure.js';
import { DAY_SECONDS, toTimestamp, type Timestamp } from '../../../values/timestamp.js';
import { STAMP_MAX_AHEAD_MS } from '../../values/sync.js';
import type { Merging, Of } from './merging.js';

const NEVER = toTimestamp(Number.MAX_SAFE_INTEGER);

/** Takes over the erasures of the station, as far as there is room: they apply to the whole record of the centre. */
export async function mergeErasures(
  items: readonly Of<'erasure'>[],
  { parts: { erasures, timekeeper }, terms, refusals }: Merging,
): Promise<void> {
  if (items.length === 0) return;
  // While the clock is not trusted, no time counts as future.
  const now = timekeeper.trust().isTrusted ? timekeeper.now() : NEVER;
  // An erasure by a station whose clock is years ahead must not refuse data for years.
  const expiresAt = toTimestamp(Math.min(now + ERASURE_KEPT_DAYS * DAY_SECONDS, NEVER));
  const latest = now + STAMP_MAX_AHEAD_MS / 1_000;
  const present = await erasures.list();
  const before = new Map(present.map((each) => [nameOfErasure(each), each.until]));
  const closed = new Map(
    present.filter(({ isClosed }) => isClosed === true).map((each) => [nameOfErasure(each), each]),
  );
  const names = new Set(before.keys());
  const keys = new Set([erasures.key, ...present.map(({ key }) => key)]);
  const taken: Erasure[] = [];
  for (const { erasure, cursor } of items) {
    const name = nameOfErasure(erasure);
    // The tag had another holder since, which the station did not know. One that is kept for longer is a later erasure of the tag.
    const shorter = erasure.isClosed === true ? undefined : closed.get(name);
    if (shorter !== undefined && erasure.expiresAt <= shorter.expiresAt) {
      refusals.tellErasure(plainErasure(shorter));
      continue;
    }
    if (!names.has(name)) {
      if (names.size >= CENTRE_ERASURES_MAX) {
        refusals.refuseErasure({ cursor }, 'TOO_MANY_ERASURES', CENTRE_ERASURES_MAX);
        continue;
      }
      if (!keys.has(erasure.key) && keys.size >= ERASURE_KEYS_MAX) {
        refusals.refuseErasure({ cursor }, 'TOO_MANY_ERASURE_KEYS', ERASURE_KEYS_MAX);
        continue;
      }
      names.add(name);
      keys.add(erasure.key);
    }
    // An erasure that comes again, since its answer was lost, keeps its end: later scans are of the next holder of the tag.
    const known = cursor <= terms.acknowledged ? before.get(name) : undefined;
    const until = earlier(erasure.until, known !== undefined && erasure.until > now ? known : now);
    const its = { ...erasure, until, expiresAt: earlier(erasure.expiresAt, expiresAt) };
    taken.push(its);
    // The station has to learn the new end, or it would refuse scans of the tag up to the wrong end.
    if (erasure.until > latest) refusals.tellErasure(its);
  }
  if (taken.length === 0) return;
  await erasures.add(taken, now);
  await terms.notes.note({
    erasures: taken.filter((each) => (before.get(nameOfErasure(each)) ?? -1) < each.until),
  });
}

function earlier(one: Timestamp, other: Timestamp): Timestamp {
  return one < other ? one : other;
}
