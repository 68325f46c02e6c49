import { expect } from 'chai';
import { implicitPerson, toDay, toTimestamp, type Day, type PersonId, type TallyId } from '@tallybook/domain';
import { testOn } from '../fixtures/test-on.js';
import { ada, babbage, bob, forgotten, grace, lovelace, NOW, TODAY, type Place } from './sync-world.js';
import { LONG, openPlaces } from './met-places.js';

const DAY = 86_400;

/** A centre that keeps guests for 30 days, with two stations that met it. */
const test = testOn(async () => {
  const all = await openPlaces('hall', 'gate');
  const { centre, places, hall, gate } = all;
  return {
    ...all,
    /** Days later, all places look around. */
    later: async (days: number) => {
      for (const { clock } of places) clock.set(clock.now() + days * DAY);
      for (const { sync } of [hall, gate]) sync.wake();
      await all.pass(LONG);
    },
    eraseGuests: async () => {
      const expired = await centre.guests.expired();
      await centre.guests.erase(expired, { actor: 'the service' });
      await all.pass();
      return expired.length;
    },
  };
});

const dayAfter = (days: number): Day => toDay(TODAY + days);

/** A guest who is recorded as here on a day. */
async function guestAt(place: Place, name: typeof lovelace, since = TODAY): Promise<PersonId> {
  const id = await place.persons.add({ name, guest: { since } });
  await come(place, place.people.lastResortOf(id), since);
  return id;
}

async function come(place: Place, tag: TallyId, day: Day): Promise<void> {
  await place.days.record(day, tag, toTimestamp(NOW + (day - TODAY) * DAY), { reader: 'desk' });
}

async function personsOf(place: Place): Promise<readonly PersonId[]> {
  return (await place.people.persons(undefined, 99)).map(({ id }) => id);
}

async function idsOf(place: Place, day: Day): Promise<readonly TallyId[]> {
  return ((await place.days.load(day))?.entries ?? []).map(({ id }) => id);
}

describe('Guests of stations and a centre', () => {
  test('are known everywhere, and erased everywhere when the centre erases them', async (all) => {
    const { centre, hall, gate, later, eraseGuests } = all;
    const id = await guestAt(hall, lovelace);
    await later(1);
    for (const place of [centre, gate]) expect(await personsOf(place)).to.deep.equal([id]);
    await later(30);
    expect(await eraseGuests()).to.equal(1);
    for (const place of [centre, hall, gate]) {
      expect(await personsOf(place)).to.deep.equal([]);
      expect(await idsOf(place, TODAY)).to.deep.equal([]);
    }
  });

  test('are kept as long as they come to any door', async ({ centre, hall, gate, later, eraseGuests }) => {
    const id = await guestAt(hall, lovelace);
    await later(20);
    await come(gate, gate.people.lastResortOf(id), dayAfter(20));
    await later(20);
    expect(await eraseGuests()).to.equal(0);
    expect(await personsOf(centre)).to.deep.equal([id]);
    await later(11);
    expect(await eraseGuests()).to.equal(1);
    expect(await idsOf(gate, dayAfter(20))).to.deep.equal([]);
  });

  describe('of a station that was offline for longer than guests are kept', () => {
    test('do not arrive, and nothing of theirs does', async ({ centre, gate, later }) => {
      gate.transport.fate = () => 'lost';
      const past = await guestAt(gate, lovelace);
      await gate.persons.act(bob, { act: 'give', person: past, since: toTimestamp(NOW) });
      await gate.corrections.correct([forgotten(gate.people.lastResortOf(past), 5)]);
      await come(gate, ada, TODAY);
      await later(40);
      const lately = await guestAt(gate, grace, dayAfter(40));
      gate.transport.fate = () => 'arrives';
      await later(1);
      expect(await personsOf(centre)).to.deep.equal([lately]);
      expect(await idsOf(centre, TODAY)).to.deep.equal([ada]);
      expect(await centre.corrections.list(TODAY, TODAY)).to.deep.equal([]);
      expect((await centre.people.holderAt(bob, toTimestamp(NOW))).person).to.equal(undefined);
      expect(centre.contents.stations.get('gate')?.refused.map(({ code }) => code)).to.include('TAG_ERASED');
    });

    test('arrive if they came again since', async ({ centre, gate, later, eraseGuests }) => {
      gate.transport.fate = () => 'lost';
      const id = await guestAt(gate, lovelace);
      await later(35);
      await come(gate, gate.people.lastResortOf(id), dayAfter(35));
      gate.transport.fate = () => 'arrives';
      await later(1);
      expect(await personsOf(centre)).to.deep.equal([id]);
      expect(await idsOf(centre, TODAY)).to.deep.equal([centre.people.lastResortOf(id)]);
      expect(await eraseGuests()).to.equal(0);
    });

    test('arrive if they became members', async ({ centre, gate, later }) => {
      gate.transport.fate = () => 'lost';
      const id = await guestAt(gate, lovelace);
      await gate.persons.correct(id, { guest: null });
      await later(40);
      gate.transport.fate = () => 'arrives';
      await later(1);
      expect(await personsOf(centre)).to.deep.equal([id]);
      expect(await idsOf(centre, TODAY)).to.deep.equal([centre.people.lastResortOf(id)]);
    });

    test('arrive if they were merged with a member', async ({ centre, gate, later }) => {
      gate.transport.fate = () => 'lost';
      await gate.persons.nameTag(bob, babbage);
      const id = await guestAt(gate, babbage);
      await gate.persons.merge(implicitPerson(bob), id);
      await later(40);
      gate.transport.fate = () => 'arrives';
      await later(1);
      expect(await personsOf(centre)).to.deep.equal([id, implicitPerson(bob)]);
      expect(await idsOf(centre, TODAY)).to.deep.equal([centre.people.lastResortOf(id)]);
    });

    test('do not come back when the station only has an older scan of theirs', async (all) => {
      const { centre, hall, gate, later, eraseGuests } = all;
      const id = await guestAt(hall, lovelace);
      await later(1);
      gate.transport.fate = () => 'lost';
      await come(gate, gate.people.lastResortOf(id), dayAfter(1));
      await later(35);
      expect(await eraseGuests()).to.equal(1);
      await later(8);
      await centre.erasures.expire(toTimestamp(centre.clock.now()));
      gate.transport.fate = () => 'arrives';
      await later(1);
      expect(await personsOf(centre)).to.deep.equal([]);
      expect(await idsOf(centre, dayAfter(1))).to.deep.equal([]);
    });
  });

  test('do not keep out old scans of members who gave their tag back', async ({ centre, gate, later }) => {
    gate.transport.fate = () => 'lost';
    await gate.persons.nameTag(bob, babbage);
    await gate.persons.act(bob, { act: 'returned' });
    const tag = gate.people.lastResortOf(implicitPerson(bob));
    await come(gate, tag, TODAY);
    await later(40);
    gate.transport.fate = () => 'arrives';
    await later(1);
    expect(await idsOf(centre, TODAY)).to.deep.equal([tag]);
  });

  test('do not keep out old scans of members without a tag', async ({ centre, gate, later }) => {
    gate.transport.fate = () => 'lost';
    const id = await gate.persons.add({ name: babbage });
    await come(gate, gate.people.lastResortOf(id), TODAY);
    await later(40);
    gate.transport.fate = () => 'arrives';
    await later(1);
    expect(await personsOf(centre)).to.deep.equal([id]);
    expect(await idsOf(centre, TODAY)).to.deep.equal([centre.people.lastResortOf(id)]);
  });
});
