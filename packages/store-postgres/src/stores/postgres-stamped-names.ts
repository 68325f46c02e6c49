import type { TallyId } from '@tallybook/domain';
import type { StampedName } from '@tallybook/domain/record';
import type { StampedNames } from '@tallybook/domain/sync';
import { mergeNames, replaceNames } from '../database/change-names.js';
import { PostgresFacet } from '../database/postgres-facet.js';
import { readStampedNames, readStampedPage } from '../rows/name-rows.js';

/** Rows that are changed with a name: its own, and one of the journal. */
const ROWS_OF_A_NAME = 2;

/** Names with their stamps, at the site of a `PostgresMappingStore`. */
export class PostgresStampedNames extends PostgresFacet implements StampedNames {
  merge(names: readonly StampedName[]): Promise<readonly StampedName[]> {
    return this.submit(mergeNames, names, ROWS_OF_A_NAME * names.length);
  }

  replace(names: readonly StampedName[]): Promise<void> {
    return this.submit(replaceNames, names, ROWS_OF_A_NAME * names.length);
  }

  get(ids: readonly TallyId[]): Promise<readonly StampedName[]> {
    return this.database.run(() => readStampedNames(this.database, ids));
  }

  page(after: TallyId | undefined, limit: number): Promise<readonly StampedName[]> {
    return this.database.run(() => readStampedPage(this.database, after, limit));
  }
}
