import {
  createMapping,
  isSameName,
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
import type { Rows } from './sqlite.js';
import { SqliteFacet } from './sqlite-database.js';

const ALL = -1;

type NameRow = Name & { readonly id: TallyId };

/** The names after a tag, ascending by id. */
export function namesAfter(rows: Rows, after: TallyId | '', limit: number): readonly Association[] {
  return rows
    .all<NameRow>('SELECT * FROM names WHERE id > ? ORDER BY id LIMIT ?', after, limit)
    .map(({ id, first, last }) => [id, { first, last }]);
}

export class SqliteMappingStore extends SqliteFacet implements MappingStore {
  read(): Promise<Mapping> {
    return this.database.read((rows) => createMapping(namesAfter(rows, '', ALL)));
  }

  async snapshot(): Promise<MappingSnapshot> {
    const view = await this.database.view();
    return {
      page: (after, limit) => this.database.read((rows) => namesAfter(rows, after ?? '', limit), view.rows),
      [Symbol.asyncDispose]: async () => view.close(),
    };
  }

  get(id: TallyId): Promise<Name | undefined> {
    return this.database.read((rows) => nameOf(rows, id));
  }

  async put(id: TallyId, name: Name): Promise<PutOutcome> {
    return (await this.change(new Map([[id, name]]))).has(id) ? 'replaced' : 'added';
  }

  /** Without stamps it is a `put`, and without erasures there is nothing to check again. */
  restore(id: TallyId, name: Name): Promise<PutOutcome> {
    return this.put(id, name);
  }

  async remove(id: TallyId): Promise<boolean> {
    return (await this.change(new Map([[id, undefined]]))).has(id);
  }

  change(changes: NameChanges): Promise<ReadonlyMap<TallyId, Name>> {
    return this.database.write((rows, tell) => {
      const before = new Map<TallyId, Name>();
      for (const [id, name] of changes) {
        const former = nameOf(rows, id);
        if (former !== undefined) before.set(id, former);
        if (isSameName(former, name)) continue;
        if (name === undefined) rows.run('DELETE FROM names WHERE id = ?', id);
        else rows.run('INSERT OR REPLACE INTO names VALUES (?, ?, ?)', id, name.first, name.last);
        const action = name === undefined ? 'removed' : former === undefined ? 'added' : 'replaced';
        tell({ kind: 'name', id, action });
        rows.count('mapping');
      }
      return before;
    });
  }

  revision(): Promise<Revision> {
    return this.database.read((rows) => String(rows.counter('mapping')));
  }
}

function nameOf(rows: Rows, id: TallyId): Name | undefined {
  const found = rows.one<NameRow>('SELECT * FROM names WHERE id = ?', id);
  return found && { first: found.first, last: found.last };
}
