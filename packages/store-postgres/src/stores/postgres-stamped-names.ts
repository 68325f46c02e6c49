import type { TallyId } from '@tallybook/domain';
import { givenAt, mergeNames } from '@tallybook/domain/record';
import { type StampedName } from '@tallybook/domain';
import type { StampedNames } from '@tallybook/domain/sync';
import { workOnNames } from '../database/change-names.js';
import { PostgresFacet } from '../database/postgres-facet.js';
import { readStampedNames, readStampedPage } from '../rows/name-rows.js';

/** Names with their stamps, at the site of a `PostgresMappingStore`. */
export class PostgresStampedNames extends PostgresFacet implements StampedNames {
  merge(names: readonly StampedName[]): Promise<readonly StampedName[]> {
    return workOnNames(this.database, idsOf(names), (known) =>
      mergeNames(known, names, ({ id, stamp }) => known.erased.isRefused(id, givenAt(stamp))),
    );
  }

  replace(names: readonly StampedName[]): Promise<void> {
    return workOnNames(this.database, idsOf(names), (known) => {
      for (const name of names) known.put(name);
    });
  }

  get(ids: readonly TallyId[]): Promise<readonly StampedName[]> {
    return this.database.run(() => readStampedNames(this.database, ids));
  }

  page(after: TallyId | undefined, limit: number): Promise<readonly StampedName[]> {
    return this.database.run(() => readStampedPage(this.database, after, limit));
  }
}

function idsOf(names: readonly StampedName[]): readonly TallyId[] {
  return names.map(({ id }) => id);
}
