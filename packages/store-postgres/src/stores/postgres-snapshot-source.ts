import type { Snapshot, SnapshotSource } from '@tallybook/domain';
import { snapshotOf } from '@tallybook/domain/record';
import { PostgresFacet } from '../database/postgres-facet.js';
import { correctionsOfDays } from '../rows/correction-rows.js';
import { readDay, readDays, readDetails, readScans } from '../rows/day-rows.js';
import { readNamePage } from '../rows/name-rows.js';
import { carriedTable, personTable, readGroups, timelineTable } from '../rows/people-rows.js';
import { readProvisional } from '../rows/provisional-rows.js';

/** Snapshots of all rows of a site, each on a connection of its own. */
export class PostgresSnapshotSource extends PostgresFacet implements SnapshotSource {
  take(): Promise<Snapshot> {
    return this.database.run(async () => {
      const view = await this.database.view();
      return snapshotOf({
        names: (after, limit) => readNamePage(view, after, limit),
        days: (from, to) => readDays(view, from, to),
        load: (day) => readDay(view, day),
        details: (day) => readDetails(view, day),
        corrections: (from, to) => correctionsOfDays(view, from, to),
        scans: (day, id) => readScans(view, day, id),
        provisional: () => readProvisional(view),
        persons: (after, limit) => personTable.page(view, after, limit),
        timelines: (after, limit) => timelineTable.page(view, after, limit),
        groups: () => readGroups(view),
        carried: (after, limit) => carriedTable.page(view, after, limit),
        [Symbol.asyncDispose]: () => view[Symbol.asyncDispose](),
      });
    });
  }
}
