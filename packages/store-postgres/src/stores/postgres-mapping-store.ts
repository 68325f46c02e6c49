import {
  createMapping,
  isTallybookError,
  ManagedResource,
  type Association,
  type Mapping,
  type MappingSnapshot,
  type MappingStore,
  type Name,
  type NameChanges,
  type PutOutcome,
  type Revision,
  type TallyId,
} from '@tallybook/domain';
import type { Statement } from '../connection/statement.js';
import type { PostgresDatabase } from '../database/postgres-database.js';
import type { PostgresView } from '../database/postgres-view.js';
import type { Transaction } from '../database/transaction.js';
import { bytesOfId, idOfBytes } from '../rows/ids.js';
import { readNamePage, toName, type NameRow } from '../rows/name-rows.js';

/** All names. $1: site. */
const selectAll: Statement = {
  name: 'names',
  text: 'SELECT id, first, last FROM tallybook.name WHERE site = $1 AND first IS NOT NULL ORDER BY id',
};

/** Those of some tags. $1: site, $2: ids. */
const selectSome: Statement = {
  name: 'some-names',
  text: `SELECT n.id, n.first, n.last FROM unnest($2::bytea[]) AS t (id)
    JOIN tallybook.name n ON n.site = $1 AND n.id = t.id WHERE n.first IS NOT NULL`,
};

/** $1: site, $2: ids, $3: first names, $4: last names. */
const upsertNames: Statement = {
  name: 'put-names',
  text: `INSERT INTO tallybook.name (site, id, first, last)
    SELECT $1, t.id, t.first, t.last FROM unnest($2::bytea[], $3::text[], $4::text[]) AS t (id, first, last)
    ON CONFLICT (site, id) DO UPDATE SET first = excluded.first, last = excluded.last`,
};

/** $1: site, $2: ids. */
const deleteNames: Statement = {
  name: 'remove-names',
  text: 'DELETE FROM tallybook.name WHERE site = $1 AND id = ANY ($2::bytea[])',
};

/** Rows of names that are changed by one change, and by the journal. */
const ROWS_OF_A_NAME = 2;

/** Keeps names in PostgreSQL. */
export class PostgresMappingStore extends ManagedResource implements MappingStore {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    super();
    this.#database = database;
  }

  read(): Promise<Mapping> {
    return this.run(() =>
      this.#database.read(async (connection) => {
        const rows = await connection.query<NameRow>(selectAll, [this.#database.site]);
        return createMapping(rows.map((row) => [idOfBytes(row.id), toName(row)]));
      }),
    );
  }

  snapshot(): Promise<MappingSnapshot> {
    return this.run(
      async () => new PostgresMappingSnapshot(this.#database.site, await this.#database.view()),
    );
  }

  get(id: TallyId): Promise<Name | undefined> {
    return this.run(() =>
      this.#database.read(async (connection) => {
        const [row] = await connection.query<NameRow>(selectSome, [this.#database.site, [bytesOfId(id)]]);
        return row && toName(row);
      }),
    );
  }

  put(id: TallyId, name: Name): Promise<PutOutcome> {
    return this.run(async () => {
      const [wasThere] = await this.#submit(new Map([[id, name]]));
      return wasThere === undefined ? 'added' : 'replaced';
    });
  }

  remove(id: TallyId): Promise<boolean> {
    return this.run(async () => (await this.#submit(new Map([[id, undefined]]))).length > 0);
  }

  change(changes: NameChanges): Promise<ReadonlyMap<TallyId, Name>> {
    return this.run(async () => {
      const before = await this.#submit(changes);
      return new Map(before.flatMap(({ id, name }) => (name === undefined ? [] : [[id, name] as const])));
    });
  }

  revision(): Promise<Revision> {
    return this.run(async () => String((await this.#database.readRow()).namesRevision));
  }

  protected override onOpen(): Promise<void> {
    return this.#database.acquire();
  }

  protected override onClose(): Promise<void> {
    return this.#database.release();
  }

  #submit(changes: NameChanges): Promise<readonly FormerName[]> {
    return this.#database.submit(changeNames, changes, ROWS_OF_A_NAME * changes.size);
  }
}

class PostgresMappingSnapshot implements MappingSnapshot {
  readonly #site: string;
  readonly #view: PostgresView;

  constructor(site: string, view: PostgresView) {
    this.#site = site;
    this.#view = view;
  }

  page(after: TallyId | undefined, limit: number): Promise<readonly Association[]> {
    return this.#view.read((connection) => readNamePage(connection, this.#site, { after, limit }));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#view[Symbol.asyncDispose]();
  }
}

/** The name that a tag had. A damaged one has no `name`: it is replaced like any other. */
interface FormerName {
  readonly id: TallyId;
  readonly name: Name | undefined;
}

/** Changes names, one set after another, and returns those that there were before each. */
async function changeNames(
  transaction: Transaction,
  items: readonly NameChanges[],
): Promise<readonly (readonly FormerName[])[]> {
  const names = await readFormer(transaction, new Set(items.flatMap((changes) => [...changes.keys()])));
  const changed = new Map<TallyId, Name | undefined>();
  const results = items.map((changes) => {
    const before: FormerName[] = [];
    for (const [id, name] of changes) {
      const former = names.get(id);
      if (former !== undefined) before.push(former);
      if (isSame(former, name)) continue;
      transaction.tell({ kind: 'name', id, action: actionOf(former, name) });
      changed.set(id, name);
      if (name === undefined) names.delete(id);
      else names.set(id, { id, name });
    }
    return before;
  });
  await writeNames(transaction, changed);
  return results;
}

async function readFormer(
  transaction: Transaction,
  ids: ReadonlySet<TallyId>,
): Promise<Map<TallyId, FormerName>> {
  if (ids.size === 0) return new Map();
  const rows = await transaction.read<NameRow>(selectSome, [transaction.site, [...ids].map(bytesOfId)]);
  return new Map(
    rows.map((row) => {
      const id = idOfBytes(row.id);
      return [id, { id, name: soundName(row) }];
    }),
  );
}

function soundName(row: NameRow): Name | undefined {
  try {
    return toName(row);
  } catch (error) {
    if (isTallybookError(error, 'STORE_CORRUPT')) return undefined;
    throw error;
  }
}

async function writeNames(transaction: Transaction, changed: NameChanges): Promise<void> {
  if (changed.size === 0) return;
  const { site } = transaction;
  const gone = [...changed].filter(([, name]) => name === undefined).map(([id]) => bytesOfId(id));
  const put = [...changed].flatMap(([id, name]) =>
    name === undefined ? [] : [{ id: bytesOfId(id), ...name }],
  );
  if (gone.length > 0) await transaction.write(deleteNames, [site, gone]);
  if (put.length > 0) {
    const [ids, firsts, lasts] = [
      put.map(({ id }) => id),
      put.map(({ first }) => first),
      put.map(({ last }) => last),
    ];
    await transaction.write(upsertNames, [site, ids, firsts, lasts]);
  }
  transaction.touch('names');
}

function isSame(former: FormerName | undefined, name: Name | undefined): boolean {
  if (former === undefined) return name === undefined;
  return former.name !== undefined && former.name.first === name?.first && former.name.last === name.last;
}

function actionOf(former: FormerName | undefined, name: Name | undefined): 'added' | 'replaced' | 'removed' {
  if (name === undefined) return 'removed';
  return former === undefined ? 'added' : 'replaced';
}
