import { isTallybookError, type TallybookError } from '../../../errors.js';
import { ERASURE_KEPT_DAYS } from '../../../personal/erasure-service.js';
import type { Erasure } from '../../../values/record/erasure.js';
import { STAMP_MAX_AHEAD_MS } from '../../../values/sync/sync.js';
import { CENTRE_ERASURES_MAX, CENTRE_KEYS_MAX, CENTRE_ROOM } from '../../../values/record/erasure-keys.js';
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
  const before = new Map((await erasures.list()).map(({ digest, until }) => [digest, until]));
  const withEnd = ({ erasure, cursor }: Of<'erasure'>): Erasure => {
    // An erasure that comes again, since its answer was lost, keeps its end: later scans are of whoever has the tag now.
    const known = cursor <= terms.acknowledged ? before.get(erasure.digest) : undefined;
    const until = earlier(erasure.until, known !== undefined && erasure.until > now ? known : now);
    return { ...erasure, until, expiresAt: earlier(erasure.expiresAt, expiresAt) };
  };
  const { taken, lack, present } = await addWithinRoom(items, withEnd, { erasures, terms, now });
  for (const [item, what] of lack) {
    if (what === 'key') refusals.refuseKey(item, present.keys);
    else refusals.refuseErasure(item, present.erasures);
  }
  if (taken.length === 0) return;
  const all = taken.map((item) => {
    const its = withEnd(item);
    // The station has to learn the new end, or it would refuse the tag for as long as its clock was ahead.
    if (item.erasure.until > latest) refusals.tellErasure(its.until);
    return its;
  });
  // Looked at afterwards: it may have come a moment ago, by another server too.
  const keyOf = new Map((await erasures.list()).map(({ digest, key }) => [digest, key]));
  const hasConflict = ({ key, digest }: Erasure): boolean => (keyOf.get(digest) ?? key) !== key;
  for (const { erasure, cursor } of taken) if (hasConflict(erasure)) refusals.refuseConflict({ cursor });
  const erased = all.filter((each) => !hasConflict(each) && (before.get(each.digest) ?? -1) < each.until);
  await terms.notes.note({ erasures: erased });
}

type Item = Of<'erasure'>;

/** What there is no room for. */
type Lack = 'key' | 'erasure';

interface Added {
  readonly taken: readonly Item[];
  readonly lack: ReadonlyMap<Item, Lack>;
  /** How many there were when the rest was left out. */
  readonly present: { readonly keys: number; readonly erasures: number };
}

/** Adds the erasures of a station as far as there is room, in their order. */
async function addWithinRoom(
  items: readonly Item[],
  withEnd: (item: Item) => Erasure,
  {
    erasures,
    terms,
    now,
  }: Pick<Merging['parts'], 'erasures'> & Pick<Merging, 'terms'> & { readonly now: Timestamp },
): Promise<Added> {
  for (;;) {
    const present = await erasures.list();
    const keys = await takenKeys(items, new Set(present.map(({ key }) => key)), terms);
    const digests = new Set(present.map(({ digest }) => digest));
    const lack = new Map<Item, Lack>();
    for (const item of items) {
      const { key, digest } = item.erasure;
      if (!keys.has(key)) lack.set(item, 'key');
      else if (digests.has(digest) || digests.size < CENTRE_ERASURES_MAX) digests.add(digest);
      else lack.set(item, 'erasure');
    }
    const taken = items.filter((item) => !lack.has(item));
    try {
      if (taken.length > 0) await erasures.add(taken.map(withEnd), now, CENTRE_ROOM);
      return { taken, lack, present: { keys: keys.size, erasures: digests.size } };
    } catch (error) {
      // Other stations have filled the room meanwhile; there is less each time, so this ends.
      if (!isTallybookError(error) || !isLackOfRoom(error)) throw error;
    }
  }
}

function isLackOfRoom({ code }: Pick<TallybookError, 'code'>): boolean {
  return code === 'TOO_MANY_ERASURE_KEYS' || code === 'TOO_MANY_ERASURES';
}

/** The keys of erasures of which the station may bring more: those that are there, and new ones as long as there is room. */
async function takenKeys(
  items: readonly Item[],
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
