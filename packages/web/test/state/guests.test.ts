import { expect } from 'chai';
import { BrowserStore, Guests } from '../../src/state/kept.js';
import { ServiceClock } from '../../src/state/service.js';
import { MemoryStorage } from '../fixtures/memory-storage.js';
import { NOON, StubService, TODAY } from '../fixtures/stub-service.js';

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

  /** A page before the service has told the day. */
  function openAtOnce(): Guests {
    const clock = new ServiceClock(service, () => NOON * 1_000);
    return new Guests(new BrowserStore(storage, 'test:'), clock);
  }

  const alan = { name: 'Alan Turing', at: NOON };

  for (const day of [null, TODAY - 9]) {
    it(`are shown before the service has said which day it is, if the day kept is ${day ?? 'none'}`, () => {
      storage.setItem('test:guests', JSON.stringify({ day, guests: [alan] }));
      expect(openAtOnce().today.value).to.deep.equal([alan]);
    });
  }

  it('are there again when the service had said a wrong day', async () => {
    storage.setItem('test:guests', JSON.stringify({ day: TODAY, guests: [alan] }));
    const clock = new ServiceClock(service, () => NOON * 1_000);
    service.time = { ...service.time, day: TODAY + 1 };
    await clock.refresh();
    const guests = new Guests(new BrowserStore(storage, 'test:'), clock);
    expect(guests.today.value).to.deep.equal([]);
    service.time = { ...service.time, day: TODAY };
    await clock.refresh();
    expect(guests.today.value).to.deep.equal([alan]);
    expect((await load()).today.value).to.deep.equal([alan]);
  });

  it('are those of another tab too, once it has told of them', async () => {
    const [one, other] = [await load(), await load()];
    one.add('Alan Turing');
    expect(other.today.value).to.deep.equal([]);
    other.reload();
    expect(other.today.value).to.deep.equal([alan]);
  });

  for (const kept of [
    '{',
    '[]',
    'null',
    ...[
      { day: 1, guests: [{}] },
      { day: `${TODAY}`, guests: [alan] },
      { guests: [alan] },
      { day: TODAY, guests: [alan, {}] },
      { day: TODAY, guests: [alan, null] },
      { day: TODAY, guests: [{ ...alan, name: 7 }] },
      { day: TODAY, guests: [{ ...alan, at: 'noon' }] },
      { day: TODAY, guests: 'Alan Turing' },
    ].map((each) => JSON.stringify(each)),
  ]) {
    it(`are none where ${kept} is kept`, () => {
      storage.setItem('test:guests', kept);
      expect(openAtOnce().today.value).to.deep.equal([]);
    });
  }
});
