import { expect } from 'chai';
import { usePostgres } from '../../../store-postgres/test/fixtures/postgres.js';
import { secondOf, type Desk } from '../fixtures/people/desk.js';
import { Places } from '../fixtures/people/places.js';
import {
  mappingOf,
  scansOfEntries,
  tagsInDoubt,
  timelinesOf,
  yearOfCsv,
  yearOfTable,
  yearOfXlsx,
  type Year,
} from '../fixtures/people/year-of.js';

const [ANNA, ANNA_TOO, BEN, BEN_NEW] = ['04A1000001', '04A1000002', '04B1000001', '04B1000002'];
const [CARLA, EMIL, GINA] = ['04C1000001', '04E1000001', '0471000001'];
/** Tags that two desks give to two persons: since one second, and minutes apart. */
const [ONE_SECOND, APART] = ['04D1000001', '04D1000002'];

/** The year of those who are not erased, by name, number and tags; and of lost tags, which no table counts. */
const OTHERS: Year = {
  'Anna Schmidt 1 04A1000001': ['01-10 08:00', '02-03 08:00', '12-01 08:00', '12-20 08:00'],
  'Ben Novak 3 04B1000001, 04B1000002': ['01-10 08:02', '03-03 08:00', '05-06 08:00'],
  'Dora Klein 7 04C1000001': ['06-10 09:00', '06-11 08:00'],
  'Emil Weber 5 04E1000001': ['06-30 08:00', '07-02 08:00', '07-07 08:15', '07-16 08:00'],
  'Fritz Lang 8': [],
  'Gina Moreau 6': ['08-04 08:00'],
  'Hugo Brandt 9 0471000001': ['09-02 08:00'],
  'Ida Sommer 10': ['10-05 12:02'],
  'Jan Winter 11 04D1000001, 04D1000002': ['10-01 12:05', '10-03 08:00', '10-05 12:10'],
  // The stranger in April, and the finder in August.
  '04B1000001': ['04-07 17:00'],
  '0471000001': ['08-20 08:00'],
};
/** The year of everybody: also of a namesake, and of one who handed her tag on, who are erased in the end. */
const YEAR: Year = {
  ...OTHERS,
  'Anna Schmidt 2 04A1000002': ['01-10 08:01', '02-03 08:30', '12-01 08:05', '12-20 08:05'],
  'Carla Rossi 4': ['06-02 08:00', '06-10 08:00'],
};
const ERASED = [`tag-${ANNA_TOO}`, `tag-${CARLA}`];

const TIMELINES = {
  [ANNA]: ['Anna Schmidt 1'],
  [ANNA_TOO]: ['Anna Schmidt 2'],
  [BEN]: ['Ben Novak 3', 'lost 03-10 09:00'],
  [BEN_NEW]: ['Ben Novak 3'],
  [CARLA]: ['Carla Rossi 4', 'Dora Klein 7 06-10 09:00'],
  [EMIL]: ['Emil Weber 5'],
  [GINA]: ['Gina Moreau 6', 'lost 08-05 09:00', 'Hugo Brandt 9 09-01 09:00'],
  [ONE_SECOND]: ['Jan Winter 11 10-01 12:00'],
  [APART]: ['Ida Sommer 10 10-05 12:00', 'Jan Winter 11 10-05 12:05'],
};

const MAPPING = {
  tags: {
    [ANNA]: 'Anna Schmidt',
    [ANNA_TOO]: 'Anna Schmidt',
    [BEN_NEW]: 'Ben Novak',
    [CARLA]: 'Dora Klein',
    [EMIL]: 'Emil Weber',
    [GINA]: 'Hugo Brandt',
    [ONE_SECOND]: 'Jan Winter',
    [APART]: 'Jan Winter',
  },
  // Who was without a tag once, if only by a mistake.
  lastResorts: [
    ...['Ben Novak', 'Carla Rossi', 'Dora Klein', 'Emil Weber', 'Fritz Lang', 'Gina Moreau', 'Hugo Brandt'],
    ...['Ida Sommer', 'Jan Winter'],
  ],
};

/** An office and a hall. They may be one desk; or two places, of which the hall is offline from February on. */
interface Site {
  readonly office: Desk;
  readonly hall: Desk;
}

type Persons = Readonly<Record<'ben' | 'dora' | 'fritz' | 'hugo' | 'ida' | 'jan', string>>;

/** In January all are registered. */
async function register({ office, hall }: Site): Promise<Persons> {
  const tagged = [
    ...([
      [ANNA, 'Anna Schmidt'],
      [ANNA_TOO, 'Anna Schmidt'],
      [BEN, 'Ben Novak'],
    ] as const),
    ...([
      [CARLA, 'Carla Rossi'],
      [EMIL, 'Emil Weber'],
      [GINA, 'Gina Moreau'],
    ] as const),
  ];
  for (const [index, [tag, name]] of tagged.entries()) {
    await office.name(tag, name);
    await office.person({ id: `tag-${tag}`, number: String(index + 1) });
  }
  const add = async (name: string, number: string): Promise<string> =>
    (await office.person({ name, number })).id;
  await hall.tap('01-10 08:00', ANNA);
  await hall.tap('01-10 08:01', ANNA_TOO);
  await hall.tap('01-10 08:02', BEN);
  return {
    ben: `tag-${BEN}`,
    dora: await add('Dora Klein', '7'),
    fritz: await add('Fritz Lang', '8'),
    hugo: await add('Hugo Brandt', '9'),
    ida: await add('Ida Sommer', '10'),
    jan: await add('Jan Winter', '11'),
  };
}

/** February to December. */
async function live({ office, hall }: Site, { ben, dora, fritz, hugo, ida, jan }: Persons): Promise<void> {
  // One of two namesakes forgets to tap; somebody taps with the tag of the other one.
  await hall.tap('02-03 08:00', ANNA);
  await office.correct('02-04 09:00', 'add', ANNA_TOO, '02-03 08:30');
  await hall.tap('02-05 08:00', ANNA);
  await hall.correct('02-06 09:00', 'void', ANNA, '02-05 08:00');

  // A tag is lost in March, tapped by a stranger in April, and replaced in May.
  await hall.tap('03-03 08:00', BEN);
  await hall.act('03-10 09:00', BEN, 'lost');
  await hall.tap('04-07 17:00', BEN);
  await office.act('05-05 09:00', BEN_NEW, 'give', { person: ben });
  await office.tap('05-06 08:00', BEN_NEW);

  // A tag is handed on in June, between the taps of one day.
  await hall.tap('06-02 08:00', CARLA);
  await hall.tap('06-10 08:00', CARLA);
  await hall.act('06-10 09:00', CARLA, 'give', { person: dora });
  await hall.tap('06-10 09:00', CARLA);
  await hall.tap('06-10 18:00', CARLA);
  await hall.tap('06-11 08:00', CARLA);

  // A tag is handed on by mistake, which is undone two weeks later.
  await hall.tap('06-30 08:00', EMIL);
  await office.act('07-01 09:00', EMIL, 'give', { person: fritz });
  await hall.tap('07-02 08:00', EMIL);
  await office.correct('07-08 09:00', 'add', EMIL, '07-07 08:15');
  await office.act('07-15 09:00', EMIL, 'undo');
  await hall.tap('07-16 08:00', EMIL);

  // A member finds a lost tag, tries it, and is given it.
  await hall.tap('08-04 08:00', GINA);
  await hall.act('08-05 09:00', GINA, 'lost');
  await hall.tap('08-20 08:00', GINA);
  await office.act('09-01 09:00', GINA, 'give', { person: hugo });
  await hall.tap('09-02 08:00', GINA);

  // Two desks give one tag to two persons since one second: the later act counts.
  await hall.tap('10-01 12:05', ONE_SECOND);
  await hall.act('10-01 12:10', ONE_SECOND, 'give', { person: ida, since: '10-01 12:00' });
  await office.act('10-01 12:11', ONE_SECOND, 'give', { person: jan, since: '10-01 12:00' });
  await hall.tap('10-03 08:00', ONE_SECOND);

  // Two desks give one tag to two persons minutes apart, and each of them taps.
  await hall.act('10-05 12:00', APART, 'give', { person: ida, since: '10-05 12:00' });
  await hall.tap('10-05 12:02', APART);
  await office.act('10-05 12:05', APART, 'give', { person: jan, since: '10-05 12:05' });
  await office.tap('10-05 12:10', APART);
  await hall.tap('12-01 08:00', ANNA);
  await hall.tap('12-01 08:05', ANNA_TOO);
}

/** A year at the hall: a centre sends no taps to its stations. */
function atHall(year: Year): Year {
  const taps = ['05-06 08:00', '10-05 12:10'];
  return Object.fromEntries(
    Object.entries(year).map(([row, times]) => [row, times.filter((time) => !taps.includes(time))]),
  );
}

/** All views of the year agree, and show these persons. */
async function expectYear(desk: Desk, year: Year): Promise<void> {
  const counted = Object.fromEntries(Object.entries(year).filter(([row]) => row !== BEN && row !== GINA));
  expect(await yearOfTable(desk), 'table').to.deep.equal(counted);
  expect(await yearOfCsv(desk), 'CSV').to.deep.equal(counted);
  expect(await yearOfXlsx(desk), 'XLSX').to.deep.equal(counted);
  const scans = Object.entries(year).flatMap(([row, times]) => {
    const name = /^[A-Z][a-z]+ [A-Z][a-z]+ \d+/.exec(row)?.[0] ?? '';
    return times.map((time) => `${time} ${name}`.trim());
  });
  expect(await scansOfEntries(desk), 'entries').to.deep.equal(scans.sort());
}

/** The whole year of everybody, with both namesakes. */
async function expectAll(desk: Desk, year = YEAR): Promise<void> {
  await expectYear(desk, year);
  expect(await timelinesOf(desk)).to.deep.equal(TIMELINES);
  expect(await mappingOf(desk)).to.deep.equal(MAPPING);
  expect(await idsOf(desk, '02-03 08:00')).to.deep.equal([ANNA, ANNA_TOO]);
  expect(await idsOf(desk, '02-05 08:00')).to.deep.equal([]);
}

/** The year of those who are not erased. */
async function expectOthers(desk: Desk, year = OTHERS): Promise<void> {
  const { [ANNA_TOO]: _, ...timelines } = TIMELINES;
  const { [ANNA_TOO]: __, ...tags } = MAPPING.tags;
  await expectYear(desk, year);
  expect(await timelinesOf(desk)).to.deep.equal({
    ...timelines,
    [CARLA]: ['removed', 'Dora Klein 7 06-10 09:00'],
  });
  const lastResorts = MAPPING.lastResorts.filter((name) => name !== 'Carla Rossi');
  expect(await mappingOf(desk)).to.deep.equal({ tags, lastResorts });
  expect(await idsOf(desk, '02-03 08:00')).to.deep.equal([ANNA]);
  expect(await idsOf(desk, '06-02 08:00')).to.deep.equal([]);
}

/** The tags of the day of a time, in the order of the record. */
async function idsOf(desk: Desk, time: string): Promise<readonly string[]> {
  const response = await fetch(`${desk.url}/api/day?timestamp=${secondOf(time)}`);
  const text = await response.text();
  return response.status === 404 ? [] : (JSON.parse(text) as { readonly ids: readonly string[] }).ids;
}

/** In December both namesakes are there, and count as two. */
async function endYear({ hall }: Site): Promise<void> {
  await hall.tap('12-20 08:00', ANNA);
  await hall.tap('12-20 08:05', ANNA_TOO);
  const { entries } = await hall.json<{ entries: readonly { readonly id: string }[] }>('/api/today');
  expect(entries.map(({ id }) => id)).to.deep.equal([ANNA, ANNA_TOO]);
}

describe('A year of persons and their tags', () => {
  const places = new Places('01-10 07:00');
  const postgres = usePostgres();

  const kinds = [
    ['LevelDB', (name: string) => `level:${places.folder.path(name)}`, 'PostgreSQL'],
    ['PostgreSQL', () => postgres.current.site(), 'LevelDB'],
  ] as const;
  const otherStore = (kind: string): string =>
    kind === 'LevelDB' ? postgres.current.site() : `level:${places.folder.path('copy')}`;
  /** Both places register everybody in January, and the hall is offline from then on. */
  const part = (store: string) => places.part(store, register, ({ jan }) => jan);

  for (const [kind, storeOf, other] of kinds) {
    it(`is right on ${kind}, and after a backup went round into an empty ${other}`, async () => {
      const desk = await places.start(storeOf('store'));
      const site = { office: desk, hall: desk };
      const persons = await register(site);
      await live(site, persons);
      await endYear(site);
      await expectAll(desk);
      expect(await tagsInDoubt(desk)).to.deep.equal([]);
      const copy = await places.copyOf(desk, otherStore(kind));
      await expectAll(copy);
      await places.end(copy);
      await desk.erase('12-21 09:00', ...ERASED);
      await expectOthers(desk);
      await expectOthers(await places.copyOf(desk, storeOf('erased')));
    });

    it(`is right at a centre on ${kind}, and at its station, which was offline from February on`, async () => {
      const { office, offline, before: persons, meet } = await part(storeOf('centre'));
      await live({ office, hall: offline }, persons);
      await endYear({ office, hall: offline });
      const hall = await meet();
      await expectAll(office);
      await expectAll(hall, atHall(YEAR));
      for (const desk of [office, hall])
        expect(await tagsInDoubt(desk)).to.deep.equal([GINA, ONE_SECOND, APART]);
      await office.erase('12-21 09:00', ...ERASED);
      await places.isCaughtUp(hall, office, persons.jan);
      await expectOthers(office);
      await expectOthers(hall, atHall(OTHERS));
    });

    it(`has nothing of a namesake whom a centre on ${kind} erased while its station was offline`, async () => {
      const { office, offline, before: persons, meet } = await part(storeOf('centre'));
      await live({ office, hall: offline }, persons);
      await endYear({ office, hall: offline });
      await office.erase('12-21 09:00', `tag-${ANNA_TOO}`);
      const hall = await meet();
      // The office learned only now who held this tag since June.
      await office.erase('12-22 09:00', `tag-${CARLA}`);
      await places.isCaughtUp(hall, office, persons.jan);
      await expectOthers(office);
      await expectOthers(hall, atHall(OTHERS));
    });
  }
});
