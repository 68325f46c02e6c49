import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseName, parseTallyId, toDay, toTimestamp } from '../../packages/domain/dist/index.js';
import { LevelStorage } from '../../packages/store-level/dist/index.js';
import { nameOf, tagOf } from '../dataset.mjs';

/** Writes in flight at a time. */
const GROUP = 1_000;

/** Stores with data. Each is made once, through the public API, and copied before its use. */
export class Stores {
  #folder = mkdtemp(join(tmpdir(), 'tallybook-bench-stores-'));
  #made = new Map();

  /**
   * The folder of a store.
   *
   * @param names Number of tags with names.
   * @param days The days, each with its number of ids.
   */
  get(name, { names = 0, days = [] }) {
    if (!this.#made.has(name)) this.#made.set(name, this.#make(name, names, days));
    return this.#made.get(name);
  }

  async #make(name, names, days) {
    const folder = join(await this.#folder, name);
    const storage = new LevelStorage(folder);
    const { mapping, days: attendance } = storage;
    await storage.open();
    await inGroups(names, (n) => mapping.put(parseTallyId(tagOf(n)), parseName(nameOf(n))));
    for (const { day, ids } of days.filter(({ ids }) => ids > GROUP)) {
      for (let from = 0; from < ids; from += GROUP) {
        await attendance.merge(toDay(day), entries(day, from, Math.min(GROUP, ids - from)));
      }
    }
    const small = days.filter(({ ids }) => ids <= GROUP);
    await inGroups(small.length, (n) =>
      attendance.merge(toDay(small[n].day), entries(small[n].day, 0, small[n].ids)),
    );
    await storage.close();
    return folder;
  }
}

async function inGroups(count, write) {
  for (let from = 0; from < count; from += GROUP) {
    await Promise.all(Array.from({ length: Math.min(GROUP, count - from) }, (_, n) => write(from + n)));
  }
}

/** Each person comes one second after the one before, and goes eight hours later. */
function entries(day, from, count) {
  return Array.from({ length: count }, (_, n) => {
    const first = day * 86_400 + from + n;
    return {
      id: parseTallyId(tagOf(from + n)),
      first: toTimestamp(first),
      last: toTimestamp(first + 28_800),
      count: 2,
    };
  });
}
