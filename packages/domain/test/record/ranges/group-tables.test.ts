import {
  groupOfName,
  parseTallyId,
  toDay,
  toTimestamp,
  type PersonId,
  type TallyId,
} from '@tallybook/domain';
import { RangeService } from '@tallybook/domain/record';
import { expect } from 'chai';
import fc from 'fast-check';
import { listOf } from '../../fixtures/streams.js';
import { PeoplePlace } from '../../fixtures/people-place.js';

const DAYS = 12;
const NAMES = ['Ada', 'Bob', 'Cy', 'Dee'] as const;
const GROUPS = ['7a', '7b', 'Board', 'Squad'] as const;

const at = (day: number) => toTimestamp(day * 86_400 + 60);
/** Each person has two tags. */
const tagOf = (person: number, which = 0): TallyId => parseTallyId(`0A0${which}0${person}`);

/** A person is in these groups from a day on, in the order in which it was said. */
interface Move {
  readonly person: number;
  readonly since: number;
  readonly groups: readonly string[];
}

interface Year {
  readonly moves: readonly Move[];
  readonly taps: readonly (readonly [person: number, day: number, which?: number])[];
  readonly merged: readonly string[];
}

const day = fc.integer({ min: 0, max: DAYS });
const person = fc.integer({ min: 0, max: NAMES.length - 1 });
const years: fc.Arbitrary<Year> = fc.record({
  moves: fc.array(
    fc.record({ person, since: day, groups: fc.uniqueArray(fc.constantFrom(...GROUPS), { maxLength: 3 }) }),
    { maxLength: 8 },
  ),
  taps: fc.array(fc.tuple(person, day, fc.nat(1)), { maxLength: 30 }),
  merged: fc.uniqueArray(fc.constantFrom(...GROUPS), { maxLength: 2 }),
});

async function start({ moves, taps, merged }: Year) {
  const { storage, people: service } = await PeoplePlace.open(at(DAYS));
  const { mapping, days, people, snapshots } = storage;
  const ids: PersonId[] = [];
  for (const [index, first] of NAMES.entries()) {
    const id = await service.add({ name: { first, last: '' } });
    for (const which of [0, 1])
      await service.act(tagOf(index, which), { act: 'give', person: id, since: toTimestamp(0) });
    ids.push(id);
  }
  for (const { person: index, since, groups } of moves) {
    const id = ids[index];
    if (id !== undefined) await service.correct(id, { groups, groupsSince: toDay(since) });
  }
  const used = new Set(moves.flatMap(({ groups }) => groups.map(groupOfName)));
  const [one, other] = merged.map(groupOfName);
  if (one !== undefined && other !== undefined && used.has(one) && used.has(other))
    await service.groups.merge(one, other);
  for (const [index, on, which] of taps) await days.record(toDay(on), tagOf(index, which), at(on));
  return { ids, ranges: new RangeService({ mapping, days, people, snapshots }) };
}

/** The groups of each person on each day, said in the plainest way. */
function plainGroups({ moves, merged }: Year): readonly (readonly ReadonlySet<string>[])[] {
  const all = NAMES.map(() => Array.from({ length: DAYS + 1 }, () => new Set<string>()));
  for (const { person: index, since, groups } of moves)
    for (let on = since; on <= DAYS; on++) all[index]?.splice(on, 1, new Set(groups.map(groupOfName)));
  const used = new Set(moves.flatMap(({ groups }) => groups.map(groupOfName)));
  const [one, other] = [...merged.map(groupOfName)].sort();
  const areOne = one !== undefined && other !== undefined && used.has(one) && used.has(other);
  const named = (group: string): string => (areOne && group === other ? one : group);
  return all.map((its) => its.map((groups) => new Set([...groups].map(named))));
}

/** The table of a range, as plain data. */
function plainTable(year: Year, from: number, to: number, group?: string) {
  const groups = plainGroups(year);
  const range = Array.from({ length: Math.max(to - from + 1, 0) }, (_, index) => from + index);
  const wasThere = (index: number, on: number): boolean =>
    year.taps.some(([who, when]) => who === index && when === on);
  const groupsOf = (index: number): readonly string[] =>
    [...new Set(range.flatMap((on) => [...(groups[index]?.[on] ?? [])]))].sort();
  const rows = [...NAMES.keys()].filter((index) => group === undefined || groupsOf(index).includes(group));
  return {
    people: rows.map((index) => ({
      name: NAMES[index],
      groups: groupsOf(index),
      days: range
        .filter((on) => wasThere(index, on))
        .map((on) => ({
          on,
          isOutside: group === undefined ? undefined : groups[index]?.[on]?.has(group) ? undefined : true,
        })),
    })),
    counts: (group === undefined ? [...new Set(rows.flatMap(groupsOf))].sort() : [group]).map((each) => ({
      group: each,
      days: range.flatMap((on) => {
        const count = rows.filter(
          (index) => wasThere(index, on) && groups[index]?.[on]?.has(each) === true,
        ).length;
        return count === 0 ? [] : [[on, count] as const];
      }),
    })),
  };
}

async function tableOf(ranges: RangeService, from: number, to: number, group?: string) {
  const chosen = group === undefined ? {} : { group: groupOfName(group) };
  await using range = await ranges.open(toDay(from), toDay(to), chosen);
  const table = await range.table(() => Promise.resolve());
  const people = [];
  for (const [place, { name, groups }] of table.people.entries()) {
    const days = await table.presencesOf(place);
    people.push({
      ...{ name: name?.first, groups },
      days: days.map(({ day: on, isOutside }) => ({ on, isOutside })),
    });
  }
  const counts = table.groups.map(({ id, days }) => ({ group: id, days: [...days] }));
  counts.sort((a, b) => (a.group < b.group ? -1 : 1));
  return { people, counts, days: await range.days() };
}

describe('A table of persons in groups', () => {
  it('agrees with a plain computation, for each group and without one', async () => {
    await fc.assert(
      fc.asyncProperty(years, day, day, async (year, from, to) => {
        const { ranges } = await start(year);
        const known = new Set(plainGroups(year).flatMap((its) => its.flatMap((groups) => [...groups])));
        for (const group of [undefined, ...known]) {
          const { days, ...table } = await tableOf(ranges, from, to, group);
          const plain = plainTable(year, from, to, group);
          expect(table).to.deep.equal(plain);
          if (group !== undefined)
            expect(days).to.deep.equal(plain.counts.flatMap((each) => each.days.map(([on]) => on)));
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('A range of a group', () => {
  const year: Year = {
    moves: [
      { person: 0, since: 0, groups: ['7a'] },
      { person: 0, since: 5, groups: ['7b', 'Squad'] },
      { person: 1, since: 0, groups: ['7b'] },
    ],
    taps: [...[4, 5, 6].map((on) => [0, on] as const), ...[4, 6].map((on) => [1, on] as const), [2, 4]],
    merged: [],
  };

  it('has entries of the days in the group alone, with the groups of that day', async () => {
    const { ranges } = await start(year);
    await using range = await ranges.open(toDay(0), toDay(9), { group: groupOfName('7B') });
    const entries = await listOf(range.entries());
    expect(entries.map(({ day: on, name, groups }) => [on, name?.first, groups])).to.deep.equal([
      [4, 'Bob', ['7b']],
      [5, 'Ada', ['7b', 'Squad']],
      [6, 'Ada', ['7b', 'Squad']],
      [6, 'Bob', ['7b']],
    ]);
  });

  it('with codes has only the days in the group, and names no group', async () => {
    const { ranges } = await start(year);
    const codes = new Map<string, string>();
    const codeOf = (whose: string): string => {
      const code = codes.get(whose) ?? `P${codes.size}`;
      codes.set(whose, code);
      return code;
    };
    await using range = await ranges.open(toDay(0), toDay(9), { group: groupOfName('7b'), codeOf });
    const table = await range.table(() => Promise.resolve());
    const days = await Promise.all(table.people.map((_, place) => table.presencesOf(place)));
    expect(table.people.map(({ id, groups, lastGroups }) => [id, groups, lastGroups])).to.deep.equal([
      [undefined, [], []],
      [undefined, [], []],
    ]);
    expect(days.map((its) => its.map(({ day: on }) => on)).sort()).to.deep.equal([
      [4, 6],
      [5, 6],
    ]);
    expect(table.groups).to.deep.equal([]);
  });

  it('has the groups of today, or of the last day of the range if that is earlier', async () => {
    const { ranges } = await start(year);
    const lastOf = async (to: number, today?: number): Promise<unknown> => {
      const choice = today === undefined ? {} : { today: toDay(today) };
      await using range = await ranges.open(toDay(0), toDay(to), choice);
      const { people } = await range.table(() => Promise.resolve());
      return people[0]?.lastGroups;
    };
    expect(await lastOf(9)).to.deep.equal(['7b', 'squad']);
    expect(await lastOf(9, 4)).to.deep.equal(['7a']);
    expect(await lastOf(4, 9)).to.deep.equal(['7a']);
  });

  it('has the number of persons of each group on each day, whatever their tags', async () => {
    const { ranges } = await start({ ...year, taps: [...year.taps, [1, 6, 1]] });
    await using range = await ranges.open(toDay(0), toDay(9));
    const table = await range.table(() => Promise.resolve());
    expect(table.groups.map(({ name, days }) => [name, [...days]])).to.deep.equal([
      ['7a', [[4, 1]]],
      [
        '7b',
        [
          [4, 1],
          [5, 1],
          [6, 2],
        ],
      ],
      [
        'Squad',
        [
          [5, 1],
          [6, 1],
        ],
      ],
    ]);
  });
});
