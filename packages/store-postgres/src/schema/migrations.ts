import { recordTables } from './record-tables.js';
import { serviceTables } from './service-tables.js';
import { syncTables } from './sync-tables.js';

/** The step to a format from the one before. */
export interface Migration {
  readonly format: number;
  /** The oldest format whose programs go on with it: each migration must be safe while the version before runs. */
  readonly compatible: number;
  /** Each statement may have run before, since an interrupted migration is run again. Each is a transaction of its own. */
  readonly statements: readonly string[];
}

/** Ascending; only ever added to, once released. */
export const migrations: readonly Migration[] = [
  { format: 1, compatible: 1, statements: [...recordTables, ...serviceTables, ...syncTables] },
  // In a table that servers may use already, so that nothing is to be granted anew.
  {
    format: 2,
    compatible: 1,
    statements: ['ALTER TABLE tallybook.site ADD COLUMN IF NOT EXISTS calendar text'],
  },
];
