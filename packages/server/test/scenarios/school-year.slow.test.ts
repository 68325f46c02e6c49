import { expect } from 'chai';
import { usePostgres } from '../../../store-postgres/test/fixtures/postgres.js';
import { dayOf, type Desk } from '../fixtures/people/desk.js';
import { expectRows, rangeOf, tableOf, type Rows } from '../fixtures/people/groups-of.js';
import { Places } from '../fixtures/people/places.js';

const [ADA, BEN, CYD] = ['04A1000001', '04B1000001', '04C1000001'];
const PASSWORD = 'correct horse battery';
const YEAR = ['01-13', '12-19'] as const;
/** Days on which somebody of a class was there: Ben was in 7b until March, and is in 8b from April on. */
const [JANUARY, MARCH, APRIL, JUNE] = ['01-13', '03-31', '04-01', '06-02'];

/** The pupils of a class in the year: name, days that count, and the first scan of each day. */
const CLASSES: Readonly<Record<string, Rows>> = {
  '7b': [
    ['Ada King', '3', '01-13 08:00', '03-31 08:00', '', '06-02 08:00'],
    ['Ben Novak', '2', '01-13 08:05', '03-31 08:05', '(04-01 08:05)', '(06-02 08:05)'],
    ['= 7b', '', '2', '2', '0', '1'],
  ],
  '8b': [
    ['Ben Novak', '2', '(01-13 08:05)', '(03-31 08:05)', '04-01 08:05', '06-02 08:05'],
    ['Cyd Stone', '2', '', '03-31 08:10', '04-01 08:10', ''],
    ['= 8b', '', '0', '1', '2', '1'],
  ],
};
const WHOLE: Rows = [
  ['Ada King', '3', '01-13 08:00', '03-31 08:00', '', '06-02 08:00'],
  ['Ben Novak', '4', '01-13 08:05', '03-31 08:05', '04-01 08:05', '06-02 08:05'],
  ['Cyd Stone', '2', '', '03-31 08:10', '04-01 08:10', ''],
  ['= 7b', '', '2', '2', '0', '1'],
  ['= 8b', '', '0', '1', '2', '1'],
];
const DAYS = {
  '7b': [JANUARY, MARCH, JUNE],
  '8b': [MARCH, APRIL, JUNE],
};
/** What a teacher sees, who is bound to a class: nothing of days outside of it. */
const TEACHERS: Readonly<Record<string, Rows>> = {
  '7b': [
    ['Ada King', '3', '01-13 08:00', '03-31 08:00', '06-02 08:00'],
    ['Ben Novak', '2', '01-13 08:05', '03-31 08:05', ''],
    ['= 7b', '', '2', '2', '1'],
  ],
  '8b': [
    ['Ben Novak', '2', '', '04-01 08:05', '06-02 08:05'],
    ['Cyd Stone', '2', '03-31 08:10', '04-01 08:10', ''],
    ['= 8b', '', '1', '2', '1'],
  ],
};

async function live(desk: Desk): Promise<void> {
  for (const [tag, name, group] of [
    [ADA, 'Ada King', '7b'],
    [BEN, 'Ben Novak', '7b'],
    [CYD, 'Cyd Stone', '8b'],
  ] as const) {
    await desk.name(tag, name);
    await desk.person({ id: `tag-${tag}`, groups: [group] });
  }
  await desk.tap(`${JANUARY} 08:00`, ADA);
  await desk.tap(`${JANUARY} 08:05`, BEN);
  await desk.tap(`${MARCH} 08:00`, ADA);
  await desk.tap(`${MARCH} 08:05`, BEN);
  await desk.tap(`${MARCH} 08:10`, CYD);
  await desk.tap(`${APRIL} 08:05`, BEN);
  await desk.tap(`${APRIL} 08:10`, CYD);
  // The office writes the change down a day late.
  await desk.tap('04-02 07:00', ADA);
  await desk.correct('04-02 07:30', 'void', ADA, '04-02 07:00');
  await desk.person({ id: `tag-${BEN}`, groups: ['8b'], since: APRIL });
  await desk.tap(`${JUNE} 08:00`, ADA);
  await desk.tap(`${JUNE} 08:05`, BEN);
}

async function expectYear(desk: Desk): Promise<void> {
  await expectRows(desk, rangeOf(...YEAR), WHOLE);
  for (const [group, rows] of Object.entries(CLASSES)) await expectRows(desk, rangeOf(...YEAR, group), rows);
  for (const [group, days] of Object.entries(DAYS))
    expect(await desk.json(`/api/days?${rangeOf(...YEAR, group)}`)).to.deep.equal(days.map(dayOf));
}

/** A teacher has the days of their class, and no other ones. */
async function expectTeacher(desk: Desk, group: string, others: readonly string[]): Promise<void> {
  const teacher = await desk.as(`teacher-${group}`, PASSWORD);
  const rows = TEACHERS[group] ?? [];
  await expectRows(teacher, rangeOf(...YEAR), rows);
  await expectRows(teacher, rangeOf(...YEAR, group), rows);
  const { people, groups } = await tableOf(teacher, rangeOf(...YEAR));
  expect(groups.map(({ id }) => id)).to.deep.equal([group]);
  expect(people.flatMap((person) => person.groups)).to.deep.equal(people.map(() => group));
  const told = [
    await teacher.bytes(`/api/table?${rangeOf(...YEAR)}`),
    await teacher.bytes('/api/people'),
    await teacher.bytes('/api/groups'),
    await teacher.bytes('/api/today'),
  ].join('\n');
  for (const other of others) expect(told, other).to.not.include(other);
}

describe('A year of a school by class', () => {
  const places = new Places('01-13 07:00');
  const postgres = usePostgres();

  const kinds = [
    ['LevelDB', (name: string) => `level:${places.folder.path(name)}`],
    ['PostgreSQL', () => postgres.current.site()],
  ] as const;

  for (const [kind, storeOf] of kinds)
    it(`has a pupil who changes class in each class by its days, for each teacher and in a backup, on ${kind}`, async () => {
      const desk = await places.start(storeOf('store'));
      await live(desk);
      await expectYear(desk);
      const copy = await places.copyOf(desk, storeOf('copy'), 2);
      await expectYear(copy);
      await places.end(copy);
      await desk.send('POST', '/api/users', { name: 'head', password: PASSWORD });
      const head = await desk.as('head', PASSWORD);
      for (const group of ['7b', '8b']) {
        const user = { name: `teacher-${group}`, role: 'desk', groups: [group], password: PASSWORD };
        await head.send('POST', '/api/users', user);
      }
      // The id of somebody whose tag was named first has that tag in it, but no list of tags has it.
      await expectTeacher(desk, '7b', ['Cyd', '8b', CYD, `"${BEN}"`]);
      await expectTeacher(desk, '8b', ['Ada', '7b', ADA]);
    });
});
