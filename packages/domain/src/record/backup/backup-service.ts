import { partsOf, type DetailedEntry } from '../../values/record/known-scans.js';
import {
  BACKUP_VERSION,
  formatBackupLine,
  type BackupCounts,
  type BackupRecord,
  withoutZeros,
} from './backup.js';
import { BackupReader, checkBackup, countOf, noLines } from './backup-reader.js';
import { PastGuests } from './past-guests.js';
import { withMembers } from '../../with-members.js';
import { withoutErased } from '../erased-people.js';
import { eitherOf, type FindGuestLimit } from '../guest-limit.js';
import { ErasedRecords, type ErasureDependencies } from './erased-records.js';
import type { NewCorrection } from '../values/correction.js';
import type { Day } from '../../values/day.js';
import { isTallybookError, TallybookError } from '../../errors.js';
import type { CorrectionStore } from '../ports/correction-store.js';
import type { DayStore } from '../../ports/record/day-store.js';
import type { MappingStore, RestoreOutcome } from '../../ports/names/mapping-store.js';
import { mergePeople, type MergeOptions, type PeopleItem } from '../../people/merge-people.js';
import { isReservedTallyId } from '../../values/tally-id.js';
import type { ProvisionalStore } from '../../ports/record/provisional-store.js';
import type { Snapshot, SnapshotSource } from '../../ports/record/snapshot-source.js';
import type { Name } from '../../values/name.js';
import { partsOfTimeline } from '../../values/people/timeline.js';
import { NOWHERE } from '../../values/stamp.js';
import type { TallyId } from '../../values/tally-id.js';
import type { ProvisionalScan } from '../../values/record/provisional.js';

export interface BackupDependencies extends ErasureDependencies {
  /** Source of the data for a backup. */
  readonly snapshots: SnapshotSource;
  readonly mapping: MappingStore;
  /** The record without corrections: not a `CorrectedDayStore`. */
  readonly days: DayStore;
  /** Without one, backups that hold corrections are refused. */
  readonly corrections?: CorrectionStore;
  /** Without one, backups that hold provisional scans are refused. */
  readonly provisional?: ProvisionalStore;
}

/** Counts of an imported backup. */
export interface ImportCounts extends BackupCounts {
  /** Number of records that were left out because their person was erased; absent if 0. */
  readonly refused?: number;
}

/**
 * Names, entries and their scans written at a time during an import: many, so that a store can commit them together, but
 * limited, because one day can be as large as a whole backup.
 */
const WRITE_GROUP_SIZE = 256;
/** Entries of a timeline in a line: each has at most about 300 characters. */
const ENTRIES_OF_LINE = 50;

/** Exports all data of the stores as a backup, and imports backups. */
export class BackupService {
  readonly #parts: BackupDependencies;
  #guestLimit: FindGuestLimit | undefined;

  constructor(parts: BackupDependencies) {
    this.#parts = parts;
  }

  /** From now on, an import leaves out guests who are past a limit. */
  limitGuests(limit: FindGuestLimit): void {
    this.#guestLimit = limit;
  }

  /**
   * Everything as lines of JSON without line ends, as of the moment when the first line is read: the head, the erasures, the
   * groups, the persons, the timelines, the carried rows, the names of other tags ascending by id, the entries by day, the corrections, the provisional scans, and an end with their counts.
   *
   * Rejects as a {@link SnapshotSource} does. Without its last line a backup is invalid.
   */
  async *export(): AsyncGenerator<string, void, undefined> {
    await using snapshot = await this.#parts.snapshots.take();
    const counts = noLines();
    const { erasures, timekeeper } = this.#parts;
    const madeAt = timekeeper?.trust().isTrusted === true ? { madeAt: timekeeper.now() } : {};
    yield formatBackupLine({ kind: 'tallybook', version: BACKUP_VERSION, hasEnd: true, ...madeAt });
    // First, so that an import knows which records it must leave out.
    for (const erasure of (await erasures?.list()) ?? [])
      yield formatBackupLine({ kind: 'erasure', erasure });
    for await (const record of recordsOf(snapshot)) {
      counts[countOf[record.kind]]++;
      yield formatBackupLine(record);
    }
    yield formatBackupLine({ kind: 'end', counts: withoutZeros(counts) });
  }

  /**
   * Merges a backup into the stores. A name replaces the present name of its tag, and gets the time of the backup. Entries are
   * merged. Corrections are added unless they are present. Provisional scans are added after the present ones. All lines are
   * checked before the first write, so a bad line changes nothing. A second import of names, entries and corrections, also after
   * an interruption, changes nothing more. But a provisional scan that was filed since the backup was made is added again, and
   * may be filed a second time.
   *
   * Records of a person who was erased, here or before the backup was made, are left out, and so are those of guests who are past
   * their limit.
   *
   * @param read Gives all lines, without line ends, at each call. It is called twice.
   * @returns The counts of the records in the backup, and of those that were left out, if any.
   * @throws {TallybookError} `INVALID_BACKUP` naming the first bad line; and as the stores reject.
   */
  async import(read: () => AsyncIterable<string>): Promise<ImportCounts> {
    const { people } = this.#parts;
    const limit = this.#guestLimit?.();
    const past = people && limit && new PastGuests(people, limit);
    const counts = await checkBackup(read(), (record) => past?.look(record));
    const { persons = 0, tags = 0, groups = 0, carried = 0 } = counts;
    requireStore(counts.corrections, this.#parts.corrections, 'corrections');
    requireStore(persons + tags + groups + carried, people, 'persons, groups or carried rows');
    requireStore(counts.provisional, this.#parts.provisional, 'provisional scans');
    await past?.settle();
    return this.#write(read(), past);
  }

  async #write(lines: AsyncIterable<string>, past: PastGuests | undefined): Promise<ImportCounts> {
    const { mapping, people, days, corrections, provisional } = this.#parts;
    const reader = new BackupReader();
    const stored = this.#parts.erasures;
    const erasures = stored && past ? withMembers(stored, eitherOf(stored, past)) : stored;
    const erased = new ErasedRecords({ ...this.#parts, ...(erasures && { erasures }) });
    // Reading the list shows new erasures by other servers.
    const writes = new WriteGroups(async () => void (await erasures?.list()));
    let group: { readonly day: Day; readonly entries: DetailedEntry[]; size: number } | undefined;
    const mergeGroup = async (): Promise<void> => {
      const { day, entries, size } = group ?? {};
      if (day === undefined || entries === undefined || size === undefined) return;
      await writes.add(size, async () => {
        const left = entries.flatMap((entry) => erased.siftAgain({ kind: 'entry', day, entry })?.entry ?? []);
        if (left.length === 0) return;
        await days.merge(day, left);
      });
    };
    const sift: MergeOptions['sift'] = (item, isNamed) =>
      people === undefined || erasures === undefined
        ? item
        : withoutErased(item, { people, erasures }, isNamed);
    let merged: Extract<BackupRecord, PeopleItem>[] = [];
    const merge = async (): Promise<void> => {
      if (people === undefined || merged.length === 0) return;
      await erasures?.list();
      const items = merged.flatMap((item) => erased.siftAgain(item) ?? []);
      merged = [];
      await mergePeople(people, items, { sift });
    };
    let made: NewCorrection[] = [];
    // One group after another, because their order counts.
    const correct = async (refusal?: TallybookError): Promise<void> => {
      await erasures?.list();
      const group = made.filter((correction) => erased.siftAgain({ kind: 'correction', correction }));
      if (refusal !== undefined && group.length === made.length) throw refusal;
      made = [];
      if (group.length === 0 || corrections === undefined) return;
      try {
        await corrections.correct(group);
      } catch (error) {
        if (!isTallybookError(error, 'INVALID_CORRECTION')) throw error;
        // An erasure by the centre or another server is newer than the list.
        made = group;
        await correct(error);
      }
    };
    const restoreName = async (id: TallyId, name: Name): Promise<RestoreOutcome> => {
      try {
        return await mapping.restore(id, name, erased.madeAt);
      } catch (error) {
        if (people === undefined || !isTallybookError(error, 'TAG_HAS_TIMELINE')) throw error;
        // The name is that of the implicit person of the tag, and not of its present holder.
        const stamp = erased.madeAt && { ms: erased.madeAt * 1_000, counter: 0, node: NOWHERE };
        await mergePeople(people, [{ kind: 'name', name: { id, name, stamp } }], { sift });
        return 'replaced';
      }
    };
    for await (const line of lines) {
      const record = await erased.sift(reader.read(line));
      if (record === undefined) continue;
      if (record.kind === 'name') {
        const { id, name } = record;
        await writes.add(1, async () => {
          if (erased.siftAgain(record) === undefined) return;
          if ((await restoreName(id, name)) === 'erased') erased.refused++;
        });
      } else if (isPeopleItem(record) && people !== undefined) {
        merged.push(record);
        if (merged.length >= WRITE_GROUP_SIZE) await merge();
      } else if (record.kind === 'entry') {
        if (group?.day !== record.day || group.size >= WRITE_GROUP_SIZE) {
          await mergeGroup();
          group = { day: record.day, entries: [], size: 0 };
        }
        group.entries.push(record.entry);
        group.size += 1 + (record.entry.scans?.length ?? 0);
      } else if (record.kind === 'correction' && corrections !== undefined) {
        made.push(record.correction);
        if (made.length >= WRITE_GROUP_SIZE) await correct();
      } else if (record.kind === 'provisional' && provisional !== undefined) {
        if (erased.siftAgain(record) === undefined) continue;
        // One after another, because their order counts.
        await restoreScan(provisional, record.scan);
      }
    }
    await merge();
    await mergeGroup();
    await writes.flush();
    await correct();
    return { ...reader.finish(), ...(erased.refused > 0 && { refused: erased.refused }) };
  }
}

function requireStore(count: number, store: object | undefined, what: string): void {
  if (count === 0 || store !== undefined) return;
  throw new TallybookError('INVALID_BACKUP', `the backup has ${what}, and there is no store for them here`);
}

/** The counted records of a backup, in their order. */
async function* recordsOf(
  snapshot: Snapshot,
): AsyncGenerator<Extract<BackupRecord, { readonly kind: keyof typeof countOf }>, void, undefined> {
  for await (const group of snapshot.groups()) yield { kind: 'group', group };
  for await (const person of snapshot.persons()) yield { kind: 'person', person };
  const ofPersons = new Set<TallyId>();
  for await (const whole of snapshot.timelines()) {
    ofPersons.add(whole.tag);
    for (const timeline of partsOfTimeline(whole, ENTRIES_OF_LINE)) yield { kind: 'tag', timeline };
  }
  for await (const row of snapshot.carried()) yield { kind: 'carried', row };
  for await (const [id, name] of snapshot.names()) {
    // The names of other tags follow from persons.
    if (!ofPersons.has(id) && !isReservedTallyId(id)) yield { kind: 'name', id, name };
  }
  for await (const { day, entries } of snapshot.details())
    for (const whole of entries) for (const entry of partsOf(whole)) yield { kind: 'entry', day, entry };
  for await (const correction of snapshot.corrections()) yield { kind: 'correction', correction };
  for await (const scan of snapshot.provisional()) yield { kind: 'provisional', scan };
}

function isPeopleItem(record: BackupRecord): record is Extract<BackupRecord, PeopleItem> {
  return ['person', 'tag', 'group', 'carried'].includes(record.kind);
}

async function restoreScan(
  store: ProvisionalStore,
  { filing, ...scan }: Omit<ProvisionalScan, 'sequence'>,
): Promise<void> {
  const sequence = await store.add(scan);
  if (filing !== undefined) await store.settle(sequence, filing);
}

/**
 * Joins lines, each with a line end, into chunks of about 64 KiB: passing on single lines takes longer than writing them.
 */
export async function* joinLines(lines: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let text = '';
  for await (const line of lines) {
    text += `${line}\n`;
    if (text.length >= CHUNK_LENGTH) {
      yield text;
      text = '';
    }
  }
  if (text !== '') yield text;
}

const CHUNK_LENGTH = 65_536;

/** Runs writes in groups, one group after another. */
class WriteGroups {
  readonly #refresh: () => Promise<void>;
  #writes: (() => Promise<void>)[] = [];
  #size = 0;

  /** @param refresh Called before each group: reads new erasures. */
  constructor(refresh: () => Promise<void>) {
    this.#refresh = refresh;
  }

  /** @param size Number of names, or of entries and scans, in this write. */
  async add(size: number, write: () => Promise<void>): Promise<void> {
    this.#writes.push(write);
    this.#size += size;
    if (this.#size >= WRITE_GROUP_SIZE) await this.flush();
  }

  async flush(): Promise<void> {
    const writes = this.#writes;
    this.#writes = [];
    this.#size = 0;
    if (writes.length === 0) return;
    await this.#refresh();
    await Promise.all(writes.map((write) => write()));
  }
}
