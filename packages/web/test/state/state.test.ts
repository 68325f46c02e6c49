import { expect } from 'chai';
import { BrowserStore } from '../../src/state/kept/browser-store.js';
import { ServiceClock } from '../../src/state/service/clock.js';
import { Connection } from '../../src/state/service/connection.js';
import { createFormats } from '../../src/state/formats.js';
import { Guests } from '../../src/state/kept/guests.js';
import { compareByName, isMeant } from '../../src/state/names/by-name.js';
import type { Person } from '../../src/state/presence/person.js';
import { Session } from '../../src/state/session.js';
import { Toasts } from '../../src/state/toasts.js';
import { musterOf } from '../../src/pages/muster/muster-of.js';
import { MemoryStorage } from '../fixtures/memory-storage.js';
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
});

describe('Guests', () => {
  const storage = new MemoryStorage();
  const service = new StubService();

  beforeEach(() => {
    storage.clear();
    storage.isFull = false;
    service.time = { ...service.time, day: TODAY };
  });

  async function load(): Promise<Guests> {
    const clock = new ServiceClock(service, () => NOON * 1_000);
    await clock.refresh();
    return new Guests(new BrowserStore(storage, 'test:'), clock);
  }

  it('are there when the page is loaded again on the same day, and gone on the next', async () => {
    expect((await load()).add('Alan Turing')).to.equal(true);
    expect((await load()).today.value).to.deep.equal([{ name: 'Alan Turing', at: NOON }]);
    service.time = { ...service.time, day: TODAY + 1 };
    const tomorrow = await load();
    expect(tomorrow.today.value).to.deep.equal([]);
    tomorrow.add('Emmy Noether');
    expect(tomorrow.today.value).to.have.lengthOf(1);
  });

  it('are of today also where the service says only later which day that is', async () => {
    const clock = new ServiceClock(service, () => NOON * 1_000);
    const guests = new Guests(new BrowserStore(storage, 'test:'), clock);
    guests.add('Alan Turing');
    await clock.refresh();
    expect(guests.today.value).to.have.lengthOf(1);
    expect((await load()).today.value).to.have.lengthOf(1);
    service.time = { ...service.time, day: TODAY + 1 };
    expect((await load()).today.value).to.deep.equal([]);
  });

  it('can be removed', async () => {
    const guests = await load();
    guests.add('Alan Turing');
    guests.add('Emmy Noether');
    const [alan] = guests.today.value;
    if (alan !== undefined) guests.remove(alan);
    expect((await load()).today.value.map(({ name }) => name)).to.deep.equal(['Emmy Noether']);
  });

  it('are there until the page is closed, where the browser keeps nothing', async () => {
    storage.isFull = true;
    const guests = await load();
    expect(guests.add('Alan Turing')).to.equal(false);
    expect(guests.today.value).to.have.lengthOf(1);
  });

  for (const text of ['{', '[]', '{"day":1,"guests":[{}]}', 'null']) {
    it(`are none where ${text} is kept`, async () => {
      storage.setItem('test:guests', text);
      expect((await load()).today.value).to.deep.equal([]);
    });
  }
});

describe('the list of people', () => {
  const person = (first: string, last: string, id = ''): Person => ({
    key: id,
    name: first === '' && last === '' ? null : { first, last },
    ids: [id],
    first: 0,
    last: 0,
    count: 1,
    reader: undefined,
  });

  it('is sorted as the language sorts, by last and first name, tags without a name first', () => {
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
    for (const search of ['', 'mull', 'JURGEN lüd', '04a2']) expect(isMeant(one, search)).to.equal(true);
    for (const search of ['meier', 'jurgen meier']) expect(isMeant(one, search)).to.equal(false);
  });
});

describe('the formats', () => {
  it('write times in the zone of the service', () => {
    expect(createFormats('en-GB', 'Asia/Tokyo').time(NOON)).to.equal('21:00');
    expect(createFormats('de', 'Europe/Berlin').longDate(NOON)).to.equal('Sonntag, 22. November 2026');
  });

  it('take UTC for a zone that the browser does not know', () => {
    expect(createFormats('en-GB', 'Mars/Olympus').time(NOON)).to.equal('12:00');
  });

  for (const [seconds, words] of [
    [0, '0 seconds'],
    [59, '59 seconds'],
    [60, '1 minute'],
    [7_200, '2 hours'],
    [200_000, '2 days'],
  ] as const) {
    it(`write ${seconds} seconds as ${words}`, () => {
      expect(createFormats('en', 'UTC').duration(seconds)).to.equal(words);
    });
  }
});

describe('Toasts', () => {
  it('dismisses the one that is meant, and not a later one', () => {
    const toasts = new Toasts();
    toasts.show({ kind: 'done', text: 'one' });
    const first = toasts.current.value;
    toasts.show({ kind: 'done', text: 'two' });
    if (first !== undefined) toasts.dismiss(first);
    expect(toasts.current.value?.text).to.equal('two');
  });
});

describe('Session', () => {
  let nowMs: number;
  let service: StubService;
  const storage = new MemoryStorage();

  beforeEach(() => {
    nowMs = NOON * 1_000;
    service = new StubService();
    storage.clear();
  });

  function open(): Session {
    const store = new BrowserStore(storage, 'test:');
    return new Session({ service, store, nowMs: () => nowMs });
  }

  it('keeps who is here, for a page that is opened while the service is gone', async () => {
    const session = open();
    session.onState('open');
    await session.today.load();
    session.today.take({
      id: '04A2B3C4D5',
      day: TODAY,
      at: NOON,
      outcome: 'counted',
      name: { first: 'Ada', last: 'Lovelace' },
      reader: 'door',
    });
    session.keep();
    const later = open();
    expect(musterOf(later, later.lastKnown.read())).to.equal(undefined);
    later.onState('waiting');
    const muster = musterOf(later, later.lastKnown.read());
    expect(muster).to.deep.include({ at: NOON, isLive: false });
    expect(muster?.people.map(({ name }) => name?.last)).to.deep.equal(['Lovelace']);
  });

  it('says of a list that is no longer live when it was', async () => {
    const session = open();
    session.onState('open');
    await session.today.load();
    expect(musterOf(session, undefined)).to.deep.include({ isLive: true });
    nowMs += 60_000;
    session.onState('waiting');
    nowMs += 60_000;
    expect(musterOf(session, undefined)).to.deep.include({ isLive: false, at: NOON + 60 });
  });

  it('reads again what could not be read', async () => {
    const session = open();
    session.onState('open');
    service.failure = new Error('busy');
    session.load();
    await session.refresh().catch(() => undefined);
    expect(session.today.isLoaded.value).to.equal(false);
    service.failure = undefined;
    await session.refresh();
    await session.today.load();
    expect(session.today.isLoaded.value).to.equal(true);
  });

  it('reads the record of the next day when it has begun without a tap', async () => {
    const session = open();
    session.onState('open');
    await session.refresh();
    await session.today.load();
    service.asked.length = 0;
    await session.refresh();
    expect(service.asked).to.deep.equal(['time']);
    service.time = { ...service.time, day: TODAY + 1 };
    await session.refresh();
    // Once more, after the reading that has begun.
    await session.today.load();
    expect(service.asked.filter((what) => what === 'today')).to.have.lengthOf(2);
  });

  it('asks nothing while the service is gone', async () => {
    const session = open();
    session.onState('waiting');
    await session.refresh();
    expect(service.asked).to.deep.equal([]);
  });

  it('keeps who comes at most every two seconds, and nothing while the service is gone', async () => {
    const session = open();
    session.onState('open');
    await session.today.load();
    const stop = session.keepOnChange();
    const kept = (): number | undefined => session.lastKnown.read()?.at;
    expect(kept()).to.equal(NOON);
    nowMs += 1_000;
    session.beat();
    expect(kept()).to.equal(NOON);
    nowMs += 1_000;
    session.beat();
    expect(kept()).to.equal(NOON + 2);
    stop();
    session.onState('waiting');
    nowMs += 5_000;
    session.beat();
    expect(kept()).to.equal(NOON + 2);
    expect(session.tick.value).to.equal(nowMs);
  });

  it('knows the readers when they have been asked for', async () => {
    const session = open();
    expect(session.readers.all.value).to.equal(undefined);
    await session.readers.load();
    expect(session.readers.all.value).to.deep.equal([]);
  });

  it('reads the names when one has changed, and nothing else', async () => {
    const session = open();
    session.onEvent({ kind: 'names' });
    await Promise.resolve();
    expect(service.asked).to.deep.equal(['mapping']);
  });

  it('reads everything anew when taps may have been missed', async () => {
    const session = open();
    session.onState('open');
    await session.today.load();
    service.asked.length = 0;
    session.onEvent({ kind: 'reset' });
    await session.today.load();
    expect(service.asked).to.include('today');
  });
});
