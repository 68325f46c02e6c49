import {
  createMapping,
  type Association,
  type Mapping,
  type MappingSnapshot,
  type MappingStore,
  type Name,
  type NameChanges,
  type PutOutcome,
  type RestoreOutcome,
  type Revision,
  type TallyId,
  type Timestamp,
} from '@tallybook/domain';
import type { StampSource } from '@tallybook/domain/sync';
import type { Statement } from '../connection/session.js';
import { changeNames, restoreNames, type FormerName } from '../database/change-names.js';
import type { PostgresDatabase } from '../database/postgres-database.js';
import type { PostgresView } from '../database/postgres-view.js';
import { bytesOfId, idOfBytes } from '../rows/stored-values.js';
import { readNamePage, toName, type NameRow } from '../rows/name-rows.js';

/** All names. $1: site. */
const selectAll: Statement = {
  name: 'names',
  text: 'SELECT id, first, last FROM tallybook.name WHERE site = $1 AND first IS NOT NULL ORDER BY id',
};

/** The names of some tags. $1: site, $2: ids. */
const selectSome: Statement = {
  name: 'some-names',
  text: `SELECT n.id, n.first, n.last FROM unnest($2::bytea[]) AS t (id)
    JOIN tallybook.name n ON n.site = $1 AND n.id = t.id WHERE n.first IS NOT NULL`,
};

/** Rows that are changed with a name: its own, and one of the journal. */
const ROWS_OF_A_NAME = 2;

/** Keeps names in PostgreSQL. */
export class PostgresMappingStore implements MappingStore {
  readonly #database: PostgresDatabase;
  readonly #stamps: StampSource;

  /** @param stamps Gives a stamp to each written name, in the same transaction. */
  constructor(database: PostgresDatabase, stamps: StampSource) {
    this.#database = database;
    this.#stamps = stamps;
  }

  read(): Promise<Mapping> {
    return this.#database.run(() =>
      this.#database.read(async (connection) => {
        const rows = await connection.query<NameRow>(selectAll, [this.#database.site]);
        return createMapping(rows.map((row) => [idOfBytes(row.id), toName(row)]));
      }),
    );
  }

  snapshot(): Promise<MappingSnapshot> {
    return this.#database.run(
      async () => new PostgresMappingSnapshot(this.#database.site, await this.#database.view()),
    );
  }

  get(id: TallyId): Promise<Name | undefined> {
    return this.#database.run(() =>
      this.#database.read(async (connection) => {
        const [row] = await connection.query<NameRow>(selectSome, [this.#database.site, [bytesOfId(id)]]);
        return row && toName(row);
      }),
    );
  }

  put(id: TallyId, name: Name): Promise<PutOutcome> {
    return this.#database.run(async () => {
      const [wasThere] = await this.#submit(new Map([[id, name]]));
      return wasThere === undefined ? 'added' : 'replaced';
    });
  }

  restore(id: TallyId, name: Name, knownAt: Timestamp | undefined): Promise<RestoreOutcome> {
    const write = { id, name, knownAt, stamps: this.#stamps };
    return this.#database.run(() => this.#database.submit(restoreNames, write, ROWS_OF_A_NAME));
  }

  remove(id: TallyId): Promise<boolean> {
    return this.#database.run(async () => (await this.#submit(new Map([[id, undefined]]))).length > 0);
  }

  change(changes: NameChanges): Promise<ReadonlyMap<TallyId, Name>> {
    return this.#database.run(async () => {
      const before = await this.#submit(changes);
      return new Map(before.flatMap(({ id, name }) => (name === undefined ? [] : [[id, name] as const])));
    });
  }

  revision(): Promise<Revision> {
    return this.#database.run(async () => String((await this.#database.readRow()).namesRevision));
  }

  #submit(changes: NameChanges): Promise<readonly FormerName[]> {
    const write = { changes, stamps: this.#stamps };
    return this.#database.submit(changeNames, write, ROWS_OF_A_NAME * changes.size);
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
