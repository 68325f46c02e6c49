import {
  isReservedTallyId,
  isSameName,
  isTallybookError,
  TallybookError,
  type Name,
  type TallyId,
} from '@tallybook/domain';
import { type ErasureIndex, type KeptErasure } from '@tallybook/domain/record';
import { compareStamps, NO_STAMP, type Stamp, type StampedName } from '@tallybook/domain';
import { bytesOfId, idOfBytes } from '../rows/stored-values.js';
import { toName, hasName, stampedColumns, stampOf, type StampedNameRow } from '../rows/name-rows.js';
import type { PostgresDatabase } from './postgres-database.js';
import type { Transaction } from './transaction.js';

/** $1: site; of each name: $2: id, $3: first, $4: last, $5 to $7: stamp. */
const upsertNames = `INSERT INTO tallybook.name (site, id, first, last, stamp_ms, stamp_counter, stamp_node)
  SELECT $1, t.id, t.first, t.last, t.ms, t.counter, t.node
  FROM unnest($2::bytea[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::text[])
    AS t (id, first, last, ms, counter, node)
  ON CONFLICT (site, id) DO UPDATE SET first = excluded.first, last = excluded.last,
    stamp_ms = excluded.stamp_ms, stamp_counter = excluded.stamp_counter, stamp_node = excluded.stamp_node`;

/** $1: site, $2: ids. */
const deleteNames = 'DELETE FROM tallybook.name WHERE site = $1 AND id = ANY ($2::bytea[])';

/** The names of some tags, and which of these tags have a timeline. $1: site, $2: ids. */
const selectNames = `SELECT t.id, n.id IS NOT NULL AS "isKnown", h.id IS NOT NULL AS "isHeld", ${stampedColumns}
  FROM unnest($2::bytea[]) AS t (id)
  LEFT JOIN tallybook.name n ON n.site = $1 AND n.id = t.id
  LEFT JOIN tallybook.tag h ON h.site = $1 AND h.id = t.id
  WHERE n.id IS NOT NULL OR h.id IS NOT NULL`;

interface TagRow extends StampedNameRow {
  /** Whether the tag has a row in `tallybook.name`. */
  readonly isKnown: boolean;
  readonly isHeld: boolean;
}

/** Names in a transaction, in the state after its earlier writes. */
type Names = Pick<KnownNames, 'erased' | 'find' | 'put'>;

/** What one call does with names. */
interface NameWork<T> {
  /** All tags that the work asks for. */
  readonly ids: readonly TallyId[];
  /** @param node The node of new stamps. */
  readonly work: (names: Names, node: string) => T;
}

/** Rows that are changed with a name: its own, and one of the journal. */
const ROWS_OF_A_NAME = 2;

/** The names of these tags follow from their timelines. It is a result, because other works of its transaction must not fail. */
const HELD = Symbol('held');

/**
 * Works on the names of some tags in one transaction, as an operation of a facet.
 *
 * Rejects with `TAG_HAS_TIMELINE` if it would write a name that follows from a timeline.
 */
export async function workOnNames<T>(
  database: PostgresDatabase,
  ids: readonly TallyId[],
  work: NameWork<T>['work'],
): Promise<T> {
  const rows = ROWS_OF_A_NAME * ids.length;
  const result = await database.run(() => database.submit(workAll, { ids, work }, rows));
  if (result !== HELD) return result as T;
  throw new TallybookError('TAG_HAS_TIMELINE', 'the name of a tag with a timeline is that of its holder');
}

async function workAll(
  transaction: Transaction,
  items: readonly NameWork<unknown>[],
): Promise<readonly unknown[]> {
  const ids = items.flatMap((item) => item.ids);
  const names = await KnownNames.read(transaction, ids);
  const { origin } = transaction.row;
  const results = items.map((item) => (namesHeldTag(names, item, origin) ? HELD : item.work(names, origin)));
  await names.write();
  return results;
}

/** Whether a work would write the name of a tag that has a timeline. */
function namesHeldTag(names: KnownNames, { ids, work }: NameWork<unknown>, node: string): boolean {
  if (!ids.some((id) => names.isHeld(id))) return false;
  let isHeld = false;
  const put = ({ id }: StampedName): void => {
    isHeld ||= names.isHeld(id);
  };
  work({ erased: names.erased, find: (id) => names.find(id), put }, node);
  return isHeld;
}

/** A name of a tag, or its removal. */
interface KnownName extends StampedName {
  /** Also if it is damaged: then it has no `name`, and is replaced like any other. */
  readonly hasName: boolean;
}

/** The names as they were before a transaction, with its changes. */
export class KnownNames {
  /** The erased tags: another server may have erased one meanwhile. */
  readonly erased: ErasureIndex<KeptErasure>;
  readonly #transaction: Transaction;
  readonly #known: Map<TallyId, KnownName>;
  readonly #held: ReadonlySet<TallyId>;
  /** `undefined`: the row is deleted. */
  readonly #changed = new Map<TallyId, StampedName | undefined>();

  private constructor(
    transaction: Transaction,
    erased: ErasureIndex<KeptErasure>,
    known: Map<TallyId, KnownName>,
    held: ReadonlySet<TallyId>,
  ) {
    this.#transaction = transaction;
    this.erased = erased;
    this.#known = known;
    this.#held = held;
  }

  static async read(transaction: Transaction, ids: readonly TallyId[]): Promise<KnownNames> {
    const erased = await transaction.erasures();
    if (ids.length === 0) return new KnownNames(transaction, erased, new Map(), new Set());
    const rows = await transaction.rows<TagRow>(selectNames, [...new Set(ids)].map(bytesOfId));
    const known = rows
      .filter(({ isKnown }) => isKnown)
      .map((row) => [idOfBytes(row.id), toKnown(row)] as const);
    const held = rows.filter(({ isHeld }) => isHeld).map(({ id }) => idOfBytes(id));
    return new KnownNames(transaction, erased, new Map(known), new Set(held));
  }

  /** Whether the name of a tag follows from its timeline. */
  isHeld(id: TallyId): boolean {
    return this.#held.has(id) || isReservedTallyId(id);
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

  /** Deletes the row of a name. */
  remove(id: TallyId): void {
    this.#tell(id, undefined);
    this.#known.delete(id);
    this.#changed.set(id, undefined);
  }

  /** Writes the changed names. */
  async write(): Promise<void> {
    const removed = [...this.#changed].flatMap(([id, name]) => (name === undefined ? [id] : []));
    if (removed.length > 0) await this.#transaction.write(deleteNames, removed.map(bytesOfId));
    const put = [...this.#changed.values()].filter((name) => name !== undefined);
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
