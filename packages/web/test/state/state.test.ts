import type { ServiceTime } from '@tallybook/client';
import { expect } from 'chai';
import { Connection, ServiceClock } from '../../src/state/service.js';
import { compareByName, foldedOf, searchFor } from '../../src/state/people/people.js';
import type { Person } from '../../src/state/presence.js';
import { Toasts } from '../../src/state/toasts.js';
import { NOON, StubService, TODAY } from '../fixtures/stub-service.js';

describe('Connection', () => {
  let nowMs = 0;
  let connection: Connection;

  beforeEach(() => {
    nowMs = 1_000;
    connection = new Connection(() => nowMs);
  });

  it('is lost since the page was opened, if the first attempt fails', () => {
    nowMs = 5_000;
    connection.note('waiting');
    expect(connection.current.value).to.deep.equal({ state: 'waiting', sinceMs: 1_000 });
  });

  it('stays lost since the loss, however often it is tried again', () => {
    connection.note('open');
    nowMs = 9_000;
    connection.note('waiting');
    for (const state of ['connecting', 'waiting'] as const) {
      nowMs += 5_000;
      connection.note(state);
    }
    expect(connection.current.value).to.deep.equal({ state: 'waiting', sinceMs: 9_000 });
  });

  it('shows nothing of a connection that is opened anew at once', () => {
    connection.note('open');
    connection.note('connecting');
    connection.beat();
    expect(connection.current.value.state).to.equal('open');
  });

  it('is lost since it was opened anew, if that takes long', () => {
    connection.note('open');
    nowMs = 2_000;
    connection.note('connecting');
    nowMs = 6_000;
    connection.beat();
    expect(connection.current.value).to.deep.equal({ state: 'waiting', sinceMs: 2_000 });
  });

  it('is lost since the service was heard last', () => {
    connection.note('open');
    nowMs = 30_000;
    connection.note('waiting', 10_000);
    expect(connection.current.value).to.deep.equal({ state: 'waiting', sinceMs: 10_000 });
  });

  it('is opened anew without being shown as lost, however long nothing was heard before', () => {
    connection.note('open');
    nowMs = 30_000;
    connection.note('connecting', 10_000);
    connection.beat();
    expect(connection.current.value.state).to.equal('open');
    nowMs = 32_001;
    connection.beat();
    expect(connection.current.value).to.deep.equal({ state: 'waiting', sinceMs: 10_000 });
  });

  it('is open since it was opened, the first time and after a loss', () => {
    nowMs = 5_000;
    connection.note('open');
    expect(connection.current.value).to.deep.equal({ state: 'open', sinceMs: 5_000 });
    connection.note('waiting');
    nowMs = 8_000;
    connection.note('connecting');
    nowMs = 9_000;
    connection.note('open');
    expect(connection.current.value).to.deep.equal({ state: 'open', sinceMs: 9_000 });
  });

  it('is not shown as lost while it has been opened anew for two seconds or less', () => {
    connection.note('open');
    nowMs = 20_000;
    connection.note('connecting');
    nowMs = 22_000;
    connection.beat();
    expect(connection.current.value.state).to.equal('open');
    nowMs = 22_001;
    connection.beat();
    expect(connection.current.value).to.deep.equal({ state: 'waiting', sinceMs: 20_000 });
  });
});

describe('ServiceClock', () => {
  it('goes on from what the service said, whatever the clock of the browser shows', async () => {
    let nowMs = 0;
    const clock = new ServiceClock(new StubService(), () => nowMs);
    await clock.refresh();
    nowMs = 5_000;
    expect(clock.now()).to.equal(NOON + 5);
    expect(clock.toServiceTime(2_000)).to.equal(NOON + 2);
  });

  it('tells only what has changed', async () => {
    const service = new StubService();
    const clock = new ServiceClock(service, () => 0);
    await clock.refresh();
    const { value } = clock.told;
    service.time = { ...service.time, time: NOON + 60 };
    await clock.refresh();
    expect(clock.told.value).to.equal(value);
    service.time = { ...service.time, day: TODAY + 1 };
    await clock.refresh();
    expect(clock.told.value?.day).to.equal(TODAY + 1);
  });

  for (const change of [{ isTrusted: false }, { zone: 'Asia/Tokyo' }, { dayStart: '04:00' }]) {
    it(`tells that it has changed where ${Object.keys(change).join()} has`, async () => {
      const service = new StubService();
      const clock = new ServiceClock(service, () => 0);
      await clock.refresh();
      service.time = { ...service.time, ...change } as ServiceTime;
      await clock.refresh();
      expect(clock.told.value).to.deep.include(change);
    });
  }
});

describe('the list of people', () => {
  const person = (first: string, last: string, id = ''): Person => ({
    key: id,
    mark: '',
    number: null,
    groups: [],
    guest: null,
    name: first === '' && last === '' ? null : { first, last },
    ids: [id],
    first: 0,
    last: 0,
    count: 1,
    reader: undefined,
  });

  it('is sorted as the language sorts, by last and first name, unnamed tags first', () => {
    const people = [
      person('Zoë', 'Ångström'),
      person('Ada', 'Zuse'),
      person('', '', '04'),
      person('Otto', ''),
      person('Anna', 'Ångström'),
    ];
    const sorted = people.sort(compareByName('de')).map(({ name }) => name?.first);
    expect(sorted).to.deep.equal([undefined, 'Anna', 'Zoë', 'Otto', 'Ada']);
  });

  it('is searched by every word, without accents and case, and by id', () => {
    const one = person('Jürgen', 'Müller-Lüdenscheidt', '04A2');
    for (const search of ['', 'mull', 'JURGEN lüd', '04a2'])
      expect(searchFor(search)(foldedOf(one))).to.equal(true);
    for (const search of ['meier', 'jurgen meier']) expect(searchFor(search)(foldedOf(one))).to.equal(false);
  });

  it('has an unnamed tag for its id alone, and nobody for what lies across two ids', () => {
    const nameless = { name: null, ids: ['04A2', '0011'] };
    for (const search of ['', '04a2', '0011 a2'])
      expect(searchFor(search)(foldedOf(nameless))).to.equal(true);
    for (const search of ['200', 'null', 'er']) expect(searchFor(search)(foldedOf(nameless))).to.equal(false);
  });

  it('has numbers in their order', () => {
    const guests = ['Guest 10', 'Guest 9'].map((last) => person('A', last));
    expect(guests.sort(compareByName('en')).map(({ name }) => name?.last)).to.deep.equal([
      'Guest 9',
      'Guest 10',
    ]);
  });
});

describe('Toasts', () => {
  it('dismisses the one that is meant, and not a later one', () => {
    const toasts = new Toasts();
    toasts.done('one');
    const first = toasts.current.value;
    toasts.done('two');
    if (first !== undefined) toasts.dismiss(first);
    expect(toasts.current.value?.text).to.equal('two');
    expect(toasts.current.value?.number).not.to.equal(first?.number);
  });

  it('shows none after the last one was dismissed, or all were', () => {
    const toasts = new Toasts();
    toasts.done('one');
    const { value } = toasts.current;
    if (value !== undefined) toasts.dismiss(value);
    expect(toasts.current.value).to.equal(undefined);
    toasts.done('two');
    toasts.clear();
    expect(toasts.current.value).to.equal(undefined);
  });
});
