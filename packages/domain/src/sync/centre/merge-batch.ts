import type { TrustedTime } from '../../backup/erased-records.js';
import { isTallybookError, type ErrorCode, type TallybookError } from '../../errors.js';
import type { CorrectionStore } from '../../ports/record/correction-store.js';
import type { DayStore } from '../../ports/record/day-store.js';
import type { ErasureStore } from '../../ports/record/erasure-store.js';
import type { Cursor } from '../../ports/record/journal.js';
import type { StampedNames } from '../../ports/names/stamped-names.js';
import type { Entry } from '../../values/record/attendance-day.js';
import { isSameCorrection, type Correction, type NewCorrection } from '../../values/record/correction.js';
import type { Day } from '../../values/day.js';
import { afterErasure, type Erasure } from '../../values/record/erasure.js';
import {
  compareStamps,
  nextStamp,
  NO_STAMP,
  type StampedName,
  NOWHERE,
} from '../../values/names/name-stamp.js';
import {
  STAMP_MAX_AHEAD_MS,
  type NameItem,
  type RefusedItem,
  type ScanItem,
  type SyncItem,
} from '../../values/sync/sync.js';
import type { TallyId } from '../../values/tally-id.js';
import { toTimestamp, type Timestamp } from '../../values/timestamp.js';
import { ERASURE_KEPT_DAYS } from '../../personal/erasure-service.js';
import { isNameErased, toNameItem, toStampedName } from '../items/name-items.js';
import type { SyncNotes } from '../sync-notes.js';

export interface MergeDependencies {
  /** The record without corrections: not a `CorrectedDayStore`. */
  readonly days: DayStore;
  readonly stamped: StampedNames;
  readonly corrections: CorrectionStore;
  readonly erasures: Pick<ErasureStore, 'refusedUntil' | 'add' | 'list'>;
  readonly timekeeper: TrustedTime;
  /** Whether somebody here has to approve corrections. Default: false. */
  readonly needsApproval?: boolean;
  /**
   * Whether a repair of these stores makes each station send its record again: only then is what belongs to a damaged row refused,
   * or else nobody would ever send it again. Default: false.
   */
  readonly isRepairable?: boolean;
}

/** What a batch is merged under. */
export interface MergeTerms {
  /** The cursor up to which the station was acknowledged before. */
  readonly acknowledged: Cursor;
  /** Days before this one are refused. */
  readonly keepFrom: Day | undefined;
  /** Takes down each change as soon as it is made: what follows may fail, and when it comes again it is no change any more. */
  readonly notes: Pick<SyncNotes, 'note'>;
}

/** What became of a batch. */
export interface Merged {
  readonly refused: readonly RefusedItem[];
  readonly superseded: readonly NameItem[];
  readonly erasures: readonly Erasure[];
}

type Of<K extends SyncItem['kind']> = Extract<SyncItem, { kind: K }>;
interface MadeCorrection {
  readonly item: Of<'correction'>;
  readonly correction: NewCorrection;
}
type Refuse = (item: { readonly cursor: number }, code: ErrorCode, message: string) => void;

/** How many scans are written at a time, so that a store can commit them together. */
const GROUP_SIZE = 64;
const NEVER = toTimestamp(Number.MAX_SAFE_INTEGER);

/**
 * Merges what a station sent into the record. Merging it again changes nothing, and neither does the order in which stations
 * come: scans are a set, of the names of a tag the latest one counts, corrections are decided once, and an erasure wins.
 *
 * An item that would go into a damaged row is refused, and the others are merged, if it comes again after a repair. For all else
 * it rejects as the stores do: then some of it may be there, and the station sends it again.
 */
export async function mergeBatch(
  items: readonly SyncItem[],
  parts: MergeDependencies,
  terms: MergeTerms,
): Promise<Merged> {
  const refused: RefusedItem[] = [];
  const moments = new Set<Timestamp>();
  const refuse: Refuse = ({ cursor }, code, message) => refused.push({ cursor, code, message });
  const merge = new Merge(parts, terms, refuse, moments);
  await merge.erase(itemsOf(items, 'erasure'));
  await merge.record(itemsOf(items, 'scan'));
  // After the scans: the counts of entries include them.
  for (const item of itemsOf(items, 'entries')) await merge.mergeEntries(item);
  const superseded = await merge.mergeNames(itemsOf(items, 'name'));
  await merge.correct(itemsOf(items, 'correction'));
  const known = moments.size === 0 ? [] : await parts.erasures.list();
  const erasures = known
    .filter(({ until }) => moments.has(until))
    .map(({ key, digest, until, expiresAt }) => ({ key, digest, until, expiresAt }));
  return { refused, superseded, erasures };
}

function itemsOf<K extends SyncItem['kind']>(items: readonly SyncItem[], kind: K): readonly Of<K>[] {
  return items.filter((item): item is Of<K> => item.kind === kind);
}

const DAY_SECONDS = 86_400;
/** Without what is damaged: it may tell of a person. */
const DAMAGED = 'what it belongs to is damaged at the centre; repair that, and this is sent again';

const ERASED = 'the person was erased later';

class Merge {
  readonly #parts: MergeDependencies;
  readonly #terms: MergeTerms;
  readonly #refuse: Refuse;
  /**
   * The moments of the erasures that the station is told of, since they refused something, or were cut: nobody can find an erasure by its
   * tag but the store.
   */
  readonly #moments: Set<Timestamp>;

  constructor(parts: MergeDependencies, terms: MergeTerms, refuse: Refuse, moments: Set<Timestamp>) {
    this.#parts = parts;
    this.#terms = terms;
    this.#refuse = refuse;
    this.#moments = moments;
  }

  async erase(items: readonly Of<'erasure'>[]): Promise<void> {
    if (items.length === 0) return;
    const { erasures, timekeeper } = this.#parts;
    // Under a clock that may be wrong nothing lies in the future.
    const now = timekeeper.trust().isTrusted ? timekeeper.now() : NEVER;
    // A clock that runs years ahead must not erase what comes for years.
    const expiresAt = toTimestamp(Math.min(now + ERASURE_KEPT_DAYS * DAY_SECONDS, NEVER));
    const latest = now + STAMP_MAX_AHEAD_MS / 1_000;
    const known = new Map((await erasures.list()).map(({ digest, until }) => [digest, until]));
    const all = items.map(({ erasure, cursor }) => {
      // One that comes again, since its answer was lost, ends where it did: later scans are of whoever has the tag since.
      const before = cursor <= this.#terms.acknowledged ? known.get(erasure.digest) : undefined;
      const until = earlier(erasure.until, before !== undefined && erasure.until > now ? before : now);
      // The station has to know where it ends, or would refuse the tag for as long as its clock was ahead.
      if (erasure.until > latest) this.#moments.add(until);
      return { ...erasure, until, expiresAt: earlier(erasure.expiresAt, expiresAt) };
    });
    await erasures.add(all, now);
    const erased = all.filter(({ digest, until }) => (known.get(digest) ?? -1) < until);
    await this.#terms.notes.note({ erasures: erased });
  }

  async record(items: readonly Of<'scan'>[]): Promise<void> {
    for (let start = 0; start < items.length; start += GROUP_SIZE) {
      await Promise.all(items.slice(start, start + GROUP_SIZE).map((item) => this.#record(item)));
    }
  }

  async #record(item: Of<'scan'>): Promise<void> {
    const { day, id, at } = item;
    if (!this.#isKept(item) || this.#isErased(item, item)) return;
    await this.#unlessDamaged(item, () => this.#parts.days.record(day, id, at, sourceOf(item)));
  }

  async mergeEntries(item: Of<'entries'>): Promise<void> {
    if (!this.#isKept(item)) return;
    const { days, erasures } = this.#parts;
    const entries: Entry[] = [];
    const last: Entry[] = [];
    let erasedUntil: Timestamp | undefined;
    for (const entry of item.entries) {
      const until = erasures.refusedUntil(entry.id);
      const left = afterErasure(entry, until);
      if (left === entry) entries.push(entry);
      else if (left === undefined) erasedUntil = until;
      // How many of its scans are later than the erasure, nobody knows; the last one is.
      else last.push(entry);
    }
    if (erasedUntil !== undefined) this.#refuseErased(item, erasedUntil);
    // All at once: who is erased from now on is erased behind them.
    await this.#unlessDamaged(item, () =>
      Promise.all([
        days.merge(item.day, entries),
        ...last.map((entry) => days.record(item.day, entry.id, entry.last)),
      ]),
    );
  }

  /** @returns What the tags have here instead. */
  async mergeNames(items: readonly Of<'name'>[]): Promise<readonly NameItem[]> {
    const { stamped } = this.#parts;
    if (items.length === 0) return [];
    const here = new Map((await stamped.get(items.map(({ id }) => id))).map((each) => [each.id, each]));
    // From here to the merge at once: who is erased from now on is erased behind it.
    const incoming: StampedName[] = [];
    const others: StampedName[] = [];
    for (const item of items) {
      const before = here.get(item.id);
      if (!this.#isNameWelcome(item)) others.push(before ?? nameless(item.id));
      else if (!this.#needsStamp(item)) incoming.push(toStampedName(item));
      // What was stamped on its arrival must not be stamped anew when it comes again: it may have been changed since.
      else if (item.cursor <= this.#terms.acknowledged && before !== undefined) others.push(before);
      else incoming.push({ ...toStampedName(item), stamp: this.#stampNow(item, before) });
    }
    const stayed = incoming.length === 0 ? [] : await stamped.merge(incoming);
    const changed = incoming.filter((name) => isOther(name, here.get(name.id)));
    await this.#terms.notes.note({ names: changed.length });
    return [...stayed, ...others].map(toNameItem);
  }

  async correct(items: readonly Of<'correction'>[]): Promise<void> {
    const found: MadeCorrection[] = [];
    for (const item of items) {
      const { correction, cursor } = item;
      const { day } = correction;
      if (!this.#isKept({ day, cursor }) || this.#isErased(item, correction)) continue;
      const listed = await this.#unlessDamaged(item, () => this.#parts.corrections.list(day, day));
      const known = listed?.find((each) => isSameCorrection(each, correction));
      // Damaged; or there, and to decide it is for somebody here.
      if (listed === undefined || known !== undefined) continue;
      const isForApproval = this.#parts.needsApproval === true;
      found.push({ item, correction: isForApproval ? undecided(correction) : correction });
    }
    // At once before they are written: who is erased from now on is erased behind them.
    const made = found.filter(({ item, correction }) => !this.#isErased(item, correction));
    if (made.length === 0) return;
    // Those that were not known, also if a later one cannot be written.
    const added: Correction[] = [];
    try {
      await this.#correctInto(added, made);
    } finally {
      await this.#terms.notes.note({ corrections: added });
    }
  }

  async #correctInto(added: Correction[], made: readonly MadeCorrection[]): Promise<void> {
    const { corrections } = this.#parts;
    try {
      added.push(...(await corrections.correct(made.map(({ correction }) => correction))));
      return;
    } catch (error) {
      if (!isOfOneItem(error)) throw error;
    }
    // All or none: so one by one, to find the one that cannot be.
    for (const { item, correction } of made) {
      if (this.#isErased(item, correction)) continue;
      const one = await this.#unlessDamaged(item, () => corrections.correct([correction]));
      added.push(...(one ?? []));
    }
  }

  /** Refuses an item that would go into a damaged row that can be repaired, or whose person another server has erased meanwhile. */
  async #unlessDamaged<T>(
    item: { readonly cursor: number },
    write: () => Promise<T>,
  ): Promise<T | undefined> {
    try {
      return await write();
    } catch (error) {
      if (!isOfOneItem(error)) throw error;
      if (error.code !== 'STORE_CORRUPT') this.#refuse(item, 'TAG_ERASED', ERASED);
      else if (this.#parts.isRepairable === true) this.#refuse(item, 'STORE_CORRUPT', DAMAGED);
      else throw error;
      return undefined;
    }
  }

  #isKept(item: { readonly cursor: number; readonly day: Day }): boolean {
    const { keepFrom } = this.#terms;
    if (keepFrom === undefined || item.day >= keepFrom) return true;
    this.#refuse(item, 'DAY_NOT_KEPT', `day ${item.day} is not kept here: the first one is ${keepFrom}`);
    return false;
  }

  #isErased(item: { readonly cursor: number }, { id, at }: Pick<ScanItem, 'id' | 'at'>): boolean {
    const until = this.#parts.erasures.refusedUntil(id);
    if (until === undefined || at > until) return false;
    this.#refuseErased(item, until);
    return true;
  }

  /** Whether a name is from after the erasure of its person, if there was one. Under a wrong clock nobody can tell. */
  #isNameWelcome(item: Of<'name'>): boolean {
    const until = this.#parts.erasures.refusedUntil(item.id);
    if (until === undefined || !isNameErased(this.#needsStamp(item) ? null : item.stamp, until)) return true;
    // A name that was taken away tells nothing of anybody.
    if (item.name !== null) this.#refuseErased(item, until);
    return false;
  }

  #refuseErased(item: { readonly cursor: number }, until: Timestamp): void {
    this.#moments.add(until);
    this.#refuse(item, 'TAG_ERASED', ERASED);
  }

  /** Whether nobody knew the time, or it was a wrong one. */
  #needsStamp({ stamp }: NameItem): boolean {
    if (stamp === null) return true;
    const { timekeeper } = this.#parts;
    return timekeeper.trust().isTrusted && stamp.ms > timekeeper.now() * 1_000 + STAMP_MAX_AHEAD_MS;
  }

  #stampNow({ stamp }: NameItem, before: StampedName | undefined): StampedName['stamp'] {
    const ms = this.#parts.timekeeper.now() * 1_000;
    // A wrong time does not make a change later than what is here; not to know it does.
    if (stamp !== null) return { ms, counter: 0, node: NOWHERE };
    return nextStamp(before?.stamp, { ms, node: NOWHERE });
  }
}

/** Whether an error says something of one item only: a row is damaged, or a person was erased a moment ago. */
function isOfOneItem(error: unknown): error is TallybookError {
  return isTallybookError(error, 'STORE_CORRUPT') || isTallybookError(error, 'INVALID_CORRECTION');
}

/** Whether a name that was merged has taken the place of another one. */
function isOther({ name, stamp }: StampedName, before: StampedName | undefined): boolean {
  if (before !== undefined && compareStamps(stamp, before.stamp) <= 0) return false;
  return name?.first !== before?.name?.first || name?.last !== before?.name?.last;
}

/** What is here of a tag of which nothing is kept. */
function nameless(id: TallyId): StampedName {
  return { id, name: undefined, stamp: NO_STAMP };
}

function undecided({ action, day, id, at, reason, author, madeAt }: NewCorrection): NewCorrection {
  return { action, day, id, at, reason, author, madeAt, state: 'pending' };
}

function earlier(one: Timestamp, other: Timestamp): Timestamp {
  return one < other ? one : other;
}

function sourceOf({ reader, filed }: ScanItem): Parameters<DayStore['record']>[3] {
  return reader === undefined ? undefined : { reader, ...(filed && { filed }) };
}
