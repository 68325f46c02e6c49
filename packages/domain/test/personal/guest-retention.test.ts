import {
  createTallybook,
  implicitPerson,
  TallybookError,
  toDay,
  toTimestamp,
  type Day,
  type PeopleService,
  type PersonId,
  type TallyId,
} from '@tallybook/domain';
import { access } from '@tallybook/domain/access';
import { parseKeep, personal } from '@tallybook/domain/personal';
import { record } from '@tallybook/domain/record';
import { isCommonPassword, SystemSecrets } from '@tallybook/system';
import { ManualClock, MemoryStorage, ScriptedIdSource } from '@tallybook/testing';
import { expect } from 'chai';
import type { GuestService } from '../../src/record/people/guest-service.js';
import { rejectionOf } from '../fixtures/throws.js';
import { red, blue, grace } from '../../../testing/test/fixtures/known-values.js';
import { listOf, reading } from '../fixtures/streams.js';
import { unplacedScan } from '../fixtures/unplaced-scan.js';

const ada = { first: 'Ada', last: 'Lovelace' };
const bob = { first: 'Bob', last: 'Noyce' };
/** Noon of day 20000. */
const NOON = 20_000 * 86_400 + 43_200;
const secrets = new SystemSecrets({ workFactor: 10 });

/** A place that keeps guests for 30 days. */
class Place {
  readonly clock = new ManualClock(NOON);
  readonly storage = new MemoryStorage({ stamps: { now: () => this.clock.now() * 1_000 } });
  readonly door = new ScriptedIdSource(this.clock, 'door');
  readonly tallybook = this.#make();

  #make(keep?: string, builtAt = 0) {
    return createTallybook({
      ...{ storage: this.storage, clock: this.clock, calendar: {}, readers: [this.door], builtAt },
      report: () => undefined,
      with: [
        record(),
        access({ secrets, isCommonPassword }),
        personal({ keepGuests: parseKeep('30days'), ...(keep && { keep: parseKeep(keep) }) }),
      ],
    });
  }

  get people(): PeopleService {
    if (this.tallybook.people === undefined) throw new Error('the storage knows persons');
    return this.tallybook.people;
  }

  get guests(): GuestService {
    if (this.tallybook.guests === undefined) throw new Error('the storage knows persons');
    return this.tallybook.guests;
  }

  get today(): Day {
    return toDay(Math.floor(this.clock.now() / 86_400));
  }

  pass(days: number): void {
    this.clock.set(this.clock.now() + days * 86_400);
  }

  async tap(tag: TallyId): Promise<number> {
    this.clock.advance(60_000);
    this.door.present(tag);
    await this.tallybook.attendance.settled();
    return this.clock.now();
  }

  /** A day on which somebody is there. */
  async busyDay(): Promise<void> {
    this.pass(1);
    await this.tap(blue);
  }

  async erase(): Promise<number> {
    const erased = await this.tallybook.retention.eraseGuests('the service');
    await this.tallybook.personal?.erasures.tidy();
    return erased;
  }

  async persons(): Promise<readonly PersonId[]> {
    return (await this.storage.people.persons(undefined, 99)).map(({ id }) => id);
  }

  async idsOf(day: number): Promise<readonly TallyId[]> {
    return ((await this.storage.days.load(toDay(day)))?.entries ?? []).map(({ id }) => id);
  }

  lines(): Promise<readonly string[]> {
    return listOf(this.tallybook.backup.export());
  }

  async restore(lines: readonly string[]): Promise<number> {
    const { refused = 0 } = await this.tallybook.backup.import(() => reading(lines));
    return refused;
  }
}

describe('Guests who were kept long enough', () => {
  let place: Place;

  beforeEach(async () => {
    place = new Place();
    await place.storage.open();
    await place.storage.mapping.put(blue, bob);
    await place.tallybook.open();
  });

  afterEach(() => place.tallybook.close());

  it('are erased with their scans, 30 days after their last day', async () => {
    const id = await place.guests.add({ name: ada });
    for (let n = 0; n < 30; n++) await place.busyDay();
    expect(await place.erase()).to.equal(0);
    expect(await place.persons()).to.deep.equal([id]);
    await place.busyDay();
    const { guests, keepGuests } = await place.tallybook.retention.plan();
    expect([guests, keepGuests]).to.deep.equal([
      [{ person: id, since: 20_000 }],
      { count: 30, unit: 'days' },
    ]);
    expect(await place.erase()).to.equal(1);
    expect(await place.persons()).to.deep.equal([]);
    expect(await place.idsOf(20_000)).to.deep.equal([]);
    expect(await place.idsOf(20_001)).to.deep.equal([blue]);
    expect((await place.lines()).join()).to.not.match(/Ada|FF5442/);
    expect(await place.erase()).to.equal(0);
  });

  it('are kept from the day of their last scan, correction or scan that waits', async () => {
    const { people, guests, storage } = place;
    const ids = [ada, grace, bob].map((name) => guests.add({ name }));
    const [first, second, third] = (await Promise.all(ids)) as [PersonId, PersonId, PersonId];
    const day = toDay(20_020);
    for (let n = 0; n < 20; n++) await place.busyDay();
    const tag = storage.people.lastResortOf(first);
    await storage.days.record(day, tag, toTimestamp(place.clock.now()), { reader: 'desk' });
    const at = toTimestamp(place.clock.now());
    const id = storage.people.lastResortOf(second);
    await place.tallybook.corrections?.correct([{ action: 'add', day, id, at, reason: 'forgot' }], 'desk');
    const scan = unplacedScan(storage.people.lastResortOf(third), at, { reader: 'desk' });
    const waiting = await storage.provisional.add(scan);
    await storage.provisional.settle(waiting, { day, at, isRecorded: false });
    for (let n = 0; n < 30; n++) await place.busyDay();
    expect(await place.erase()).to.equal(0);
    await place.busyDay();
    expect(await place.erase()).to.equal(3);
    expect(await people.person(first)).to.equal(undefined);
    expect(await storage.corrections.list(toDay(0), toDay(30_000))).to.deep.equal([]);
    expect(await place.idsOf(20_020)).to.deep.equal([blue]);
  });

  it('stay if they became members, or were merged with one', async () => {
    const member = await place.guests.add({ name: ada });
    await place.people.correct(member, { guest: null });
    const other = await place.people.add({ name: grace });
    await place.people.merge(other, await place.guests.add({ name: grace }));
    for (let n = 0; n < 40; n++) await place.busyDay();
    expect(await place.erase()).to.equal(0);
    expect(await place.people.person(member)).to.have.property('id', member);
    expect(await place.idsOf(20_000)).to.have.length(2);
  });

  it('stay if they come again while others are erased', async () => {
    const guests = [await place.guests.add({ name: ada }), await place.guests.add({ name: grace })];
    for (let n = 0; n < 31; n++) await place.busyDay();
    const { erasures, people, days } = place.storage;
    const erase = erasures.erase.bind(erasures);
    erasures.erase = async (request) => {
      const now = toTimestamp(place.clock.now());
      for (const id of guests.filter((each) => request.persons?.includes(each) !== true))
        await days.record(place.today, people.lastResortOf(id), now, { reader: 'desk' });
      return erase(request);
    };
    await place.erase();
    const left = await place.persons();
    expect(left).to.have.length(1);
    expect(await place.idsOf(20_031)).to.include.members(left.map((id) => people.lastResortOf(id)));
  });

  it('take nothing of others who had the same badge', async () => {
    const at = await place.tap(red);
    await place.guests.add({ name: ada, badge: red, at: toTimestamp(at) });
    const back = toTimestamp((await place.tap(red)) + 1);
    place.clock.advance(1_000);
    await place.people.act(red, { act: 'returned', since: back });
    const later = await place.people.add({ name: grace });
    const since = toTimestamp(await place.tap(red));
    await place.people.act(red, { act: 'give', person: later, since });
    for (let n = 0; n < 31; n++) await place.busyDay();
    expect(await place.erase()).to.equal(1);
    const entry = (await place.storage.days.load(toDay(20_000)))?.entries.find(({ id }) => id === red);
    expect([entry?.first, entry?.count]).to.deep.equal([since, 1]);
    expect(await place.storage.people.holderAt(red, since)).to.have.property('person', later);
  });

  it('leave one erasure of a badge that only guests had, and none of their own', async () => {
    const lend = async (): Promise<void> => {
      await place.guests.add({ name: ada, badge: red, at: toTimestamp(await place.tap(red)) });
      const since = toTimestamp((await place.tap(red)) + 1);
      place.clock.advance(1_000);
      await place.people.act(red, { act: 'returned', since });
    };
    for (let n = 0; n < 60; n++) {
      await place.busyDay();
      if (n % 3 === 0) await lend();
      await place.erase();
    }
    expect(await place.persons()).to.have.length(10);
    const kept = place.storage.erasures.of(red);
    expect(kept).to.have.length(1);
    for (let n = 0; n < 8; n++) await place.busyDay();
    await place.erase();
    place.pass(7);
    await place.tallybook.personal?.erasures.tidy();
    // Those of the badge, which refuse what a backup brings.
    expect((await place.storage.erasures.list()).map(({ digest }) => digest)).to.deep.equal([
      kept[0]?.digest,
    ]);
  });

  it('are found again if the erasure ended after that of their badge', async () => {
    await place.guests.add({ name: ada, badge: red, at: toTimestamp(await place.tap(red)) });
    for (let n = 0; n < 31; n++) await place.busyDay();
    const erase = place.storage.erasures.erase.bind(place.storage.erasures);
    place.storage.erasures.erase = (request) => {
      if (request.persons?.length === 0) return erase(request);
      return Promise.reject(new TallybookError('STORE_WRITE_FAILED', 'no power'));
    };
    await rejectionOf('STORE_WRITE_FAILED', place.erase());
    expect(await place.idsOf(20_000)).to.deep.equal([]);
    place.storage.erasures.erase = erase;
    expect(await place.erase()).to.equal(1);
    expect(await place.persons()).to.deep.equal([]);
    expect(place.storage.erasures.of(red)).to.have.length(1);
  });

  it('keep apart the erased times of a badge with another holder between', async () => {
    for (const name of [ada, grace, ada]) {
      await place.busyDay();
      const at = toTimestamp(await place.tap(red));
      if (name === ada) await place.guests.add({ name, badge: red, at });
      else {
        const person = await place.people.add({ name });
        await place.people.act(red, { act: 'give', person, since: at });
      }
      const since = toTimestamp((await place.tap(red)) + 1);
      place.clock.advance(1_000);
      await place.people.act(red, { act: 'returned', since });
    }
    for (let n = 0; n < 31; n++) await place.busyDay();
    expect(await place.erase()).to.equal(2);
    expect(place.storage.erasures.of(red)).to.have.length(2);
    expect(await place.idsOf(20_002)).to.deep.equal([blue, red]);
  });

  it('are noted in the audit trail by their number alone', async () => {
    await place.guests.add({ name: ada });
    await place.guests.add({ name: grace });
    for (let n = 0; n < 31; n++) await place.busyDay();
    await place.erase();
    const { entries } = await place.tallybook.audit.page(undefined, 9);
    expect(entries.map(({ actor, action, details }) => [actor, action, details])).to.deep.equal([
      ['the service', 'guests-erased', { before: '2024-10-05', guests: 2 }],
    ]);
  });

  it('stay while the clock may be far ahead, until somebody confirms it', async () => {
    await place.guests.add({ name: ada });
    place.pass(100);
    await place.tap(blue);
    await rejectionOf('RETENTION_NOT_CONFIRMED', place.erase());
    expect((await place.tallybook.retention.plan()).doubt).to.equal('leap-in-time');
    await place.tallybook.retention.apply({ actor: 'ada', isConfirmed: true });
    expect(await place.persons()).to.deep.equal([]);
  });

  it('stay while a day is damaged that may be theirs', async () => {
    await place.guests.add({ name: ada });
    for (let n = 0; n < 31; n++) await place.busyDay();
    const load = place.storage.days.load.bind(place.storage.days);
    place.storage.days.load = (day) =>
      day === 20_020 ? Promise.reject(new TallybookError('STORE_CORRUPT', 'a day')) : load(day);
    expect(await place.erase()).to.equal(0);
  });

  it('read no day if none was added before the limit', async () => {
    await place.guests.add({ name: ada });
    await place.busyDay();
    place.storage.days.load = () => Promise.reject(new Error('a day is read'));
    expect(await place.erase()).to.equal(0);
  });

  describe('that a backup holds', () => {
    it('do not come back with their scans, and everybody else does', async () => {
      const id = await place.guests.add({ name: ada });
      const at = toTimestamp(await place.tap(red));
      const other = await place.guests.add({ name: grace, badge: red, at });
      const lines = await place.lines();
      for (let n = 0; n < 31; n++) await place.busyDay();
      await place.erase();
      place.pass(7);
      await place.tallybook.personal?.erasures.tidy();
      expect(await place.restore(lines)).to.be.greaterThan(0);
      expect(await place.persons()).to.not.include.members([id, other]);
      expect(await place.idsOf(20_000)).to.deep.equal([]);
      expect(await place.idsOf(20_001)).to.deep.equal([blue]);
    });

    it('come back if they were merged with a member', async () => {
      const guest = await place.guests.add({ name: grace });
      await place.people.merge(implicitPerson(blue), guest);
      await place.people.correct(guest, { number: '7' });
      const lines = await place.lines();
      const other = new Place();
      await other.tallybook.open();
      other.clock.set(place.clock.now());
      other.pass(40);
      expect(await other.restore(lines)).to.equal(0);
      expect(await other.people.person(guest)).to.deep.include({
        id: guest,
        aliases: [implicitPerson(blue)],
      });
      expect(await other.idsOf(20_000)).to.deep.equal([other.storage.people.lastResortOf(guest)]);
      await other.tallybook.close();
    });

    it('come back to a new device if their last day in it is a kept one', async () => {
      const id = await place.guests.add({ name: ada });
      const gone = await place.guests.add({ name: grace });
      for (let n = 0; n < 20; n++) await place.busyDay();
      const tag = place.storage.people.lastResortOf(id);
      await place.storage.days.record(place.today, tag, toTimestamp(place.clock.now()), { reader: 'desk' });
      const lines = await place.lines();
      const other = new Place();
      await other.tallybook.open();
      other.clock.set(place.clock.now());
      other.pass(15);
      expect(await other.restore(lines)).to.equal(2);
      expect(await other.persons()).to.deep.equal([id]);
      expect(await other.idsOf(20_000)).to.deep.equal([tag]);
      expect(await other.idsOf(20_020)).to.include(tag);
      expect((await other.lines()).join()).to.not.include(gone);
      await other.tallybook.close();
    });
  });
});
