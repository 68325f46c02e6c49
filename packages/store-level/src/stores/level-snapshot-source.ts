import type { Snapshot, SnapshotSource } from '@tallybook/domain';
import { snapshotOf } from '@tallybook/domain/record';
import { LevelFacet } from '../database/level-database.js';
import { correctionsOfDays, readScans } from '../queries/read-corrections.js';
import { readDay, readDays, readDetails } from '../queries/read-day.js';
import { nameRows } from '../queries/read-names.js';
import { readGroups } from '../queries/read-people.js';
import { readProvisional } from '../queries/read-provisional.js';
import { readRowPage } from '../queries/read-row-page.js';
import { carriedRows, personRows, timelineRows } from '../rows/people-rows.js';
import { LevelView } from './level-view.js';

/** Snapshots of all rows of a directory. They cost only the disk space of rows that are replaced meanwhile. */
export class LevelSnapshotSource extends LevelFacet implements SnapshotSource {
  take(): Promise<Snapshot> {
    return this.database.run(async () => {
      const view = await LevelView.of(this.database);
      return snapshotOf({
        names: (after, limit) =>
          view.read((level, snapshot) => readRowPage(level, nameRows, { after, limit, snapshot })),
        days: (from, to) => view.read((level, snapshot) => readDays(level, from, to, snapshot)),
        load: (day) => view.read((level, snapshot) => readDay(level, day, snapshot)),
        details: (day) => view.read((level, snapshot) => readDetails(level, day, snapshot)),
        corrections: (from, to) => correctionsOfDays(view, from, to),
        scans: (day, id) => view.read((level, snapshot) => readScans(level, day, id, snapshot)),
        provisional: () => view.read(readProvisional),
        persons: (after, limit) =>
          view.read((level, snapshot) => readRowPage(level, personRows, { after, limit, snapshot })),
        timelines: (after, limit) =>
          view.read((level, snapshot) => readRowPage(level, timelineRows, { after, limit, snapshot })),
        groups: () => view.read(readGroups),
        carried: (after, limit) =>
          view.read((level, snapshot) => readRowPage(level, carriedRows, { after, limit, snapshot })),
        [Symbol.asyncDispose]: () => view[Symbol.asyncDispose](),
      });
    });
  }
}
