import type { Change } from '@tallybook/domain';
import type { ConsumerPosition } from '@tallybook/domain/record';
import { damagedRow, encodeSequence } from './codec.js';
import { type KeyRange, positionKey } from './keys.js';
import type { Batch, RawLevel } from '../level/raw-level.js';
import { seal, unseal } from './seal.js';

/** A row. `value` is `undefined` if there is no such row. */
export interface Row {
  readonly key: Buffer;
  readonly value: Buffer | undefined;
  /** Whether the row is damaged: then `value` only shows that there is a row. */
  readonly isDamaged?: boolean;
}

/** A row with its sealed value, for LevelDB. */
export interface SealedRow {
  readonly key: Buffer;
  readonly sealed: Buffer;
}

/** Rows by {@link rowName}. */
export type RowMap = Map<string, Row>;

/** A key as the key of a `Map`: one character for each byte. */
export function rowName(key: Buffer): string {
  return key.toString('latin1');
}

/** Makes a row from a key and a sealed value of LevelDB. */
export function toRow(key: Buffer, sealed: Buffer | undefined): Row {
  if (sealed === undefined) return { key, value: undefined };
  try {
    return { key, value: unseal(key, sealed) };
  } catch {
    return { key, value: sealed, isDamaged: true };
  }
}

/** Seals and writes rows, and deletes rows without a value: all or none, synced. */
export async function writeRows(level: RawLevel, rows: readonly Row[]): Promise<void> {
  // Row by row: Level copies a list of operations, and then reads each field by its name, which takes four times as long.
  const batch = level.batch();
  for (const row of rows) addRow(batch, row);
  await batch.write({ sync: true });
}

/** Bytes of a row in LevelDB's log in addition to key and value: the kind of the change, and both lengths. */
const ROW_BYTES = 3;

/**
 * Seals a row and adds it to a batch; adds its deletion if it has no value.
 *
 * @returns About how many bytes it takes in LevelDB's log.
 */
export function addRow(batch: Batch, { key, value }: Row): number {
  if (value !== undefined) return addSealed(batch, { key, sealed: seal(key, value) });
  batch.del(key);
  return ROW_BYTES + key.length;
}

/** Adds a sealed row to a batch. Returns about how many bytes it takes in LevelDB's log. */
export function addSealed(batch: Batch, { key, sealed }: SealedRow): number {
  batch.put(key, sealed);
  return ROW_BYTES + key.length + sealed.length;
}

/** The rows that one write decides on, in the state after the writes before it, and the changes that the write makes. */
export class Rows {
  /** Changed rows. Putting the present value is no change, nor is deleting a missing row. */
  readonly changes: RowMap = new Map();
  /** New rows that no write looks up. */
  readonly added: SealedRow[] = [];
  /** Changes for the journal. */
  readonly told: Change[] = [];
  /** Subjects of `Revisions` that get another revision if anything has changed. */
  readonly touched: string[] = [];
  readonly #before: ReadonlyMap<string, Row>;

  constructor(before: ReadonlyMap<string, Row>) {
    this.#before = before;
  }

  get hasChanged(): boolean {
    return this.changes.size > 0 || this.added.length > 0;
  }

  /**
   * @throws {RangeError} if the write did not announce the key: a mistake in the program.
   * @throws {TallybookError} `STORE_CORRUPT` if the row is damaged.
   */
  get(key: Buffer): Buffer | undefined {
    const row = this.#announced(key);
    if (row.isDamaged === true) throw damagedRow(key);
    return row.value;
  }

  /** Whether there is a row, damaged or not: a damaged one can be replaced and deleted. */
  has(key: Buffer): boolean {
    return this.#announced(key).value !== undefined;
  }

  /** Returns whether that changes anything. */
  put(key: Buffer, value: Buffer): boolean {
    const name = rowName(key);
    const row = this.#find(name);
    const isChange = row?.isDamaged === true || row?.value?.equals(value) !== true;
    if (isChange) this.changes.set(name, { key, value });
    return isChange;
  }

  /** Adds a row that is not there yet, and that no write of the same group reads: it is neither announced nor looked up. */
  add(row: SealedRow): void {
    this.added.push(row);
  }

  /** Returns whether that changes anything. */
  delete(key: Buffer): boolean {
    const isChange = this.has(key);
    if (isChange) this.changes.set(rowName(key), { key, value: undefined });
    return isChange;
  }

  /** Deletes the rows of a range, which the write must have announced. */
  deleteRange(range: KeyRange): void {
    for (const { key } of this.within(range)) this.changes.set(rowName(key), { key, value: undefined });
  }

  /** The rows of a range, which the write must have announced, in no order. */
  within({ gte, lt }: KeyRange): readonly Row[] {
    return [...new Map([...this.#before, ...this.changes]).values()].filter(
      ({ key, value }) => value !== undefined && key.compare(gte) >= 0 && key.compare(lt) < 0,
    );
  }

  /** Adds a change to the journal, in the same batch. */
  tell(change: Change): void {
    this.told.push(change);
  }

  /** Gives a subject another revision, if this write changes anything. */
  touch(subject: string): void {
    this.touched.push(subject);
  }

  #announced(key: Buffer): Row {
    const row = this.#find(rowName(key));
    if (row === undefined) throw new RangeError(`the write did not announce the key ${key.toString('hex')}`);
    return row;
  }

  #find(name: string): Row | undefined {
    return this.changes.get(name) ?? this.#before.get(name);
  }
}

/** The row that keeps a position. */
export const positionRow = ({ consumer, cursor }: ConsumerPosition): Row & { readonly value: Buffer } => ({
  key: positionKey(consumer),
  value: encodeSequence(cursor),
});
