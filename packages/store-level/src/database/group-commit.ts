import { setImmediate as endOfTurn } from 'node:timers/promises';
import { isTallybookError, type Change, type Cursor, type JournalBounds } from '@tallybook/domain';
import { isChangeKey, type KeyRange } from '../rows/keys.js';
import { auditHeadKey } from '../rows/service/service-keys.js';
import { toWriteError } from '../level/level-errors.js';
import type { LevelHandle } from './level-handle.js';
import type { CountedLevel } from './counted-level.js';
import type { Revisions } from './revisions.js';
import { rowName, Rows, toRow, type RowMap, type SealedRow, positionRow } from '../rows/rows.js';

/** A write that depends on the present rows. */
export interface Write<T> {
  /** Keys of the rows that it decides on. */
  readonly keys: readonly Buffer[];
  /** Ranges of rows that it decides on. */
  readonly ranges?: readonly KeyRange[];
  /** Decides, at once. If it throws, nothing of this write is kept and the others go on. */
  readonly decide: (rows: Rows) => T;
}

/** A write that deletes rows. */
export function deletionOf(keys: readonly Buffer[]): Write<void> {
  return {
    keys,
    decide: (rows) => {
      for (const key of keys) rows.delete(key);
    },
  };
}

/** Most keys of a group of several writes: they bound its memory. */
const GROUP_KEYS_MAX = 4_096;

/** Turns of the event loop before the next group begins: clients that were just answered ask again, and join it. */
const TURNS_TO_JOIN = 3;

/** Up to so many keys are looked up on this thread: that takes less time than handing them to another one. */
const KEYS_AT_ONCE = 64;

const auditHead = rowName(auditHeadKey);

interface JournalOptions extends JournalBounds {
  /** The present time, in seconds since 1970. */
  readonly now: () => number;
}

interface WaitingWrite {
  readonly keys: readonly Buffer[];
  readonly ranges: readonly KeyRange[];
  /** Decides, and returns how to acknowledge. */
  readonly decide: (rows: Rows) => () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The only writer of a LevelDB: decides writes one after another, in the order of the calls, and makes those that
 * wait while one batch is being synced to the disk the next batch.
 *
 * ```
 * submit -> waiting -> [ look up rows -> decide, decide, … -> one synced batch ] -> acknowledge all
 * ```
 *
 * A write is acknowledged when it, and all that it saw of others, would survive a power cut. If the batch fails,
 * all writes of the group reject, also those that had nothing to change.
 */
export class GroupCommit {
  readonly #handle: LevelHandle;
  readonly #journal: JournalOptions;
  readonly #waiting: WaitingWrite[] = [];
  readonly #alone: (() => Promise<void>)[] = [];
  #isRunning = false;

  constructor(handle: LevelHandle, journal: JournalOptions) {
    this.#handle = handle;
    this.#journal = journal;
  }

  submit<T>({ keys, ranges = [], decide }: Write<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const decideLater = (rows: Rows): (() => void) => {
        const result = decide(rows);
        return () => resolve(result);
      };
      this.#waiting.push({ keys, ranges, decide: decideLater, reject });
      if (!this.#isRunning) void this.#run();
    });
  }

  /** Does work while nothing is being written. Rejects as the work does. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#alone.push(() => work().then(resolve, reject));
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    // Lets the writes that are called at the same time join the group.
    await Promise.resolve();
    while (this.#waiting.length > 0 || this.#alone.length > 0) {
      for (let work = this.#alone.shift(); work !== undefined; work = this.#alone.shift()) await work();
      if (this.#waiting.length > 0) await this.#commit(this.#nextGroup());
      // Requests that arrive in these turns join the group: a batch costs more than a row in it.
      for (let turn = 0; turn < TURNS_TO_JOIN && this.#waiting.length > 0; turn++) await endOfTurn();
    }
    this.#isRunning = false;
  }

  #nextGroup(): WaitingWrite[] {
    let keys = 0;
    const end = this.#waiting.findIndex((write, index) => {
      // A range may hold any number of rows, so a write that has one makes a group of its own.
      keys += write.ranges.length > 0 ? GROUP_KEYS_MAX : write.keys.length;
      return index > 0 && keys > GROUP_KEYS_MAX;
    });
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }

  async #commit(group: readonly WaitingWrite[]): Promise<void> {
    let level: CountedLevel;
    try {
      level = await this.#handle.writable();
    } catch (error) {
      this.#fail(group, error);
      return;
    }
    let rows: RowMap;
    try {
      rows = await lookUp(level, group);
    } catch (error) {
      // One damaged row fails the whole look-up. Each write by itself shows which one needs that row.
      if (group.length > 1) for (const write of group) await this.#commit([write]);
      else rejectAll(group, await this.#handle.explain(error));
      return;
    }
    const { decided, refused, settles, ...effects } = decideAll(group, rows, this.#handle.revisions);
    const { changes, added, told } = effects;
    for (const { reject, error } of refused) reject(await this.#explain(error));
    try {
      if (changes.size > 0 || added.length > 0) await this.#write(level, effects);
    } catch (error) {
      this.#handle.distrust();
      this.#fail(decided, error);
      return;
    } finally {
      for (const settle of settles.values()) settle();
    }
    for (const { acknowledge } of decided) acknowledge();
    if (told.length > 0) this.#handle.appended.emit();
  }

  /** Writes changed rows, their changes in the journal, and positions of consumers: all or none. */
  async #write(level: CountedLevel, { changes, added, told }: Effects): Promise<void> {
    const now = this.#journal.now();
    const isDue = told.length > 0 && level.journal.isDue(this.#journal, now);
    // A group that deletes changes itself leaves this to the next one.
    const expired = isDue && !deletesChanges(changes) ? await this.#findExpired(level, now, told.length) : [];
    const addition = level.journal.add(told, changes.values(), { expired, now });
    const positions = this.#handle.positions.unwritten();
    await level.commit([...changes.values(), ...addition.rows, ...positions.map(positionRow)], added);
    level.journal.take(addition);
    level.auditHead = changes.get(auditHead) ?? level.auditHead;
    this.#handle.positions.settle(positions);
    this.#handle.noteWrite();
  }

  #fail(writes: readonly Pick<WaitingWrite, 'reject'>[], error: unknown): void {
    const failure = toWriteError(this.#handle.path, error);
    this.#handle.noteWrite(failure);
    rejectAll(writes, failure);
  }

  /** Damage among the oldest changes is no reason not to write a new one. */
  async #findExpired(level: CountedLevel, now: number, added: number): Promise<readonly Cursor[]> {
    try {
      return await level.journal.findExpired(level.raw, this.#journal, now, added);
    } catch (error) {
      await this.#handle.explain(error);
      return [];
    }
  }

  /** A decision fails because of a damaged row, or by a mistake in the program. */
  async #explain(error: unknown): Promise<unknown> {
    return isTallybookError(error, 'STORE_CORRUPT') ? await this.#handle.explain(error) : error;
  }
}

interface DecidedWrite {
  readonly acknowledge: () => void;
  readonly reject: (error: unknown) => void;
}

interface RefusedWrite {
  readonly reject: (error: unknown) => void;
  readonly error: unknown;
}

/** What the writes of a group do. */
interface Effects {
  readonly changes: RowMap;
  readonly added: readonly SealedRow[];
  readonly told: readonly Change[];
}

interface Decisions extends Effects {
  readonly decided: readonly DecidedWrite[];
  readonly refused: readonly RefusedWrite[];
  /** By subject: ends a change of {@link Revisions}. */
  readonly settles: ReadonlyMap<string, () => void>;
}

async function lookUp(
  { raw, auditHead: head }: CountedLevel,
  group: readonly WaitingWrite[],
): Promise<RowMap> {
  const rows: RowMap = new Map();
  const wanted = new Map<string, Buffer>();
  for (const { keys, ranges } of group) {
    for (const range of ranges) {
      for (const [key, value] of await raw.iterator(range).all()) rows.set(rowName(key), toRow(key, value));
    }
    for (const key of keys) {
      const name = rowName(key);
      if (name === auditHead && head !== undefined) rows.set(name, head);
      else wanted.set(name, key);
    }
  }
  if (wanted.size <= KEYS_AT_ONCE) {
    for (const [name, key] of wanted) rows.set(name, toRow(key, raw.getSync(key)));
  } else {
    const values = await raw.getMany([...wanted.values()]);
    let index = 0;
    for (const [name, key] of wanted) rows.set(name, toRow(key, values[index++]));
  }
  return rows;
}

/** Decides each write on the rows and revisions as the ones before it leave them. One that throws is refused. */
function decideAll(group: readonly WaitingWrite[], rows: RowMap, revisions: Revisions): Decisions {
  const decided: DecidedWrite[] = [];
  const refused: RefusedWrite[] = [];
  const changes: RowMap = new Map();
  const added: SealedRow[] = [];
  const told: Change[] = [];
  const settles = new Map<string, () => void>();
  for (const { decide, reject } of group) {
    const view = new Rows(rows);
    try {
      decided.push({ acknowledge: decide(view), reject });
    } catch (error) {
      refused.push({ reject, error });
      continue;
    }
    for (const [name, row] of view.changes) {
      rows.set(name, row);
      changes.set(name, row);
    }
    for (const row of view.added) added.push(row);
    for (const change of view.told) told.push(change);
    if (!view.hasChanged) continue;
    for (const subject of view.touched) {
      if (!settles.has(subject)) settles.set(subject, revisions.begin(subject));
    }
  }
  return { decided, refused, changes, added, told, settles };
}

function deletesChanges(changes: RowMap): boolean {
  for (const { key } of changes.values()) if (isChangeKey(key)) return true;
  return false;
}

function rejectAll(writes: readonly Pick<WaitingWrite, 'reject'>[], error: unknown): void {
  for (const { reject } of writes) reject(error);
}
