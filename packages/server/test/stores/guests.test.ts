import { createTallybook, parseTallyId, toDay, toTimestamp, type Tallybook } from '@tallybook/domain';
import { parseKeep, personal, type PersonalServices } from '@tallybook/domain/personal';
import { record, type RecordServices } from '@tallybook/domain/record';
import { createStorage, type FullStorage } from '@tallybook/server';
import { ManualClock, ScriptedIdSource } from '@tallybook/testing';
import { expect } from 'chai';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

const red = parseTallyId('04A2B3C4D5');
const ada = { first: 'Ada', last: 'Lovelace' };
const grace = { first: 'Grace', last: 'Hopper' };
/** Noon of day 20000. */
const NOON = 20_000 * 86_400 + 43_200;

type Place = Tallybook & RecordServices & PersonalServices;

describe('Guests on LevelDB', () => {
  const folder = temporaryFolder();
  let clock: ManualClock;
  let door: ScriptedIdSource;
  let storage: FullStorage;
  let place: Place;

  async function open(): Promise<void> {
    storage = createStorage(`level:${folder.path('store')}`);
    door = new ScriptedIdSource(clock, 'door');
    place = createTallybook({
      ...{ storage, clock, calendar: {}, readers: [door] },
      with: [record(), personal({ keepGuests: parseKeep('30days') })],
    });
    await place.open();
  }

  beforeEach(async () => {
    clock = new ManualClock(NOON);
    await open();
  });

  afterEach(() => place.close());

  async function tap(): Promise<number> {
    clock.advance(60_000);
    door.present(red);
    await place.attendance.settled();
    return clock.now();
  }

  it('are added, come back after a restart, and are erased with the scans of their badge', async () => {
    await place.guests?.add({ name: ada, host: 'Board' });
    const at = toTimestamp(await tap());
    const lent = await place.guests?.add({ name: grace, badge: red, at });
    await tap();
    await place.people?.act(red, { act: 'returned', since: toTimestamp(clock.now() + 1) });
    await place.close();
    await open();
    expect((await storage.people.holderAt(red, at)).person).to.equal(lent);
    expect((await storage.days.load(toDay(20_000)))?.entries.map(({ count }) => count)).to.deep.equal([1, 2]);
    for (const days of [30, 1]) {
      expect(await place.retention.eraseGuests('the service')).to.equal(0);
      clock.set(clock.now() + days * 86_400);
    }
    expect(await place.retention.eraseGuests('the service')).to.equal(2);
    await place.personal?.erasures.tidy();
    await place.close();
    await open();
    expect(await storage.people.persons(undefined, 9)).to.deep.equal([]);
    expect(await storage.days.load(toDay(20_000))).to.equal(undefined);
    expect(storage.erasures.of(red)).to.have.length(1);
    expect((await storage.erasures.list()).every(({ state }) => state === 'done')).to.equal(true);
  });
});
