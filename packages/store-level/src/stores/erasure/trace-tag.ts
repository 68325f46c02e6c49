import { type Day, DAY_MAX, type TallyId } from '@tallybook/domain';
import type { Trace } from '@tallybook/domain/record';
import { readScans } from '../../queries/read-corrections.js';
import { decodeSound } from '../../queries/read-journal.js';
import { decodeName, decodeRow } from '../../rows/codec.js';
import { correctionsOfDays } from '../../queries/read-corrections.js';
import { changeRange, entryKey, nameKey, stampKey } from '../../rows/keys.js';
import { readDays, readEntry } from '../../queries/read-day.js';
import { readProvisional } from '../../queries/read-provisional.js';
import { unseal } from '../../rows/seal.js';
import type { LevelView } from '../level-view.js';
import { decodeStamp } from '../../rows/name-rows.js';

const DAYS_OF_PAGE = 512;

/** Reads all data of a tag, a page at a time. */
export async function* traceTag(view: LevelView, id: TallyId): AsyncGenerator<Trace, void, undefined> {
  yield* traceName(view, id);
  yield* traceDays(view, id);
  for (const scan of await view.read((level, snapshot) =>
    readProvisional(level, snapshot, () => undefined),
  )) {
    if (scan.id === id) yield { kind: 'provisional', scan };
  }
  for await (const correction of correctionsOfDays(view, 0 as Day, DAY_MAX)) {
    if (correction.id === id) yield { kind: 'correction', correction };
  }
  yield* traceChanges(view, id);
}

async function* traceName(view: LevelView, id: TallyId): AsyncGenerator<Trace, void, undefined> {
  const [key, keyOfStamp] = [nameKey(id), stampKey(id)];
  const [name, stamp] = await view.read((level, snapshot) => level.getMany([key, keyOfStamp], { snapshot }));
  if (name !== undefined) yield { kind: 'name', name: decodeRow(key, () => decodeName(unseal(key, name))) };
  if (stamp !== undefined) {
    yield {
      kind: 'stamp',
      stamp: decodeRow(keyOfStamp, () => decodeStamp(unseal(keyOfStamp, stamp))),
    };
  }
}

async function* traceDays(view: LevelView, id: TallyId): AsyncGenerator<Trace, void, undefined> {
  const days = await view.read((level, snapshot) => readDays(level, 0 as Day, DAY_MAX, snapshot));
  for (let start = 0; start < days.length; start += DAYS_OF_PAGE) {
    const page = days.slice(start, start + DAYS_OF_PAGE);
    const keys = page.map((day) => entryKey(day, id));
    const rows = await view.read((level, snapshot) => level.getMany(keys, { snapshot }));
    for (const [index, day] of page.entries()) {
      const [entryKey, sealed] = [keys[index], rows[index]];
      if (entryKey === undefined || sealed === undefined) continue;
      const { entry } = readEntry(entryKey, sealed);
      const scans = await view.read((level, snapshot) => readScans(level, day, id, snapshot));
      yield { kind: 'entry', day, entry, scans };
    }
  }
}

async function* traceChanges(view: LevelView, id: TallyId): AsyncGenerator<Trace, void, undefined> {
  for await (const page of view.pages(changeRange(0))) {
    for (const [key, sealed] of page) {
      const entry = decodeSound(key, sealed);
      if (entry !== undefined && 'id' in entry.change && entry.change.id === id)
        yield { kind: 'change', entry };
    }
  }
}
