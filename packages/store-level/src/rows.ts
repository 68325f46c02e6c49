import type { KeyRange } from './keys.js';

/** A row, or with no value the fact that there is none. */
export interface Row {
  readonly key: Buffer;
  readonly value: Buffer | undefined;
}

/** Rows by {@link rowName}. */
export type RowMap = Map<string, Row>;

/** A key as the key of a `Map`: one character for each byte. */
export function rowName(key: Buffer): string {
  return key.toString('latin1');
}

/** The rows that one write decides on, as the writes before it leave them, and what it does to them. */
export class Rows {
  /** What differs from before: putting the value that a row has, or deleting none, is no change. */
  readonly changes: RowMap = new Map();
  readonly #before: ReadonlyMap<string, Row>;

  constructor(before: ReadonlyMap<string, Row>) {
    this.#before = before;
  }

  get hasChanged(): boolean {
    return this.changes.size > 0;
  }

  /** @throws {RangeError} if the write did not announce the key: a mistake in the program. */
  get(key: Buffer): Buffer | undefined {
    const row = this.#find(key);
    if (row === undefined) throw new RangeError(`the write did not announce the key ${key.toString('hex')}`);
    return row.value;
  }

  put(key: Buffer, value: Buffer): void {
    if (this.#find(key)?.value?.equals(value) !== true) this.changes.set(rowName(key), { key, value });
  }

  delete(key: Buffer): void {
    if (this.get(key) !== undefined) this.changes.set(rowName(key), { key, value: undefined });
  }

  /** Deletes the rows of a range, which the write must have announced. */
  deleteRange({ gte, lt }: KeyRange): void {
    for (const [name, { key, value }] of [...this.#before, ...this.changes]) {
      if (value !== undefined && key.compare(gte) >= 0 && key.compare(lt) < 0) {
        this.changes.set(name, { key, value: undefined });
      }
    }
  }

  #find(key: Buffer): Row | undefined {
    const name = rowName(key);
    return this.changes.get(name) ?? this.#before.get(name);
  }
}
