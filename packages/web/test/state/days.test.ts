import { expect } from 'chai';
import { stepOf } from '../../src/pages/days/year-calendar.js';
import { Answer } from '../../src/state/requests.js';
import {
  dayOfIso,
  firstOfWeek,
  isoOf,
  momentOf,
  parseRange,
  placeInWeek,
  wholeMonth,
  wholeYear,
  yearOf,
} from '../../src/state/days.js';
import { createFormats } from '../../src/state/formats.js';
import {
  countsOf,
  levelOf,
  median,
  pictureOf,
  presencesOf,
  stripOf,
  withToday,
} from '../../src/state/days-table.js';

const MONDAY = 20_150;
const HOUR = 3_600;

describe('days', () => {
  it('have the dates of the calendar', () => {
    expect(isoOf(MONDAY)).to.equal('2025-03-03');
    expect(dayOfIso('2025-03-03')).to.equal(MONDAY);
    expect(dayOfIso('2024-02-29')).to.equal(19_782);
    expect(dayOfIso('1970-01-01')).to.equal(0);
    expect(['2024-12-31', '2025-01-01'].map((date) => yearOf(dayOfIso(date) ?? 0))).to.deep.equal([
      2024, 2025,
    ]);
  });

  for (const text of [
    '',
    '2025-02-29',
    '2025-2-3',
    '1969-12-31',
    '2025-03-03T00:00',
    '3 March 2025',
    '+010000-01-01',
    'x',
  ])
    it(`are not named by ${JSON.stringify(text)}`, () => expect(dayOfIso(text)).to.equal(undefined));

  it('are named by one date of an address, or by two in any order', () => {
    const range = { from: MONDAY, to: MONDAY + 1 };
    expect(parseRange('2025-03-03', undefined)).to.deep.equal({ from: MONDAY, to: MONDAY });
    expect(parseRange('2025-03-03', '2025-03-04')).to.deep.equal(range);
    expect(parseRange('2025-03-04', '2025-03-03')).to.deep.equal(range);
    expect(parseRange('2025-03-04', 'soon')).to.equal(undefined);
    expect(parseRange('soon', '2025-03-04')).to.equal(undefined);
    expect(parseRange(undefined, undefined)).to.equal(undefined);
  });

  it('make months and years, over their ends too', () => {
    const iso = ({ from, to }: { from: number; to: number }): string => `${isoOf(from)}/${isoOf(to)}`;
    expect(iso(wholeYear(2024))).to.equal('2024-01-01/2024-12-31');
    expect(iso(wholeMonth(MONDAY))).to.equal('2025-03-01/2025-03-31');
    expect(iso(wholeMonth(MONDAY, -3))).to.equal('2024-12-01/2024-12-31');
  });

  it('begin their week as where the language is spoken', () => {
    expect(placeInWeek(MONDAY, 1)).to.equal(0);
    expect(placeInWeek(MONDAY, 7)).to.equal(1);
    expect([0, 1, 2].map((day) => placeInWeek(day, 7))).to.deep.equal([4, 5, 6]);
    expect([firstOfWeek('de-DE'), firstOfWeek('en-US')]).to.deep.equal([1, 7]);
  });

  it('begin their week on Monday where the browser does not know when', () => {
    const { Locale } = Intl;
    Object.assign(Intl, {
      Locale: class extends Locale {
        readonly getWeekInfo = undefined;
        readonly weekInfo = undefined;
      },
    });
    try {
      expect(firstOfWeek('en-US')).to.equal(1);
    } finally {
      Object.assign(Intl, { Locale });
    }
    expect(firstOfWeek('en-US')).to.equal(7);
  });

  for (const zone of ['Europe/Berlin', 'Pacific/Kiritimati', 'Pacific/Niue', 'Asia/Kolkata'])
    it(`have a moment one minute before midnight in ${zone}, when clocks are changed too`, () => {
      const { wallClock } = createFormats('en', zone);
      for (const date of ['2025-03-03', '2025-03-29', '2025-03-30', '2025-10-26']) {
        const day = dayOfIso(date) ?? 0;
        expect(wallClock(momentOf(day, wallClock))).to.equal(day * 86_400 + 86_340);
      }
    });
});

describe('keys on the calendar', () => {
  const press = (key: string, day = MONDAY, isRightToLeft = false, held = {}): number | undefined =>
    stepOf({ key, altKey: false, ctrlKey: false, metaKey: false, ...held }, day, 1, isRightToLeft);

  it('lead a day, a week, to the ends of a week, and a month further', () => {
    const days = ['ArrowRight', 'ArrowLeft', 'ArrowDown', 'ArrowUp', 'End'].map((key) => press(key));
    expect(days).to.deep.equal([1, -1, 7, -7, 6].map((step) => MONDAY + step));
    expect(press('Home', MONDAY + 3)).to.equal(MONDAY);
    const lastOfMarch = MONDAY + 28;
    expect(isoOf(press('PageUp', lastOfMarch) ?? 0)).to.equal('2025-02-28');
    expect(isoOf(press('PageDown', lastOfMarch) ?? 0)).to.equal('2025-04-30');
  });

  it('lead the other way where one reads from right to left', () => {
    expect([press('ArrowRight', MONDAY, true), press('ArrowLeft', MONDAY, true)]).to.deep.equal([
      MONDAY - 1,
      MONDAY + 1,
    ]);
  });

  it('lead nowhere that are for something else', () => {
    expect(press('a')).to.equal(undefined);
    expect(press('ArrowLeft', MONDAY, false, { altKey: true })).to.equal(undefined);
  });
});

describe('a table', () => {
  const presence = { first: MONDAY * 86_400 + 8 * HOUR, last: MONDAY * 86_400 + 16 * HOUR, scans: 2 };
  const ada = {
    ...{ person: 'ada', name: { first: 'Ada', last: '' }, number: null, groups: [], ids: ['04A2B3C4D5'] },
    days: { [MONDAY]: presence },
  };
  const grace = {
    person: null,
    name: null,
    number: null,
    groups: [],
    ids: ['0011223344'],
    days: { [MONDAY + 1]: presence, [MONDAY]: presence },
  };
  const nobody = { person: null, name: null, number: null, groups: [], ids: ['04'], days: {} };
  const table = { days: [MONDAY, MONDAY + 1], groups: [], people: [ada, grace, nobody] };

  it('says how many were there on each day', () => {
    expect([...countsOf(table)]).to.have.deep.members([
      [MONDAY, 2],
      [MONDAY + 1, 1],
    ]);
  });

  it('says who was there in a range, by day', () => {
    const present = presencesOf(table, { from: MONDAY, to: MONDAY + 1 });
    expect(present.map(({ person, days }) => [person, days.map(({ day }) => day)])).to.deep.equal([
      [ada, [MONDAY]],
      [grace, [MONDAY, MONDAY + 1]],
    ]);
    expect(presencesOf(table, { from: MONDAY + 1, to: MONDAY + 1 })).to.have.lengthOf(1);
    expect(presencesOf(table, { from: MONDAY - 1, to: MONDAY - 1 })).to.deep.equal([]);
    const early = presencesOf(table, { from: MONDAY, to: MONDAY }).map(({ days }) =>
      days.map(({ day }) => day),
    );
    expect(early).to.deep.equal([[MONDAY], [MONDAY]]);
  });

  const noon = MONDAY * 86_400 + 12 * HOUR;
  const nowhere = { groups: [], guest: null };
  const here = {
    ...nowhere,
    name: null,
    mark: '',
    number: null,
    first: noon,
    last: noon + 60,
    count: 3,
    reader: 'door',
  };
  const now = { first: noon, last: noon + 60, scans: 3 };

  it('has who is here today as the taps say it, and who came first just now', () => {
    const people = [
      { ...here, key: 'ada', name: ada.name, ids: ['04A2B3C4D5', '04FFFFFFFF'] },
      { ...here, key: 'grace', name: { first: 'Grace', last: 'Hopper' }, ids: ['0055'] },
      { ...here, key: '#0066', ids: ['0066'], first: null, last: null },
      { ...here, key: '#0011223344', ids: ['0011223344'] },
    ];
    const live = withToday(table, { from: MONDAY, to: MONDAY + 9 }, MONDAY + 2, people);
    expect(live.days).to.deep.equal([MONDAY, MONDAY + 1, MONDAY + 2]);
    expect(live.people).to.deep.equal([
      { ...ada, days: { ...ada.days, [MONDAY + 2]: now } },
      {
        ...{
          person: 'grace',
          name: { first: 'Grace', last: 'Hopper' },
          number: null,
          groups: [],
          ids: ['0055'],
        },
        days: { [MONDAY + 2]: now },
      },
      { ...grace, days: { ...grace.days, [MONDAY + 2]: now } },
      nobody,
    ]);
  });

  it('counts those of each group who are here today', () => {
    const seventh = { id: '7b', name: '7b', days: { [MONDAY]: 1 } };
    const board = { id: 'board', name: 'Board', days: { [MONDAY]: 2 } };
    const people = [
      { ...here, key: 'ada', name: ada.name, groups: ['7b'], ids: ['04A2B3C4D5'] },
      { ...here, key: 'grace', name: grace.name, groups: ['7b'], ids: ['0055'] },
    ];
    const live = withToday(
      { ...table, groups: [seventh, board] },
      { from: MONDAY, to: MONDAY + 9 },
      MONDAY + 2,
      people,
    );
    expect(live.groups).to.deep.equal([{ ...seventh, days: { [MONDAY]: 1, [MONDAY + 2]: 2 } }, board]);
  });

  it('does not count days on which a person was not in the chosen group', () => {
    const outside = { ...presence, isOutside: true as const };
    const moved = { ...grace, days: { [MONDAY]: outside, [MONDAY + 1]: presence } };
    const ofGroup = { ...table, people: [{ ...ada, days: { [MONDAY]: outside } }, moved] };
    expect([...countsOf(ofGroup)]).to.deep.equal([[MONDAY + 1, 1]]);
    const present = presencesOf(ofGroup, { from: MONDAY, to: MONDAY + 1 });
    expect(present.map(({ person, days }) => [person, days.map(({ day }) => day)])).to.deep.equal([
      [moved, [MONDAY + 1]],
    ]);
  });

  it('stays as it is where today is not in it, or nobody is here', () => {
    const people = [{ ...here, key: 'ada', ids: ['04A2B3C4D5'] }];
    const range = { from: MONDAY, to: MONDAY + 1 };
    expect(withToday(table, range, MONDAY + 2, people)).to.equal(table);
    expect(withToday(table, range, MONDAY - 1, people)).to.equal(table);
    expect(withToday(table, range, undefined, people)).to.equal(table);
    expect(withToday(table, range, MONDAY, [])).to.equal(table);
  });

  it('has today also where it is the first or the last day', () => {
    const people = [{ ...here, key: 'ada', name: ada.name, ids: ['04A2B3C4D5'] }];
    for (const today of [MONDAY, MONDAY + 1]) {
      const live = withToday(table, { from: MONDAY, to: MONDAY + 1 }, today, people);
      expect(live.people[0]?.days).to.deep.equal({ ...ada.days, [today]: now });
      expect(live.days).to.deep.equal([MONDAY, MONDAY + 1]);
    }
  });

  it('has levels from none to the most of all days; one person is seen among many', () => {
    expect([0, 1, 25, 26, 100].map((count) => levelOf(count, 100))).to.deep.equal([0, 1, 1, 2, 4]);
    expect(levelOf(1, 1)).to.equal(4);
  });

  it('has a median of counts, the lower one of two', () => {
    expect([median([]), median([3]), median([9, 1, 5]), median([4, 3, 2, 1])]).to.deep.equal([
      undefined,
      3,
      5,
      2,
    ]);
  });

  it('makes a picture: a bar from the first tap to the last, at least as high as can be seen', () => {
    const wallClock = (at: number): number => at;
    const range = { from: MONDAY - 1, to: MONDAY + 1 };
    const day = { day: MONDAY, ...presence };
    expect(pictureOf([day], range, wallClock)).to.deep.equal({
      hours: { from: 8, to: 16 },
      path: 'M1.1 480h.8v480h-.8z',
    });
    const short = { ...day, last: day.first };
    expect(pictureOf([short], range, wallClock)).to.deep.equal({
      hours: { from: 8, to: 9 },
      path: 'M1.1 480h.8v12h-.8z',
    });
    const late = { ...day, last: (MONDAY + 1) * 86_400 + 2 * HOUR };
    expect(pictureOf([late], range, wallClock).hours).to.deep.equal({ from: 8, to: 26 });
    expect(stripOf([day], range)).to.equal('M1 0h.9v1h-.9z');
    const two = [{ ...day, day: MONDAY - 1, first: day.first - 86_400, last: day.last - 86_400 }, day];
    expect(pictureOf(two, range, wallClock).path).to.equal('M0.1 480h.8v480h-.8zM1.1 480h.8v480h-.8z');
    expect(stripOf(two, range)).to.equal('M0 0h.9v1h-.9zM1 0h.9v1h-.9z');
  });
});

describe('Answer', () => {
  it('is that to the last question, whichever comes first', async () => {
    const answer = new Answer<string>();
    let reply: (text: string) => void = () => undefined;
    const early = answer.ask(() => new Promise((resolve) => (reply = resolve)));
    await answer.ask(() => Promise.resolve('second'));
    reply('first');
    await early;
    expect(answer.value.value).to.equal('second');
  });

  it('stays when a later question has none', async () => {
    const answer = new Answer<string>();
    await answer.ask(() => Promise.resolve('known'));
    await answer.ask((_, known) => Promise.reject(new Error(known)));
    expect([answer.value.value, answer.isMissing.value]).to.deep.equal(['known', true]);
    await answer.ask((_, known) => Promise.resolve(`${known}, again`));
    expect([answer.value.value, answer.isMissing.value]).to.deep.equal(['known, again', false]);
  });

  it('is not missing if nobody waits for it any more', async () => {
    const answer = new Answer<string>();
    const asking = answer.ask(
      (signal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('given up')))),
    );
    answer.giveUp();
    await asking;
    expect(answer.isMissing.value).to.equal(false);
  });
});
