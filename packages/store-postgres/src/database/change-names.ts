import { isSameName, isTallybookError, type Name, type TallyId } from '@tallybook/domain';
import { type ErasureIndex, type KeptErasure } from '@tallybook/domain/record';
import { compareStamps, NO_STAMP, type Stamp, type StampedName } from '@tallybook/domain';
import type { Statement } from '../connection/session.js';
import { bytesOfId, idOfBytes } from '../rows/stored-values.js';
import { toName, hasName, selectStampedNames, stampOf, type StampedNameRow } from '../rows/name-rows.js';
import type { PostgresDatabase } from './postgres-database.js';
import type { Transaction } from './transaction.js';

/** $1: site; of each name: $2: id, $3: first, $4: last, $5 to $7: stamp. */
const upsertNames: Statement = {
  name: 'put-names',
  text: `INSERT INTO tallybook.name (site, id, first, last, stamp_ms, stamp_counter, stamp_node)
    SELECT $1, t.id, t.first, t.last, t.ms, t.counter, t.node
    FROM unnest($2::bytea[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::text[])
      AS t (id, first, last, ms, counter, node)
    ON CONFLICT (site, id) DO UPDATE SET first = excluded.first, last = excluded.last,
      stamp_ms = excluded.stamp_ms, stamp_counter = excluded.stamp_counter, stamp_node = excluded.stamp_node`,
};

/** What one call does with names. */
interface NameWork<T> {
  /** All tags that the work asks for. */
  readonly ids: readonly TallyId[];
  /** @param node The node of new stamps. */
  readonly work: (names: KnownNames, node: string) => T;
}

/** Rows that are changed with a name: its own, and one of the journal. */
const ROWS_OF_A_NAME = 2;

/** Works on the names of some tags in one transaction, as an operation of a facet. */
export function workOnNames<T>(
  database: PostgresDatabase,
  ids: readonly TallyId[],
  work: NameWork<T>['work'],
): Promise<T> {
  const rows = ROWS_OF_A_NAME * ids.length;
  return database.run(() => database.submit(workAll, { ids, work }, rows)) as Promise<T>;
}

async function workAll(
  transaction: Transaction,
  items: readonly NameWork<unknown>[],
): Promise<readonly unknown[]> {
  const ids = items.flatMap((item) => item.ids);
  const names = await KnownNames.read(transaction, ids);
  const results = items.map(({ work }) => work(names, transaction.row.origin));
  await names.write();
  return results;
}

/** A name of a tag, or its removal. */
interface KnownName extends StampedName {
  /** Also if it is damaged: then it has no `name`, and is replaced like any other. */
  readonly hasName: boolean;
}

/** The names as they were before a transaction, with its changes. */
class KnownNames {
  /** The erased tags: another server may have erased one meanwhile. */
  readonly erased: ErasureIndex<KeptErasure>;
  readonly #transaction: Transaction;
  readonly #known: Map<TallyId, KnownName>;
  readonly #changed = new Map<TallyId, StampedName>();

  private constructor(
    transaction: Transaction,
    erased: ErasureIndex<KeptErasure>,
    known: Map<TallyId, KnownName>,
  ) {
    this.#transaction = transaction;
    this.erased = erased;
    this.#known = known;
  }

  static async read(transaction: Transaction, ids: readonly TallyId[]): Promise<KnownNames> {
    const erased = await transaction.erasures();
    if (ids.length === 0) return new KnownNames(transaction, erased, new Map());
    const rows = await transaction.rows<StampedNameRow>(selectStampedNames, [...new Set(ids)].map(bytesOfId));
    const known = new Map(rows.map((row) => [idOfBytes(row.id), toKnown(row)]));
    return new KnownNames(transaction, erased, known);
  }

  find(id: TallyId): KnownName | undefined {
    return this.#known.get(id);
  }

  put(name: StampedName): void {
    const { id } = name;
    this.#tell(id, name.name);
    this.#known.set(id, { ...name, hasName: name.name !== undefined });
    this.#changed.set(id, name);
  }

  /** Writes the changed names. */
  async write(): Promise<void> {
    const put = [...this.#changed.values()];
    if (put.length === 0) return;
    await this.#transaction.write(
      upsertNames,
      put.map(({ id }) => bytesOfId(id)),
      put.map(({ name }) => name?.first ?? null),
      put.map(({ name }) => name?.last ?? null),
      ...stampColumns(put.map(({ stamp }) => stamp)),
    );
  }

  /** Adds a change to the journal, if the name becomes another one. */
  #tell(id: TallyId, name: Name | undefined): void {
    const former = this.#known.get(id);
    const hadName = former?.hasName === true;
    if (hadName ? former.name !== undefined && isSameName(former.name, name) : name === undefined) return;
    const action = name === undefined ? 'removed' : hadName ? 'replaced' : 'added';
    this.#transaction.tell({ kind: 'name', id, action });
    this.#transaction.touch('names');
  }
}

function toKnown(row: StampedNameRow): KnownName {
  const known = { id: idOfBytes(row.id), stamp: stampOf(row) };
  if (!hasName(row)) return { ...known, name: undefined, hasName: false };
  try {
    return { ...known, name: toName(row), hasName: true };
  } catch (error) {
    if (isTallybookError(error, 'STORE_CORRUPT')) return { ...known, name: undefined, hasName: true };
    throw error;
  }
}

/** Milliseconds, counters and nodes: see `StampedNameRow`. */
function stampColumns(
  stamps: readonly (Stamp | undefined)[],
): readonly (readonly (number | string | null)[])[] {
  const kept = stamps.map((stamp) => (isNoStamp(stamp) ? undefined : stamp));
  return [
    kept.map((stamp) => stamp?.ms ?? null),
    kept.map((stamp) => stamp?.counter ?? null),
    stamps.map((stamp) => (isNoStamp(stamp) ? null : (stamp?.node ?? ''))),
  ];
}

function isNoStamp(stamp: Stamp | undefined): boolean {
  return stamp !== undefined && compareStamps(stamp, NO_STAMP) === 0;
}
