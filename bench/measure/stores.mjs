import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Calendar,
  implicitPerson,
  parseName,
  parseTallyId,
  PeopleService,
  Timekeeper,
  toDay,
  toTimestamp,
} from '../../packages/domain/dist/index.js';
import { LevelStorage } from '../../packages/store-level/dist/index.js';
import { SystemClock } from '../../packages/system/dist/index.js';
import { FULL_DAY, nameOf, tagOf } from '../dataset.mjs';

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
   * @param handedOn Number of tags that got to another person, in the middle of these days.
   * @param groups Number of groups. Each holder of a named tag is in two, and was in another one until the middle of these days.
   */
  get(name, { names = 0, days = [], handedOn = 0, groups = 0 }) {
    if (!this.#made.has(name)) this.#made.set(name, this.#make(name, { names, days, handedOn, groups }));
    return this.#made.get(name);
  }

  async #make(name, { names, days, handedOn, groups }) {
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
    const middle = days[Math.floor(days.length / 2)]?.day ?? FULL_DAY;
    if (handedOn > 0) await handOn(storage, handedOn, middle);
    if (groups > 0) await divide(storage, { names, groups, day: middle });
    const small = days.filter(({ ids }) => ids <= GROUP);
    await inGroups(small.length, (n) =>
      attendance.merge(toDay(small[n].day), entries(small[n].day, 0, small[n].ids)),
    );
    await storage.close();
    return folder;
  }
}

async function handOn({ people }, count, day) {
  const service = serviceOf(people);
  await inGroups(count, async (n) => {
    const person = await service.add({ name: parseName({ first: `Bob ${n}`, last: 'Babbage' }) });
    await service.act(parseTallyId(tagOf(n)), { act: 'give', person, since: toTimestamp(day * 86_400) });
  });
}

async function divide({ people }, { names, groups, day }) {
  const service = serviceOf(people);
  const groupOf = (n) => `Group ${n % groups}`;
  await inGroups(names, async (n) => {
    const person = implicitPerson(parseTallyId(tagOf(n)));
    await service.correct(person, { groups: [groupOf(n), groupOf(n + 1)] });
    await service.correct(person, { groups: [groupOf(n), groupOf(n + 2)], groupsSince: toDay(day) });
  });
}

function serviceOf(people) {
  const timekeeper = new Timekeeper(new SystemClock());
  return new PeopleService({ people, timekeeper, calendar: new Calendar() });
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
