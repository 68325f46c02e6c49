import { expect } from 'chai';
import { musterOf } from '../../src/pages/muster/muster-page.js';
import { BrowserStore } from '../../src/state/kept.js';
import { Session } from '../../src/state/session.js';
import type { Tap } from '../../src/state/service.js';
import { MemoryStorage } from '../fixtures/memory-storage.js';
import { ADA, ada, NOON, StubService, tapOf, TODAY } from '../fixtures/stub-service.js';

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

  /** A session that has read everything. */
  async function loaded(): Promise<Session> {
    const session = open();
    session.onState('open');
    await session.today.load();
    service.asked.length = 0;
    return session;
  }

  function pass(session: Session, ms: number): void {
    nowMs += ms;
    session.beat();
  }

  const adasTap = (at = NOON): Tap => tapOf(ADA, at, { name: ada });

  it('keeps who is here, for a page that is opened while the service is gone', async () => {
    const session = await loaded();
    session.today.take(adasTap());
    session.keep();
    const later = open();
    expect(musterOf(later, later.lastKnown())).to.equal(undefined);
    later.onState('waiting');
    const muster = musterOf(later, later.lastKnown());
    expect(muster).to.deep.include({ at: NOON, isLive: false });
    expect(muster?.people.map(({ name }) => name?.last)).to.deep.equal(['Lovelace']);
  });

  it('has the name of the place, until nobody is signed in any more', async () => {
    const session = open();
    expect(session.place.value).to.equal('');
    service.place = 'Northwood';
    session.load();
    await session.today.load();
    expect(session.place.value).to.equal('Northwood');
    session.forget();
    expect(session.place.value).to.equal('');
  });

  it('is as old as the last sign of the service, live and after it was opened again', async () => {
    const session = await loaded();
    pass(session, 10_000);
    const heardMs = nowMs;
    for (const ms of [10_000, 10_000]) pass(session, ms);
    session.onState('waiting', heardMs);
    expect(musterOf(session, undefined)).to.deep.include({ isLive: false, at: NOON + 10 });
    const later = open();
    later.onState('waiting');
    expect(musterOf(later, later.lastKnown())).to.deep.include({ isLive: false, at: NOON + 10 });
  });

  it('says of a list that is no longer live when it was', async () => {
    const session = await loaded();
    expect(musterOf(session, undefined)).to.deep.include({ isLive: true });
    nowMs += 60_000;
    session.onState('waiting');
    nowMs += 60_000;
    expect(musterOf(session, undefined)).to.deep.include({ isLive: false, at: NOON + 60 });
  });

  it('shows a tap that the service tells of', async () => {
    const session = await loaded();
    session.onEvent({ kind: 'tap', tap: adasTap() });
    expect(session.today.people.value.map(({ name }) => name)).to.deep.equal([ada]);
  });

  it('reads the record anew when a day has changed, and tells those who show other days', async () => {
    const session = await loaded();
    session.onEvent({ kind: 'day' });
    expect(service.asked).to.include('today');
    expect(session.changes.value).to.equal(1);
    await session.today.load();
  });

  it('forgets everybody when nobody is signed in any more', async () => {
    const session = open();
    session.onState('open');
    service.mapping = { [ADA]: ada };
    await session.today.load();
    session.onEvent({ kind: 'tap', tap: adasTap() });
    session.keep();
    session.forget();
    expect([session.today.people.value, session.people.all.value.length]).to.deep.equal([[], 0]);
    expect([session.today.lastTap.value, session.lastKnown()]).to.deep.equal([undefined, undefined]);
    expect([session.today.isLoaded.value, session.people.isLoaded.value]).to.deep.equal([false, false]);
  });

  it('writes times in the zone of the service, in the one it had last until it answers, or in UTC', async () => {
    const session = open();
    session.locale.value = 'de';
    // The zone follows if it is not that of the browser.
    expect(session.formats.value.time(NOON)).to.match(/^12:00(?: UTC)?$/);
    service.time = { ...service.time, zone: 'Asia/Tokyo' };
    session.onState('open');
    await session.today.load();
    expect(session.formats.value.time(NOON)).to.match(/^21:00(?: GMT\+9)?$/);
    session.keep();
    const later = open();
    expect(later.formats.value.number(1_000)).to.equal('1,000');
    later.locale.value = 'de';
    expect(later.formats.value.time(NOON)).to.match(/^21:00(?: GMT\+9)?$/);
  });

  it('asks for the time and the readers alone while the day and everything that was read are the same', async () => {
    const session = await loaded();
    await session.refresh();
    expect(service.asked).to.deep.equal(['readers', 'time']);
  });

  it('reads the record again that could not be read, on the same day too', async () => {
    const session = open();
    session.onState('open');
    await session.refresh();
    await session.today.load();
    service.failure = new Error('busy');
    session.load();
    await session.today.load().catch(() => undefined);
    service.failure = undefined;
    service.asked.length = 0;
    await session.refresh();
    expect(service.asked).to.include.members(['time', 'today']);
    await session.today.load();
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
    expect(service.asked).to.deep.equal(['readers', 'time']);
    service.time = { ...service.time, day: TODAY + 1 };
    await session.refresh();
    // A second read, after the running one.
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
    const session = await loaded();
    const stop = session.keepOnChange();
    const kept = (): number | undefined => session.lastKnown()?.at;
    expect(kept()).to.equal(NOON);
    pass(session, 1_000);
    expect(kept()).to.equal(NOON);
    pass(session, 1_000);
    expect(kept()).to.equal(NOON + 2);
    nowMs += 1_999;
    session.onEvent({ kind: 'tap', tap: adasTap() });
    expect(session.lastKnown()?.people).to.deep.equal([]);
    nowMs += 1;
    session.onEvent({ kind: 'tap', tap: adasTap(NOON + 1) });
    expect(session.lastKnown()).to.deep.include({ at: NOON + 4 });
    expect(session.lastKnown()?.people).to.have.length(1);
    stop();
    session.onState('waiting');
    pass(session, 5_000);
    expect(kept()).to.equal(NOON + 4);
    expect(session.tick.value).to.equal(nowMs);
  });

  it('knows the readers when they have been asked for', async () => {
    const session = open();
    expect(session.readers.all.value).to.equal(undefined);
    await session.readers.load();
    expect(session.readers.all.value).to.deep.equal([]);
  });

  it('reads the people when somebody has changed, and nothing else', async () => {
    const session = open();
    session.onEvent({ kind: 'people' });
    await Promise.resolve();
    expect(service.asked).to.deep.equal(['people']);
  });

  it('reads everything anew when taps may have been missed', async () => {
    const session = await loaded();
    session.onEvent({ kind: 'reset' });
    expect(service.asked).to.include('today');
    await session.today.load();
  });
});
