import {
  createMapping,
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
import { changeNames, restoreName } from '@tallybook/domain/record';
import type { StampSource } from '@tallybook/domain/sync';
import { workOnNames } from '../database/change-names.js';
import type { PostgresDatabase } from '../database/postgres-database.js';
import { PostgresFacet } from '../database/postgres-facet.js';
import { bytesOfId, idOfBytes } from '../rows/stored-values.js';
import { readNamePage, toName, type NameRow } from '../rows/name-rows.js';

/** All names. $1: site. */
const selectAll =
  'SELECT id, first, last FROM tallybook.name WHERE site = $1 AND first IS NOT NULL ORDER BY id';

/** The names of some tags. $1: site, $2: ids. */
const selectSome = `SELECT n.id, n.first, n.last FROM unnest($2::bytea[]) AS t (id)
  JOIN tallybook.name n ON n.site = $1 AND n.id = t.id WHERE n.first IS NOT NULL`;

/** Keeps names in PostgreSQL. */
export class PostgresMappingStore extends PostgresFacet implements MappingStore {
  readonly #stamps: StampSource;

  /** @param stamps Gives a stamp to each written name, in the same transaction. */
  constructor(database: PostgresDatabase, stamps: StampSource) {
    super(database);
    this.#stamps = stamps;
  }

  async read(): Promise<Mapping> {
    const rows = await this.rows<NameRow>(selectAll);
    return createMapping(rows.map((row) => [idOfBytes(row.id), toName(row)]));
  }

  snapshot(): Promise<MappingSnapshot> {
    return this.database.run(async () => {
      const view = await this.database.view();
      return {
        page: (after, limit) => readNamePage(view, after, limit),
        [Symbol.asyncDispose]: () => view[Symbol.asyncDispose](),
      };
    });
  }

  async get(id: TallyId): Promise<Name | undefined> {
    const [row] = await this.rows<NameRow>(selectSome, [bytesOfId(id)]);
    return row && toName(row);
  }

  async put(id: TallyId, name: Name): Promise<PutOutcome> {
    return (await this.#change(new Map([[id, name]]))).has(id) ? 'replaced' : 'added';
  }

  restore(id: TallyId, name: Name, knownAt: Timestamp | undefined): Promise<RestoreOutcome> {
    return workOnNames(this.database, [id], (names, node) =>
      names.erased.isRefused(id, knownAt)
        ? 'erased'
        : restoreName(names, { id, name, knownAt }, { stamps: this.#stamps, node }),
    );
  }

  async remove(id: TallyId): Promise<boolean> {
    return (await this.#change(new Map([[id, undefined]]))).has(id);
  }

  async change(changes: NameChanges): Promise<ReadonlyMap<TallyId, Name>> {
    const before = [...(await this.#change(changes))];
    return new Map(before.flatMap(([id, { name }]) => (name === undefined ? [] : [[id, name]])));
  }

  revision(): Promise<Revision> {
    return this.revisionOf('names');
  }

  #change(changes: NameChanges): Promise<ReturnType<typeof changeNames>> {
    return workOnNames(this.database, [...changes.keys()], (names, node) =>
      changeNames(names, changes, { stamps: this.#stamps, node }),
    );
  }
}
