import { setImmediate } from 'node:timers/promises';
import type { TallyId } from '@tallybook/domain';
import { Turns } from '@tallybook/domain/record';
import type { PostgresDatabase } from '../../database/postgres-database.js';
import { idOfBytes } from '../../rows/ids.js';

/** All tables about tags, except that of scans: each scan has an entry. */
const tables = ['name', 'entry', 'provisional', 'correction', 'change'] as const;

/** Finds which of the wanted tags have data at a site. Reads all ids in these tables. */
export async function findTags(
  database: PostgresDatabase,
  isWanted: (id: TallyId) => boolean,
): Promise<readonly TallyId[]> {
  const found = new Set<TallyId>();
  const turns = new Turns(setImmediate, () => performance.now());
  await using view = await database.view();
  for (const table of tables) {
    const rows = await view.read((connection) =>
      connection.query<{ id: Buffer }>(
        `SELECT DISTINCT id FROM tallybook.${table} WHERE site = $1 AND id IS NOT NULL`,
        [database.site],
      ),
    );
    for (const row of rows) {
      const id = idOfBytes(row.id);
      if (!found.has(id) && isWanted(id)) found.add(id);
      if (turns.isOver) await turns.next();
    }
  }
  return [...found];
}
