import { recordTables } from './record-tables.js';
import { serviceTables } from './service-tables.js';
import { syncTables } from './sync-tables.js';

/** The step from the format before to a format. */
export interface Migration {
  readonly format: number;
  /** The oldest format whose programs can use the new one: each migration must be safe while the version before runs. */
  readonly compatible: number;
  /**
   * Each statement may have run before, because an interrupted migration is run again. Each statement is a transaction of its
   * own.
   */
  readonly statements: readonly string[];
}

/** Ascending. Released migrations never change; new ones are added at the end. */
export const migrations: readonly Migration[] = [
  { format: 1, compatible: 1, statements: [...recordTables, ...serviceTables, ...syncTables] },
  // In an existing table, so that servers need no new grants.
  {
    format: 2,
    compatible: 1,
    statements: ['ALTER TABLE tallybook.site ADD COLUMN IF NOT EXISTS calendar text'],
  },
  // Processes of the database that have written, and pairs of cursors: nothing between the two was ever given.
  {
    format: 3,
    compatible: 1,
    statements: [
      "ALTER TABLE tallybook.site ADD COLUMN IF NOT EXISTS processes text[] NOT NULL DEFAULT '{}'",
      "ALTER TABLE tallybook.site ADD COLUMN IF NOT EXISTS gaps bigint[] NOT NULL DEFAULT '{}'",
    ],
  },
];
