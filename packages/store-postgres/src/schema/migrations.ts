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

/** Ascending, from 1. Released migrations never change; new ones are added at the end. */
export const migrations: readonly Migration[] = [
  { format: 1, compatible: 1, statements: [...recordTables, ...serviceTables, ...syncTables] },
];
