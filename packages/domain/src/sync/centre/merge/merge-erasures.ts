import { isTallybookError, type TallybookError } from '../../../errors.js';
import { ERASURE_KEPT_DAYS } from '../../../record/values/erasure.js';
import type { Erasure } from '../../../record/values/erasure.js';
import { STAMP_MAX_AHEAD_MS } from '../../values/sync.js';
import { CENTRE_ERASURES_MAX, CENTRE_KEYS_MAX, CENTRE_ROOM } from '../../../record/values/erasure-keys.js';
import { DAY_SECONDS, toTimestamp, type Timestamp } from '../../../values/timestamp.js';
import type { MergeTerms } from './merge-parts.js';
import type { Merging, Of } from './merging.js';
import type { RoomCode } from './refusals.js';

const NEVER = toTimestamp(Number.MAX_SAFE_INTEGER);

/** Takes over the erasures of the station: they apply to the whole record of the centre. */
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
  const before = new Map((await erasures.list()).map(({ digest, until }) => [digest, until]));
  const wanted = items.map((item): Wanted => {
    const { erasure, cursor } = item;
    // An erasure that comes again, since its answer was lost, keeps its end: later scans are of the next holder of the
    // tag.
    const known = cursor <= terms.acknowledged ? before.get(erasure.digest) : undefined;
    const until = earlier(erasure.until, known !== undefined && erasure.until > now ? known : now);
    return { item, its: { ...erasure, until, expiresAt: earlier(erasure.expiresAt, expiresAt) } };
  });
  const { taken, lack, present } = await addWithinRoom(wanted, { erasures, terms, now });
  for (const [{ item }, what] of lack) {
    if (what === 'key') refusals.refuseKey(item, present.keys);
    else if (what === 'erasure') refusals.refuseErasure(item, present.erasures);
    else refusals.refuseByStore(item, what);
  }
  if (taken.length === 0) return;
  // The station has to learn the new end, or it would refuse scans of the tag up to the wrong end.
  for (const { item, its } of taken) if (item.erasure.until > latest) refusals.tellErasure(its.until);
  // Read afterwards: another server may have added an erasure a moment ago.
  const keyOf = new Map((await erasures.list()).map(({ digest, key }) => [digest, key]));
  const hasConflict = ({ key, digest }: Erasure): boolean => (keyOf.get(digest) ?? key) !== key;
  for (const { item, its } of taken) if (hasConflict(its)) refusals.refuseConflict({ cursor: item.cursor });
  const all = taken.map(({ its }) => its);
  const erased = all.filter((each) => !hasConflict(each) && (before.get(each.digest) ?? -1) < each.until);
  await terms.notes.note({ erasures: erased });
}

/** An item of a station, and the erasure to take for it, whose times may be cut. */
interface Wanted {
  readonly item: Of<'erasure'>;
  readonly its: Erasure;
}

/** What there is no room for. The code of the store if it has less room than its list shows. */
type Lack = 'key' | 'erasure' | RoomCode;

interface Added {
  readonly taken: readonly Wanted[];
  readonly lack: ReadonlyMap<Wanted, Lack>;
  /** Numbers of keys and erasures when the rest was left out. */
  readonly present: { readonly keys: number; readonly erasures: number };
}

/** Adds the erasures of a station as far as there is room, in their order. */
async function addWithinRoom(
  wanted: readonly Wanted[],
  {
    erasures,
    terms,
    now,
  }: Pick<Merging['parts'], 'erasures'> & Pick<Merging, 'terms'> & { readonly now: Timestamp },
): Promise<Added> {
  /** Code of the store when it refused the last attempt, and the number of new erasures in that attempt. */
  let last: { readonly code: RoomCode; readonly fresh: number } | undefined;
  for (;;) {
    const present = await erasures.list();
    const keyOf = new Map(present.map(({ digest, key }) => [digest, key]));
    const keys = await takenKeys(wanted, keyOf, terms);
    const digests = new Set(keyOf.keys());
    const lack = new Map<Wanted, Lack>();
    for (const each of wanted) {
      const { key, digest } = each.its;
      if (digests.has(digest)) continue;
      if (digests.size >= CENTRE_ERASURES_MAX) lack.set(each, 'erasure');
      else if (!keys.has(key)) lack.set(each, 'key');
      else digests.add(digest);
    }
    const fresh = wanted.filter((each) => !lack.has(each) && keyOf.get(each.its.digest) !== each.its.key);
    // If only other stations take the room, fewer erasures are left each time. Else the store has less room than its
    // list shows.
    const isRefused = last !== undefined && fresh.length >= last.fresh;
    if (last !== undefined && isRefused) for (const each of fresh) lack.set(each, last.code);
    const taken = wanted.filter((each) => !lack.has(each));
    try {
      if (taken.length > 0)
        await erasures.add(
          taken.map(({ its }) => its),
          now,
          CENTRE_ROOM,
        );
      return { taken, lack, present: { keys: keys.size, erasures: digests.size } };
    } catch (error) {
      // Erasures that the store already has need no room.
      if (!isLackOfRoom(error) || isRefused || fresh.length === 0) throw error;
      last = { code: error.code, fresh: fresh.length };
    }
  }
}

function isLackOfRoom(error: unknown): error is TallybookError & { readonly code: RoomCode } {
  return isTallybookError(error, 'TOO_MANY_ERASURE_KEYS') || isTallybookError(error, 'TOO_MANY_ERASURES');
}

/**
 * The keys under which the station may bring more erasures: known keys, and new keys as long as there is room. A new key is
 * claimed only if there is room for an erasure under it.
 *
 * @param present The keys of the present erasures, by digest.
 */
async function takenKeys(
  wanted: readonly Wanted[],
  present: ReadonlyMap<string, string>,
  { claimKeys }: Pick<MergeTerms, 'claimKeys'>,
): Promise<ReadonlySet<string>> {
  const keys = new Set(present.values());
  const added = new Map<string, string>();
  for (const { its } of wanted) {
    if (!present.has(its.digest) && !added.has(its.digest)) added.set(its.digest, its.key);
  }
  const withRoom = [...added.values()].slice(0, Math.max(0, CENTRE_ERASURES_MAX - present.size));
  const others = new Set(withRoom.filter((key) => !keys.has(key)));
  const asked = [...others].slice(0, Math.max(0, CENTRE_KEYS_MAX - keys.size));
  return asked.length === 0 ? keys : new Set([...keys, ...(await claimKeys(asked))]);
}

function earlier(one: Timestamp, other: Timestamp): Timestamp {
  return one < other ? one : other;
}
