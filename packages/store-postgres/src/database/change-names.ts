import {
  isSameName,
  isTallybookError,
  type Name,
  type NameChanges,
  type RestoreOutcome,
  type TallyId,
  type Timestamp,
} from '@tallybook/domain';
import {
  compareStamps,
  givenAt,
  latestNames,
  nextStamp,
  NO_STAMP,
  restoredStamp,
  type NameStamp,
  type StampedName,
} from '@tallybook/domain/record';
import type { StampSource } from '@tallybook/domain/sync';
import type { Statement } from '../connection/session.js';
import { bytesOfId, idOfBytes } from '../rows/stored-values.js';
import { toName, hasName, selectStampedNames, stampOf, type StampedNameRow } from '../rows/name-rows.js';
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

/** Names to change. */
export interface NameWrite {
  readonly changes: NameChanges;
  readonly stamps: StampSource;
}

/** A name from a backup. */
export interface NameRestore {
  readonly id: TallyId;
  readonly name: Name;
  /** When the backup was made; `undefined` if that is unknown. */
  readonly knownAt: Timestamp | undefined;
  readonly stamps: StampSource;
}

/** The former name of a tag. A damaged one has no `name`: it is replaced like any other. */
export interface FormerName {
  readonly id: TallyId;
  readonly name: Name | undefined;
}

/** The name of a tag, or its removal. */
interface KnownName extends FormerName {
  readonly isDamaged: boolean;
  readonly stamp: NameStamp | undefined;
}

/** Changes names, one set after another. Returns for each set the names before it. */
export async function changeNames(
  transaction: Transaction,
  items: readonly NameWrite[],
): Promise<readonly (readonly FormerName[])[]> {
  const names = await KnownNames.read(
    transaction,
    items.flatMap(({ changes }) => [...changes.keys()]),
  );
  const results = items.map(({ changes, stamps }) => {
    const before: FormerName[] = [];
    for (const [id, name] of changes) {
      const former = names.get(id);
      const hadName = former !== undefined && (former.isDamaged || former.name !== undefined);
      if (hadName) before.push({ id, name: former.name });
      // Removing a missing name leaves no stamp.
      if (name === undefined && !hadName) continue;
      names.set({ id, name, stamp: stampNow(stamps, former, transaction.row.origin) });
    }
    return before;
  });
  await names.write();
  return results;
}

/**
 * Puts names of backups, one after another. Another server may have erased a tag meanwhile: names from before an erasure are left
 * out.
 */
export async function restoreNames(
  transaction: Transaction,
  items: readonly NameRestore[],
): Promise<readonly RestoreOutcome[]> {
  const names = await KnownNames.read(
    transaction,
    items.map(({ id }) => id),
  );
  const erased = await transaction.erasures();
  const results = items.map(({ id, name, knownAt, stamps }): RestoreOutcome => {
    if (erased.isRefused(id, knownAt)) return 'erased';
    const former = names.get(id);
    const hadName = former !== undefined && (former.isDamaged || former.name !== undefined);
    const [nowMs, { origin: node }] = [stamps.now(), transaction.row];
    names.set({ id, name, stamp: restoredStamp(name, former, { knownAt, nowMs, node }) });
    return hadName ? 'replaced' : 'added';
  });
  await names.write();
  return results;
}

/**
 * Replaces names that are earlier than the given ones, one set after another. Returns the names that stayed. Another server may
 * have erased a tag meanwhile: names from before an erasure are left out.
 */
export async function mergeNames(
  transaction: Transaction,
  items: readonly (readonly StampedName[])[],
): Promise<readonly (readonly StampedName[])[]> {
  const names = await KnownNames.read(
    transaction,
    items.flatMap((item) => item.map(({ id }) => id)),
  );
  const erased = await transaction.erasures();
  const results = items.map((item) => {
    const stayed: StampedName[] = [];
    for (const name of latestNames(item)) {
      if (erased.isRefused(name.id, givenAt(name.stamp))) continue;
      const here = names.get(name.id);
      // A damaged name counts as missing.
      const isTaken = here === undefined || here.isDamaged || compareStamps(name.stamp, here.stamp) > 0;
      if (isTaken) names.set(name);
      else if (!isSameName(here.name, name.name))
        stayed.push({ id: here.id, name: here.name, stamp: here.stamp });
    }
    return stayed;
  });
  await names.write();
  return results;
}

/** Sets names and stamps, one set after another. */
export async function replaceNames(
  transaction: Transaction,
  items: readonly (readonly StampedName[])[],
): Promise<readonly undefined[]> {
  const names = await KnownNames.read(
    transaction,
    items.flatMap((item) => item.map(({ id }) => id)),
  );
  for (const item of items) for (const name of item) names.set(name);
  await names.write();
  return items.map(() => undefined);
}

/** The names as they were before a transaction, with its changes. */
class KnownNames {
  readonly #transaction: Transaction;
  readonly #known: Map<TallyId, KnownName>;
  readonly #changed = new Map<TallyId, StampedName>();

  private constructor(transaction: Transaction, known: Map<TallyId, KnownName>) {
    this.#transaction = transaction;
    this.#known = known;
  }

  static async read(transaction: Transaction, ids: readonly TallyId[]): Promise<KnownNames> {
    if (ids.length === 0) return new KnownNames(transaction, new Map());
    const rows = await transaction.rows<StampedNameRow>(selectStampedNames, [...new Set(ids)].map(bytesOfId));
    return new KnownNames(transaction, new Map(rows.map((row) => [idOfBytes(row.id), toKnown(row)])));
  }

  get(id: TallyId): KnownName | undefined {
    return this.#known.get(id);
  }

  set(name: StampedName): void {
    const { id } = name;
    this.#tell(id, name.name);
    this.#known.set(id, { ...name, isDamaged: false });
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
    const hadName = former !== undefined && (former.isDamaged || former.name !== undefined);
    if (hadName ? former.name !== undefined && isSameName(former.name, name) : name === undefined) return;
    const action = name === undefined ? 'removed' : hadName ? 'replaced' : 'added';
    this.#transaction.tell({ kind: 'name', id, action });
    this.#transaction.touch('names');
  }
}

function toKnown(row: StampedNameRow): KnownName {
  const known = { id: idOfBytes(row.id), stamp: stampOf(row) };
  if (!hasName(row)) return { ...known, name: undefined, isDamaged: false };
  try {
    return { ...known, name: toName(row), isDamaged: false };
  } catch (error) {
    if (isTallybookError(error, 'STORE_CORRUPT')) return { ...known, name: undefined, isDamaged: true };
    throw error;
  }
}

function stampNow(stamps: StampSource, former: KnownName | undefined, node: string): NameStamp | undefined {
  const ms = stamps.now();
  return ms === undefined ? undefined : nextStamp(former?.stamp, { ms, node });
}

/** Milliseconds, counters and nodes: see `StampedNameRow`. */
function stampColumns(
  stamps: readonly (NameStamp | undefined)[],
): readonly (readonly (number | string | null)[])[] {
  const kept = stamps.map((stamp) => (isNoStamp(stamp) ? undefined : stamp));
  return [
    kept.map((stamp) => stamp?.ms ?? null),
    kept.map((stamp) => stamp?.counter ?? null),
    stamps.map((stamp) => (isNoStamp(stamp) ? null : (stamp?.node ?? ''))),
  ];
}

function isNoStamp(stamp: NameStamp | undefined): boolean {
  return stamp !== undefined && compareStamps(stamp, NO_STAMP) === 0;
}
