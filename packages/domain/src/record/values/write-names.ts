import { isSameName, type Name } from '../../values/name.js';
import type { TallyId } from '../../values/tally-id.js';
import type { Timestamp } from '../../values/timestamp.js';
import { latestNames, restoredStamp } from './name-stamp.js';
import { compareStamps, nextStamp, type Stamp, type StampedName } from '../../values/stamp.js';

/** A name in a store, or its removal. */
interface StoredName {
  /** `undefined` also if it is damaged. It may be a getter, since most writes do not need it. */
  readonly name: Name | undefined;
  readonly stamp: Stamp | undefined;
  /** Whether there is a name, readable or damaged: a damaged one is replaced like any other. Default: whether it has `name`. */
  readonly hasName?: boolean;
}

/** The names of a store in a transaction, in the state after its earlier writes. */
interface NameRows {
  /** `undefined` if the tag never had a name. */
  find(id: TallyId): StoredName | undefined;
  /** Puts a name, or a removal. If the name becomes another one, the change is in the journal too. */
  put(name: StampedName): void;
}

/** The time and the node of new stamps, see `StampSource`. */
interface Stamping {
  readonly stamps: { now(): number | undefined };
  readonly node: string;
}

/** Gives names, or takes them away. Returns the names before. */
export function changeNames(
  rows: NameRows,
  changes: Iterable<readonly [id: TallyId, name: Name | undefined]>,
  { stamps, node }: Stamping,
): ReadonlyMap<TallyId, Pick<StoredName, 'name'>> {
  const before = new Map<TallyId, StoredName>();
  for (const [id, name] of changes) {
    const former = rows.find(id);
    if (hasName(former)) before.set(id, former);
    // Removing a missing name leaves no stamp.
    else if (name === undefined) continue;
    const ms = stamps.now();
    rows.put({ id, name, stamp: ms === undefined ? undefined : nextStamp(former?.stamp, { ms, node }) });
  }
  return before;
}

/**
 * Puts a name of a backup, with the stamp of {@link restoredStamp}.
 *
 * @param knownAt When the backup was made; `undefined` if that is unknown.
 */
export function restoreName(
  rows: NameRows,
  {
    id,
    name,
    knownAt,
  }: { readonly id: TallyId; readonly name: Name; readonly knownAt: Timestamp | undefined },
  { stamps, node }: Stamping,
): 'added' | 'replaced' {
  const former = rows.find(id);
  rows.put({ id, name, stamp: restoredStamp(name, former, { knownAt, nowMs: stamps.now(), node }) });
  return hasName(former) ? 'replaced' : 'added';
}

/**
 * Replaces names that are earlier than the given ones. Returns the names that stayed and differ, see `StampedNames.merge`.
 *
 * @param isRefused Whether a name is left out.
 */
export function mergeNames(
  rows: NameRows,
  names: readonly StampedName[],
  isRefused: (name: StampedName) => boolean = () => false,
): readonly StampedName[] {
  const stayed: StampedName[] = [];
  for (const name of latestNames(names)) {
    if (isRefused(name)) continue;
    const here = rows.find(name.id);
    // A damaged name counts as missing.
    const isDamaged = here?.hasName === true && here.name === undefined;
    if (here === undefined || isDamaged || compareStamps(name.stamp, here.stamp) > 0) rows.put(name);
    else if (!isSameName(here.name, name.name))
      stayed.push({ id: name.id, name: here.name, stamp: here.stamp });
  }
  return stayed;
}

function hasName(stored: StoredName | undefined): stored is StoredName {
  return stored?.hasName ?? stored?.name !== undefined;
}
