import { setImmediate } from 'node:timers/promises';
import type { TallyId } from '@tallybook/domain';
import { Turns } from '@tallybook/domain/record';
import type { LevelDatabase } from '../../database/level-database.js';
import {
  changeRange,
  entriesRange,
  momentRange,
  nameRange,
  provisionalRange,
  stampRange,
  type KeyRange,
} from '../../rows/keys.js';
import { personRows, timelineRows } from '../../rows/people-rows.js';
import { isSealed, unseal } from '../../rows/seal.js';
import { tagOfRow } from '../../rows/tag-of-row.js';
import { LevelView } from '../level-view.js';
import { allCorrections } from '../../rows/correction-rows.js';

/** All kinds of rows about a tag. Scans are left out, because each scan has an entry. */
const ranges: readonly KeyRange[] = [
  nameRange,
  stampRange,
  timelineRows.range,
  personRows.range,
  entriesRange,
  provisionalRange,
  momentRange,
  allCorrections,
  changeRange(0),
];

/** Finds which of the wanted tags have data in a store. Reads all rows of these kinds. */
export async function findTags(
  database: LevelDatabase,
  isWanted: (id: TallyId) => boolean,
): Promise<readonly TallyId[]> {
  const wanted = new Map<TallyId, boolean>();
  const turns = new Turns(setImmediate, () => performance.now());
  await using view = await LevelView.of(database);
  for (const range of ranges) {
    for await (const page of view.pages(range)) {
      for (const [key, sealed] of page) {
        const tag = tagOfRow(key, isSealed(key, sealed) ? unseal(key, sealed) : sealed);
        if (tag === undefined || wanted.has(tag.id)) continue;
        wanted.set(tag.id, isWanted(tag.id));
        if (turns.isOver) await turns.next();
      }
    }
  }
  return [...wanted].filter(([, is]) => is).map(([id]) => id);
}
