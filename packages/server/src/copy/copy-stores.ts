import type { Day, Entry, Snapshot, TallyId, Timestamp } from '@tallybook/domain';
import { knownScans, type KnownScan, type NewCorrection } from '@tallybook/domain/record';
import type { AuditEntry, AuditHead } from '@tallybook/domain/access';
import type { FullStorage } from '../config/stores.js';
import { copyPeople } from './copy-people.js';
import { copyNames } from './copy-names.js';
import { copyStations } from './copy-stations.js';
import { auditEntriesOf } from './survey-stores.js';

/** Number of scans that are written together, so that a store can commit them together. */
const GROUP = 500;

export interface CopyOptions {
  /** Whether the target has its own record, which is kept. */
  readonly isMerging: boolean;
  /** The present time, as in `ErasureStore.add`. */
  readonly now: Timestamp;
  /** Called with the progress as text for people. */
  readonly onProgress?: (text: string) => void;
}

/** Outcome of a copy. */
export interface CopyOutcome {
  /** Whether the target has an audit trail with another beginning, so that the trail of the source was not copied. */
  readonly hasOwnTrail: boolean;
  /**
   * Number of names, scans, corrections and provisional scans that were left out because their person was erased in the
   * target.
   */
  readonly refused: number;
}

/**
 * Copies all data except the journal from stores into other stores. All of them must be open. A second copy, even after an
 * interruption, has the same result. The record of days is read from one snapshot.
 *
 * In a merge, names of the source replace names of the target; persons and tags with a timeline are merged by their stamps. Users and tokens of the target are not changed. Data of
 * persons who were erased in the target does not come back.
 */
export async function copyStores(
  from: FullStorage,
  to: FullStorage,
  { isMerging, now, onProgress = () => undefined }: CopyOptions,
): Promise<CopyOutcome> {
  const gate = new ErasureGate(from, to);
  onProgress('copying erasures');
  const erasures = await from.erasures.list();
  await to.erasures.adoptKey(from.erasures.key);
  await to.erasures.add(erasures, now);
  await copyPeople(from, to, { isMerging, onProgress });
  await copyNames(from, to, { isMerging, lets: (id) => gate.lets(id), onProgress });
  {
    await using snapshot = await from.snapshots.take();
    await copyDays(snapshot, to, gate, onProgress);
    onProgress('copying corrections');
    await copyCorrections(snapshot, to, gate);
    onProgress('copying provisional scans');
    await copyProvisional(snapshot, to, gate);
  }
  onProgress('copying users, tokens and the audit trail');
  await copyAccess(from, to, isMerging);
  const hasOwnTrail = !(await copyTrail(from, to, isMerging));
  for (const { device, run, number } of await from.receipts.list())
    await to.receipts.note(device, run, number);
  await copyStations(from, to);
  return { hasOwnTrail, refused: gate.refused };
}

/** Keeps out data of persons who were erased in the target and not in the source. */
class ErasureGate {
  refused = 0;
  readonly #from: FullStorage['erasures'];
  readonly #to: FullStorage['erasures'];

  constructor({ erasures: from }: FullStorage, { erasures: to }: FullStorage) {
    this.#from = from;
    this.#to = to;
  }

  /** @param at `undefined` for data without a time. */
  lets(id: TallyId, at?: Timestamp): boolean {
    const endIn = (erasures: FullStorage['erasures']): number =>
      Math.max(-1, ...erasures.of(id).map(({ until }) => until));
    // If the source has erased the person too, its data is from after the erasure.
    if (!this.#to.isRefused(id, at) || endIn(this.#from) >= endIn(this.#to)) return true;
    this.refused++;
    return false;
  }
}

function* groupsOf<T>(items: readonly T[]): Generator<readonly T[], void, undefined> {
  for (let start = 0; start < items.length; start += GROUP) yield items.slice(start, start + GROUP);
}

type Progress = (text: string) => void;

async function copyDays(
  snapshot: Snapshot,
  { days }: FullStorage,
  gate: ErasureGate,
  tell: Progress,
): Promise<void> {
  let count = 0;
  for await (const { day, entries } of snapshot.details()) {
    const counted: Entry[] = [];
    let scans: (KnownScan & { readonly id: TallyId })[] = [];
    const write = async (): Promise<void> => {
      const group = scans;
      scans = [];
      await Promise.all(group.map(({ id, at, flags }) => days.record(day, id, at, { flags })));
      count += group.length;
      tell(`copying scans: ${count}`);
    };
    for (const entry of entries) {
      const known = knownScans(entry);
      const taken = known.filter(({ at }) => gate.lets(entry.id, at));
      for (const scan of taken) scans.push({ id: entry.id, ...scan });
      // Of some scans from a backup, only the number is known.
      const { id, first, last, count } = entry;
      if (taken.length === known.length && count > known.length) counted.push({ id, first, last, count });
      if (scans.length >= GROUP) await write();
    }
    await write();
    // Done after the scans; otherwise the scans would be counted twice.
    await mergeCounts(days, day, counted);
  }
}

async function mergeCounts(days: FullStorage['days'], day: Day, entries: readonly Entry[]): Promise<void> {
  if (entries.length === 0) return;
  const present = new Map((await days.load(day))?.entries.map((entry) => [entry.id, entry.count]));
  const missing = entries.filter(({ id, count }) => (present.get(id) ?? 0) < count);
  for (const group of groupsOf(missing)) await days.merge(day, group);
}

async function copyCorrections(
  snapshot: Snapshot,
  { corrections }: FullStorage,
  gate: ErasureGate,
): Promise<void> {
  const all: { readonly number: number; readonly made: NewCorrection }[] = [];
  for await (const { number, ...made } of snapshot.corrections()) {
    if (gate.lets(made.id, made.at)) all.push({ number, made });
  }
  // In the order of their creation, so that their numbers ascend as before.
  all.sort((a, b) => a.number - b.number);
  for (const group of groupsOf(all)) await corrections.correct(group.map(({ made }) => made));
}

async function copyProvisional(
  snapshot: Snapshot,
  { provisional }: FullStorage,
  gate: ErasureGate,
): Promise<void> {
  // One after another, because their order counts.
  for await (const { filing, ...scan } of snapshot.provisional()) {
    if (!gate.lets(scan.id, filing?.at)) continue;
    const sequence = await provisional.add(scan);
    if (filing !== undefined) await provisional.settle(sequence, filing);
  }
}

async function copyAccess(
  { access: from }: FullStorage,
  { access: to }: FullStorage,
  isMerging: boolean,
): Promise<void> {
  const { users, credentials, secret } = await from.read();
  const there = await to.read();
  const names = new Set(isMerging ? there.users.map(({ name }) => name) : []);
  const ids = new Set(isMerging ? there.credentials.map(({ id }) => id) : []);
  const putUsers = users.filter(({ name }) => !names.has(name));
  // If the target already has a user of this name, a session of the source could belong to another person.
  const putCredentials = credentials.filter(({ id, kind, user }) => {
    return !ids.has(id) && !(kind === 'session' && user !== undefined && names.has(user));
  });
  // Browsers of the source stay known.
  if (there.secret === undefined) await to.change({ secret });
  for (const group of groupsOf(putUsers)) await to.change({ putUsers: group });
  for (const group of groupsOf(putCredentials)) await to.change({ putCredentials: group });
}

/**
 * Resolves with whether the target now has the whole trail of the source. Entries that the source has lost are missing in the copy
 * too, so that this shows.
 */
async function copyTrail(from: FullStorage, { audit }: FullStorage, isMerging: boolean): Promise<boolean> {
  const end = await audit.latest();
  let isAfterEnd = end === undefined;
  let first: AuditEntry | undefined;
  let last: AuditEntry | undefined;
  let removed = 0;
  for await (const entry of auditEntriesOf(from)) {
    removed = Math.max(removed, removedBy(entry));
    if (!isAfterEnd) isAfterEnd = isEnd(entry, end);
    else if (!(await appendAfter(audit, last, entry))) return false;
    first ??= entry;
    last = entry;
  }
  // An earlier copy may have entries that the source has removed for their age since. Entries that the source has lost are kept.
  if (isAfterEnd && !isMerging && first !== undefined)
    await audit.removeThrough(Math.min(first.number - 1, removed));
  return isAfterEnd || last === undefined;
}

/** Says whether the target took the entry: it must end with the entry before, or have no trail if there is none. */
async function appendAfter(
  audit: FullStorage['audit'],
  before: AuditEntry | undefined,
  entry: AuditEntry,
): Promise<boolean> {
  if (before === undefined) return audit.begin(entry);
  const isOther = new Error('the trail ends with another entry');
  try {
    await audit.appendNext((end) => {
      if (!isEnd(before, end)) throw isOther;
      return entry;
    });
    return true;
  } catch (error) {
    if (error === isOther) return false;
    throw error;
  }
}

/** Number of the last entry that was removed for its age, if the entry notes that; else 0. */
function removedBy({ action, details: { through } }: AuditEntry): number {
  return action === 'audit-shortened' && typeof through === 'number' ? through : 0;
}

function isEnd({ number, hash }: AuditEntry, end: AuditHead | undefined): boolean {
  return number === end?.number && hash === end.hash;
}
