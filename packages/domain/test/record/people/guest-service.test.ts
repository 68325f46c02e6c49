import {
  createTallybook,
  parseTallyId,
  TallybookError,
  toTimestamp,
  type PersonId,
  type TallyId,
  type Timestamp,
} from '@tallybook/domain';
import { record } from '@tallybook/domain/record';
import { ManualClock, MemoryStorage, ScriptedIdSource } from '@tallybook/testing';
import { expect } from 'chai';
import { heldDays } from '../../../src/record/ranges/held-days.js';
import { Holders } from '../../../src/people/holders.js';
import { readPeople } from '../../../src/people/change-people.js';
import type { GuestService } from '../../../src/record/people/guest-service.js';
import { rejectionOf } from '../../fixtures/throws.js';
import { red, today, grace } from '../../../../testing/test/fixtures/known-values.js';

const ada = { first: 'Ada', last: 'Lovelace' };
/** A minute to nine on day 20413. */
const NOW = 1_763_715_540;

describe('GuestService', () => {
  let clock: ManualClock;
  let storage: MemoryStorage;
  let door: ScriptedIdSource;
  let place: ReturnType<typeof openPlace>;
  let guests: GuestService;

  beforeEach(async () => {
    clock = new ManualClock(NOW);
    storage = new MemoryStorage({ stamps: { now: () => clock.now() * 1_000 } });
    door = new ScriptedIdSource(clock, 'door');
    place = openPlace();
    await place.open();
    guests = guestsOf(place);
  });

  afterEach(() => place.close());

  function openPlace(builtAt = 0) {
    return createTallybook({
      storage,
      clock,
      calendar: {},
      readers: [door],
      builtAt,
      with: [record()],
      report: () => undefined,
    });
  }

  function guestsOf({ guests: its }: typeof place): GuestService {
    if (its === undefined) throw new Error('the storage knows persons');
    return its;
  }

  async function tap(tag: TallyId): Promise<Timestamp> {
    clock.advance(60_000);
    door.present(tag);
    await place.attendance.settled();
    return toTimestamp(clock.now());
  }

  async function act(tag: TallyId, what: 'returned' | 'lost', since: number): Promise<void> {
    await place.people?.act(tag, { act: what, since: toTimestamp(since) });
  }

  /** Who was there today, with the number of their scans. */
  async function there(): Promise<readonly (readonly [PersonId | undefined, number])[]> {
    await using snapshot = await storage.snapshots.take();
    const holders = await Holders.read(snapshot);
    const parts: (readonly [PersonId | undefined, number])[] = [];
    for await (const { entries } of heldDays(snapshot, holders, today, today))
      parts.push(...entries.map(({ person, count }) => [person, count] as const));
    return parts;
  }

  it('adds a guest with whom they visit, and records them as here under their tag of last resort', async () => {
    const events: string[] = [];
    place.attendance.events.subscribe(({ kind }) => void events.push(kind));
    const id = await guests.add({ name: ada, host: 'Board', reason: 'Audit' });
    expect((await place.people?.person(id))?.guest?.value).to.deep.equal({
      ...{ since: today, host: 'Board', reason: 'Audit' },
    });
    expect(await there()).to.deep.equal([[id, 1]]);
    expect(events).to.deep.equal(['scan', 'attendance']);
    expect(await place.names.get(storage.people.lastResortOf(id))).to.deep.equal(ada);
  });

  it('lends a badge since the tap that showed it, and records nothing more', async () => {
    const at = await tap(red);
    clock.advance(20_000);
    const id = await guests.add({ name: ada, badge: red, at });
    expect(await there()).to.deep.equal([[id, 1]]);
    expect(await storage.people.holderAt(red, at)).to.deep.equal({ person: id, name: ada });
    expect(await storage.people.holderAt(red, toTimestamp(at - 1))).to.deep.equal({});
  });

  it('records a guest as here whose badge nobody tapped', async () => {
    const id = await guests.add({ name: ada, badge: red });
    expect(await there()).to.deep.equal([[id, 1]]);
  });

  it('divides a day between the guests who had a badge one after another', async () => {
    const one = await guests.add({ name: ada, badge: red, at: await tap(red) });
    await tap(red);
    await act(red, 'returned', (await tap(red)) + 1);
    const other = await guests.add({ name: grace, badge: red, at: await tap(red) });
    await tap(red);
    expect(await there()).to.deep.equal([
      [one, 3],
      [other, 2],
    ]);
  });

  it('gives a badge anew in the second since which it is back', async () => {
    await guests.add({ name: ada, badge: red, at: await tap(red) });
    const since = (await tap(red)) + 1;
    clock.advance(1_000);
    await act(red, 'returned', since);
    const other = await guests.add({ name: grace, badge: red, at: toTimestamp(since) });
    expect(await storage.people.holderAt(red, toTimestamp(since))).to.have.property('person', other);
  });

  describe('refuses a badge, and adds nobody,', () => {
    const persons = async (): Promise<number> => (await storage.people.persons(undefined, 9)).length;

    it('that somebody has', async () => {
      await guests.add({ name: ada, badge: red, at: await tap(red) });
      await rejectionOf('PERSON_CONFLICT', guests.add({ name: grace, badge: red, at: await tap(red) }));
      expect(await persons()).to.equal(1);
    });

    it('that has a name', async () => {
      await place.names.put(red, ada);
      await rejectionOf('PERSON_CONFLICT', guests.add({ name: grace, badge: red }));
    });

    it('that is lost', async () => {
      await guests.add({ name: ada, badge: red, at: await tap(red) });
      await act(red, 'lost', clock.now());
      await rejectionOf('PERSON_CONFLICT', guests.add({ name: grace, badge: red }));
      expect(await persons()).to.equal(1);
    });

    it('that somebody else had in that second', async () => {
      const at = await tap(red);
      await guests.add({ name: ada, badge: red, at });
      await act(red, 'returned', (await tap(red)) + 1);
      clock.advance(60_000);
      await rejectionOf('PERSON_CONFLICT', guests.add({ name: grace, badge: red, at }));
    });

    it('of which the second is in the future, or whose id stands for a person without a tag', async () => {
      const at = toTimestamp(clock.now() + 60);
      await rejectionOf('PERSON_CONFLICT', guests.add({ name: ada, badge: red, at }));
      const reserved = parseTallyId('FF544200112233445566');
      await rejectionOf('RESERVED_TALLY_ID', guests.add({ name: ada, badge: reserved }));
      expect(await persons()).to.equal(0);
    });

    it('that was tapped more than a day ago: what was recorded since is that of somebody else', async () => {
      const at = await tap(red);
      clock.set(at + 86_401);
      for (const since of [at, toTimestamp(0)])
        await rejectionOf('INVALID_TIMESTAMP', guests.add({ name: ada, badge: red, at: since }));
      expect(await persons()).to.equal(0);
      await guests.add({ name: ada, badge: red, at: toTimestamp(at + 1) });
    });

    it('of two desks that give it at once to one', async () => {
      const both = await Promise.allSettled([
        guests.add({ name: ada, badge: red }),
        guests.add({ name: grace, badge: red }),
      ]);
      expect(both.map(({ status }) => status)).to.have.members(['fulfilled', 'rejected']);
      expect(await persons()).to.equal(1);
    });

    it('while the clock may be wrong', async () => {
      await place.close();
      place = openPlace(NOW + 60);
      await place.open();
      await rejectionOf('CLOCK_NOT_TRUSTED', guestsOf(place).add({ name: ada }));
      expect(await persons()).to.equal(0);
    });
  });

  describe('on a disk that cannot be written', () => {
    const breakDisk = (isPermanent: boolean): void => {
      const failure = new TallybookError('STORE_WRITE_FAILED', 'the disk is broken', {
        details: { isPermanent },
      });
      storage.days.record = () => Promise.reject(failure);
    };

    it('says that the guest is not recorded as here', async () => {
      breakDisk(true);
      await rejectionOf('STORE_WRITE_FAILED', guests.add({ name: ada }));
      expect(await there()).to.deep.equal([]);
    });

    it('keeps the scan in memory until the disk can be written again', async () => {
      breakDisk(false);
      await guests.add({ name: ada });
      expect(place.attendance.backlog.waiting).to.equal(1);
    });
  });

  it('keeps the id and the days of a guest who becomes a member', async () => {
    const id = await guests.add({ name: ada });
    await place.people?.correct(id, { guest: null });
    expect((await place.people?.person(id))?.guest?.value).to.equal(undefined);
    expect(await there()).to.deep.equal([[id, 1]]);
    expect(await readPeople(storage.people, (draft) => draft.whole(id)?.name?.value)).to.deep.equal(ada);
  });
});
