import { setImmediate } from 'node:timers/promises';
import { parsePersonId, type PeopleStore, type PersonId, type TallyId } from '@tallybook/domain';
import { Turns, type Trace } from '@tallybook/domain/record';
import type { PostgresDatabase } from '../../database/postgres-database.js';
import { idOfBytes, bytesOfId } from '../../rows/stored-values.js';
import type { PostgresView } from '../../database/postgres-view.js';
import { toChange, type ChangeColumns } from '../../rows/change-rows.js';
import { correctionColumns, toCorrection, type CorrectionRow } from '../../rows/correction-rows.js';
import { entryColumns, readScans, toEntry, type EntryRow } from '../../rows/day-rows.js';
import {
  toName,
  hasName,
  hasStamp,
  selectStampedNames,
  stampOf,
  type StampedNameRow,
} from '../../rows/name-rows.js';
import { toProvisional, type ProvisionalRow } from '../../rows/provisional-rows.js';

/** All tables about tags, except that of scans: each scan has an entry. */
const tables = ['name', 'tag', 'entry', 'provisional', 'correction', 'change'] as const;

/** Finds which of the wanted tags have data at a site. Reads all ids in these tables. */
export async function findTags(
  database: PostgresDatabase,
  people: Pick<PeopleStore, 'lastResortOf'>,
  isWanted: (id: TallyId) => boolean,
): Promise<readonly TallyId[]> {
  const found = new Set<TallyId>();
  const turns = new Turns(setImmediate, () => performance.now());
  await using view = await database.view();
  for (const table of tables) {
    const rows = await view.rows<{ id: Buffer }>(
      `SELECT DISTINCT id FROM tallybook.${table} WHERE site = $1 AND id IS NOT NULL`,
    );
    for (const row of rows) {
      const id = idOfBytes(row.id);
      if (!found.has(id) && isWanted(id)) found.add(id);
      if (turns.isOver) await turns.next();
    }
  }
  // The changes of a person are found by their tag of last resort.
  for (const person of await personsOfChanges(view)) {
    const id = people.lastResortOf(person);
    if (!found.has(id) && isWanted(id)) found.add(id);
    if (turns.isOver) await turns.next();
  }
  return [...found];
}

async function personsOfChanges(view: PostgresView): Promise<readonly PersonId[]> {
  const rows = await view.rows<{ body: string }>(
    `SELECT DISTINCT body FROM tallybook.change WHERE site = $1 AND kind = 'person'`,
  );
  return rows.flatMap(({ body }) => personOf(body) ?? []);
}

/** The person of the body of a change; `undefined` if it is damaged. */
export function personOf(body: string): PersonId | undefined {
  try {
    return parsePersonId((JSON.parse(body) as { readonly person?: unknown }).person);
  } catch {
    return undefined;
  }
}

/** Rows that are read together. */
const PAGE = 1_000;

/** Reads all data of a tag, a page at a time. */
export async function* traceTag(view: PostgresView, id: TallyId): AsyncGenerator<Trace, void, undefined> {
  const bytes = bytesOfId(id);
  for (const row of await view.rows<StampedNameRow>(selectStampedNames, [bytes])) {
    if (hasName(row)) yield { kind: 'name', name: toName(row) };
    if (hasStamp(row)) yield { kind: 'stamp', stamp: stampOf(row) };
  }

  for (let after = -1; ;) {
    const rows = await view.rows<EntryRow>(
      `SELECT ${entryColumns} FROM tallybook.entry
        WHERE site = $1 AND id = $2 AND day > $3 ORDER BY day LIMIT ${PAGE}`,
      bytes,
      after,
    );
    for (const row of rows) {
      after = row.day;
      const scans = await readScans(view, row.day, id);
      yield { kind: 'entry', day: row.day, entry: toEntry(row), scans };
    }
    if (rows.length < PAGE) break;
  }

  const scans = await view.rows<ProvisionalRow>(
    'SELECT sequence, id, body FROM tallybook.provisional WHERE site = $1 AND id = $2 ORDER BY sequence',
    bytes,
  );
  for (const row of scans) yield { kind: 'provisional', scan: toProvisional(row) };

  const corrections = await view.rows<CorrectionRow>(
    `SELECT ${correctionColumns} FROM tallybook.correction WHERE site = $1 AND id = $2 ORDER BY day, number`,
    bytes,
  );
  for (const row of corrections) yield { kind: 'correction', correction: toCorrection(row) };

  for (let after = 0; ;) {
    const rows = await view.rows<{ seq: number } & ChangeColumns>(
      `SELECT seq, kind, day, id, body FROM tallybook.change
        WHERE site = $1 AND id = $2 AND seq > $3 ORDER BY seq LIMIT ${PAGE}`,
      bytes,
      after,
    );
    for (const row of rows) {
      after = row.seq;
      const change = soundChange(row);
      if (change !== undefined) yield { kind: 'change', entry: { cursor: row.seq, change } };
    }
    if (rows.length < PAGE) break;
  }
}

function soundChange(row: { readonly seq: number } & ChangeColumns): ReturnType<typeof toChange> | undefined {
  try {
    return toChange(row, row.seq);
  } catch {
    return undefined;
  }
}
