import {
  DAY_MAX,
  toDay,
  type Association,
  type Day,
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
    async function* daysBy<T>(
      load: (rows: Rows, day: Day) => T | undefined,
      from = toDay(0),
      to = DAY_MAX,
    ): AsyncGenerator<T, void, undefined> {
      for (const day of await read((rows) => listDays(rows, from, to))) {
        const record = await read((rows) => load(rows, day));
        if (record !== undefined) yield record;
      }
    }
    return {
      async *names(): AsyncGenerator<Association, void, undefined> {
        for (let page = await read((rows) => namesAfter(rows, '', PAGE)); page.length > 0;) {
          yield* page;
          const after = page.at(-1)?.[0] ?? '';
          page = await read((rows) => namesAfter(rows, after, PAGE));
        }
      },
      days: (from, to) => daysBy(loadDay, from, to),
      details: (from, to) => daysBy(detailsOf, from, to),
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
