import type { Entry } from '@tallybook/client';
import { expect } from 'chai';
import { ServiceClock, type Tap } from '../../src/state/service.js';
import { People } from '../../src/state/people/people.js';
import { Today } from '../../src/state/presence.js';
import { ADA, ada, grace, NOON, personOf, StubService, tapOf, TODAY } from '../fixtures/stub-service.js';

const turing = { first: 'Alan', last: 'Turing' };

const provisional: Tap = {
  ...{
    id: ADA,
    day: null,
    at: null,
    sequence: 2,
    outcome: 'provisional',
    name: null,
    person: null,
    reader: 'door',
  },
};

describe('Today', () => {
  let service: StubService;
  let people: People;
  let today: Today;

  beforeEach(() => {
    service = new StubService();
    people = new People(service);
    today = new Today({ service, clock: new ServiceClock(service, () => NOON * 1_000), people });
  });

  const entry = (id: string): Entry => ({ id, first: NOON, last: NOON, count: 1 });
  /** Has the service record these on its day. */
  const record = (...entries: readonly Entry[]): void => {
    service.day = { date: service.time.day, ids: entries.map(({ id }) => id), entries };
  };

  const listed = (): unknown =>
    today.people.value.map(({ name, ids, first, last, count }) => [
      name === null ? null : name.last,
      ids.join(' '),
      first,
      last,
      count,
    ]);

  it('has what the service has recorded', async () => {
    service.mapping = { [ADA]: ada };
    record(
      { id: ADA, first: NOON - 60, last: NOON - 30, count: 2 },
      { id: '0011', first: NOON - 20, last: NOON - 20, count: 1 },
    );
    expect(today.isLoaded.value).to.equal(false);
    await today.load();
    expect(today.isLoaded.value).to.equal(true);
    expect(listed()).to.deep.equal([
      ['Lovelace', ADA, NOON - 60, NOON - 30, 2],
      [null, '0011', NOON - 20, NOON - 20, 1],
    ]);
  });

  it('asks for everything at once', async () => {
    await today.load();
    expect(service.asked).to.have.members(['today', 'people']);
  });

  it('reads the record while the people are still on their way', async () => {
    record(entry(ADA));
    let arrive: () => void = () => undefined;
    const readPeople = service.readPeople.bind(service);
    service.readPeople = async () => {
      await new Promise<void>((resolve) => (arrive = resolve));
      return readPeople();
    };
    const loading = today.load();
    while (!service.asked.includes('today')) await Promise.resolve();
    expect(today.isLoaded.value).to.equal(false);
    arrive();
    await loading;
    expect(service.asked.filter((each) => each === 'today')).to.have.length(1);
  });

  it('reads the record of the day that the service has, whatever the clock of the browser says', async () => {
    today = new Today({ service, clock: new ServiceClock(service, () => 0), people });
    record(entry(ADA));
    await today.load();
    expect(listed()).to.deep.equal([[null, ADA, NOON, NOON, 1]]);
  });

  it('adds a tap at once, with the name that comes with it', async () => {
    await today.load();
    today.take(tapOf(ADA, NOON, { name: ada }));
    expect(listed()).to.deep.equal([['Lovelace', ADA, NOON, NOON, 1]]);
    expect(today.lastTap.value).to.deep.include({ number: 1, at: NOON, name: ada });
    today.take(tapOf(ADA, NOON + 5, { name: ada, outcome: 'already-counted' }));
    expect(listed()).to.deep.equal([['Lovelace', ADA, NOON, NOON + 5, 2]]);
  });

  it('puts the tags of one person together, and gives the time of the first and the last of them', async () => {
    service.people = [personOf(`tag-${ADA}`, ada, ADA, '0011')];
    await today.load();
    today.take(tapOf('0011', NOON));
    today.take(tapOf(ADA, NOON + 9));
    expect(listed()).to.deep.equal([['Lovelace', `0011 ${ADA}`, NOON, NOON + 9, 2]]);
  });

  it('keeps a tap that comes while the record is read', async () => {
    let open: () => void = () => undefined;
    service.gate = new Promise((resolve) => (open = resolve));
    const loaded = today.load();
    today.take(tapOf(ADA, NOON));
    open();
    await loaded;
    expect(listed()).to.deep.equal([[null, ADA, NOON, NOON, 1]]);
  });

  it('asks for nothing at a tap of the same day, or before the record was read', async () => {
    today.take(tapOf(ADA, NOON));
    expect(service.asked).to.deep.equal([]);
    await today.load();
    service.asked.length = 0;
    today.take(tapOf(ADA, NOON));
    expect(service.asked).to.deep.equal([]);
  });

  it('says at which reader somebody tapped last, on this day', async () => {
    const readers = (): unknown => today.people.value.map(({ reader }) => reader);
    await today.load();
    today.take(tapOf(ADA, NOON, { reader: 'gate' }));
    expect(readers()).to.deep.equal(['gate']);
    record(entry(ADA));
    await today.load();
    expect(readers()).to.deep.equal(['gate']);
    service.time = { ...service.time, day: TODAY + 1 };
    record(entry(ADA));
    await today.load();
    expect(readers()).to.deep.equal([undefined]);
  });

  it('leaves out somebody whose taps are all void', async () => {
    record({ ...entry(ADA), count: 0, isVoided: true }, entry('0011'));
    await today.load();
    expect(listed()).to.deep.equal([[null, '0011', NOON, NOON, 1]]);
  });

  it('keeps the times of somebody who is here and taps while the clock is not right', async () => {
    await today.load();
    today.take(tapOf(ADA, NOON));
    today.take(provisional);
    expect(listed()).to.deep.equal([[null, ADA, NOON, NOON, 1]]);
  });

  it('is empty once it is forgotten, until it is read anew', async () => {
    await today.load();
    today.take(tapOf(ADA, NOON));
    today.forget();
    expect(listed()).to.deep.equal([]);
    expect([today.isLoaded.value, today.lastTap.value]).to.deep.equal([false, undefined]);
    await today.load();
    expect(today.isLoaded.value).to.equal(true);
  });

  it('does not count a tap twice that is in the record already', async () => {
    record(entry(ADA));
    await today.load();
    today.take(tapOf(ADA, NOON));
    expect(listed()).to.deep.equal([[null, ADA, NOON, NOON, 1]]);
  });

  it('reads the record once more if it is asked to while it is read', async () => {
    await Promise.all([today.load(), today.load(), today.load()]);
    expect(service.asked.filter((what) => what === 'today')).to.have.lengthOf(2);
  });

  it('is read again after it could not be', async () => {
    service.failure = new Error('no network');
    let failure: unknown;
    await today.load().catch((error: unknown) => (failure = error));
    expect(failure).to.equal(service.failure);
    expect(today.isLoaded.value).to.equal(false);
    service.failure = undefined;
    await today.load();
    expect(today.isLoaded.value).to.equal(true);
  });

  it('begins the next day with its first tap', async () => {
    record(entry(ADA));
    await today.load();
    const at = NOON + 86_400;
    service.time = { ...service.time, time: at, day: TODAY + 1 };
    record({ ...entry('0011'), first: at, last: at });
    service.asked.length = 0;
    today.take(tapOf('0011', at, { day: TODAY + 1 }));
    expect(service.asked).to.include('today');
    await today.load();
    expect(listed()).to.deep.equal([[null, '0011', at, at, 1]]);
  });

  it('leaves out a tap of another day that was filed later', async () => {
    await today.load();
    service.asked.length = 0;
    today.take(tapOf(ADA, NOON - 86_400, { day: TODAY - 1, filed: { sequence: 3 } }));
    // The scan may still have changed today's list.
    expect(service.asked).to.include('today');
    expect(listed()).to.deep.equal([]);
    expect(today.lastTap.value).to.equal(undefined);
  });

  it('has who taps while the clock is not right, without a time', async () => {
    service.waiting = [{ sequence: 1, id: '0011', reader: 'door', shown: 61, notBefore: 0 }];
    await today.load();
    today.take(provisional);
    expect(listed()).to.deep.equal([
      [null, '0011', null, null, 1],
      [null, ADA, null, null, 1],
    ]);
    today.take(tapOf(ADA, NOON, { filed: { sequence: 2 } }));
    expect(listed()).to.deep.include([null, ADA, NOON, NOON, 1]);
  });

  it('shows a tap that could not be written, and does not count it', async () => {
    await today.load();
    today.take({ id: ADA, reader: 'door', isKept: false, outcome: 'failed' });
    expect(listed()).to.deep.equal([]);
    expect(today.lastTap.value?.tap.outcome).to.equal('failed');
  });

  describe('with a tag that changed hands today', () => {
    const holds = (since: number, ...isLost: readonly true[]): object => ({
      tags: [{ id: ADA, since, isLost: isLost.length > 0 }],
    });
    type Present = (typeof service.present)[number];
    const was = (person: string, first: number, last: number, scans: number): Present => ({
      ...{ person, name: null, groups: [], isGuest: false, ids: [ADA], first, last, scans },
    });

    beforeEach(() => {
      service.people = [
        personOf(`tag-${ADA}`, ada),
        { ...personOf('tag-0011', grace), ...holds(NOON) },
        personOf('9C1E5A7B30D2F4', turing),
      ];
    });

    it('divides its taps as the service does, among any number of holders', async () => {
      record({ id: ADA, first: NOON - 60, last: NOON + 30, count: 6 });
      service.present = [
        was(`tag-${ADA}`, NOON - 60, NOON - 50, 3),
        was('9C1E5A7B30D2F4', NOON - 40, NOON - 30, 2),
        was('tag-0011', NOON + 30, NOON + 30, 1),
      ];
      await today.load();
      today.take(tapOf(ADA, NOON + 40, { name: grace, person: 'tag-0011' }));
      expect(listed()).to.deep.equal([
        ['Lovelace', ADA, NOON - 60, NOON - 50, 3],
        ['Turing', ADA, NOON - 40, NOON - 30, 2],
        ['Hopper', ADA, NOON + 30, NOON + 40, 2],
      ]);
    });

    it('has who gave it back, and who taps it afterwards as nobody', async () => {
      service.people = [{ ...personOf('9C1E5A7B30D2F4', turing), groups: ['7b'] }];
      record({ id: ADA, first: NOON - 60, last: NOON, count: 4 });
      service.present = [was('9C1E5A7B30D2F4', NOON - 60, NOON - 50, 3)];
      await today.load();
      expect(listed()).to.deep.equal([
        ['Turing', ADA, NOON - 60, NOON - 50, 3],
        [null, ADA, NOON, NOON, 1],
      ]);
      expect(today.people.value.map(({ groups }) => groups)).to.deep.equal([['7b'], []]);
    });

    it('counts the taps of who was here with two tags once', async () => {
      service.people = [personOf(`tag-${ADA}`, ada, ADA, '0011')];
      record(
        { id: ADA, first: NOON, last: NOON + 9, count: 2 },
        { id: '0011', first: NOON + 4, last: NOON + 4, count: 1 },
      );
      service.present = [{ ...was(`tag-${ADA}`, NOON, NOON + 9, 3), ids: [ADA, '0011'] }];
      await today.load();
      expect(listed()).to.deep.equal([['Lovelace', `0011 ${ADA}`, NOON, NOON + 9, 3]]);
    });

    it('has a tap after the loss as one of a lost tag', async () => {
      service.people = [{ ...personOf(`tag-${ADA}`, ada), ...holds(NOON - 9, true) }];
      record({ id: ADA, first: NOON - 60, last: NOON, count: 2 });
      service.present = [was(`tag-${ADA}`, NOON - 60, NOON - 60, 1)];
      await today.load();
      expect(listed()).to.deep.equal([['Lovelace', ADA, NOON - 60, NOON - 60, 1]]);
      expect(today.lost.value.map(({ last }) => last)).to.deep.equal([NOON]);
    });

    it('counts each live tap for the person of the event', async () => {
      await today.load();
      today.take(tapOf(ADA, NOON - 5, { name: ada, person: `tag-${ADA}` }));
      today.take(tapOf(ADA, NOON + 5, { name: grace, person: 'tag-0011' }));
      today.take(tapOf(ADA, NOON + 9, { name: grace, person: 'tag-0011' }));
      expect(listed()).to.deep.equal([
        ['Lovelace', ADA, NOON - 5, NOON - 5, 1],
        ['Hopper', ADA, NOON + 5, NOON + 9, 2],
      ]);
    });
  });

  it('shows a tap of a lost tag, and counts it for nobody', async () => {
    service.people = [{ ...personOf(`tag-${ADA}`, ada), tags: [{ id: ADA, since: NOON - 9, isLost: true }] }];
    await today.load();
    today.take(tapOf(ADA, NOON, { holder: 'lost' }));
    expect(listed()).to.deep.equal([]);
    expect(today.lost.value.map(({ ids }) => ids)).to.deep.equal([[ADA]]);
    expect(today.lastTap.value).to.include({ name: undefined, isLost: true });
  });

  it('gives a tag the name that it is given on the page', async () => {
    await today.load();
    today.take(tapOf(ADA, NOON));
    await people.name(ADA, ada);
    expect(listed()).to.deep.equal([['Lovelace', ADA, NOON, NOON, 1]]);
  });
});
