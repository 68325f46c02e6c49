import {
  DAY_MAX,
  toDay,
  type Association,
  type AttendanceDay,
  type DetailedEntry,
  type Snapshot,
  type SnapshotSource,
} from '@tallybook/domain';
import type { Rows } from './sqlite.js';
import { SqliteFacet } from './sqlite-database.js';
import { detailsOf, listDays, loadDay, scansOf } from './sqlite-day-store.js';
import { namesAfter } from './sqlite-mapping-store.js';

const PAGE = 1_000;

/** Snapshots are read transactions on connections of their own, which SQLite lets run beside the one that writes. */
export class SqliteSnapshots extends SqliteFacet implements SnapshotSource {
  async take(): Promise<Snapshot> {
    const view = await this.database.view();
    const read = <T>(work: (rows: Rows) => T): Promise<T> => this.database.read(work, view.rows);
    return {
      async *names(): AsyncGenerator<Association, void, undefined> {
        for (let page = await read((rows) => namesAfter(rows, '', PAGE)); page.length > 0;) {
          yield* page;
          const after = page.at(-1)?.[0] ?? '';
          page = await read((rows) => namesAfter(rows, after, PAGE));
        }
      },
      async *days(from = toDay(0), to = DAY_MAX): AsyncGenerator<AttendanceDay, void, undefined> {
        for (const day of await read((rows) => listDays(rows, from, to))) {
          const record = await read((rows) => loadDay(rows, day));
          if (record !== undefined) yield record;
        }
      },
      async *details(
        from = toDay(0),
        to = DAY_MAX,
      ): AsyncGenerator<AttendanceDay<DetailedEntry>, void, undefined> {
        for (const day of await read((rows) => listDays(rows, from, to))) {
          const record = await read((rows) => detailsOf(rows, day));
          if (record !== undefined) yield record;
        }
      },
      scans: (day, id) => read((rows) => scansOf(rows, day, id)),
      corrections: nothing,
      provisional: nothing,
      persons: nothing,
      timelines: nothing,
      groups: nothing,
      carried: nothing,
      [Symbol.asyncDispose]: async () => view.close(),
    };
  }
}

async function* nothing(): AsyncGenerator<never, void, undefined> {
  // This storage has no such facet.
}
