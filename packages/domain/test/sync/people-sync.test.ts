import { expect } from 'chai';
import {
  implicitPerson,
  parseGroupId,
  plainGroup,
  plainPerson,
  plainTimeline,
  toDay,
  type Name,
  type PersonId,
  type TallyId,
} from '@tallybook/domain';
import { holdingsOf } from '../../src/values/people/timeline.js';
import { testOn } from '../fixtures/test-on.js';
import {
  ada,
  at,
  babbage,
  bob,
  Centre,
  grace,
  lovelace,
  NOW,
  pass,
  Station,
  type Place,
} from './sync-world.js';
import { LONG, openPlaces } from './met-places.js';

const test = testOn(() => openPlaces('first', 'second'));

/** The rows that all places have, without what belongs to one place alone. */
function rowsOf({ contents: { people, names } }: Place): readonly string[] {
  return [
    ...[...people.persons.values()].map((person) => JSON.stringify(plainPerson(person, false))),
    ...[...people.groups.values()].map((group) => JSON.stringify(plainGroup(group))),
    ...[...people.timelines.values()].map((timeline) => JSON.stringify(plainTimeline(timeline, false))),
    ...[...names].map(([id, { first, last }]) => `${id} ${first} ${last}`),
  ].sort();
}

function requireSame(places: readonly Place[]): void {
  const [first, ...others] = places.map(rowsOf);
  for (const rows of others) expect(rows).to.deep.equal(first);
}

/** Who holds a tag, second by second of its boundaries. */
async function holdersOf(place: Place, tag: TallyId): Promise<readonly string[]> {
  return holdingsOf(await place.persons.timeline(tag)).map(
    ({ holder, why, since }) => `${since} ${holder ?? why}`,
  );
}

async function doubtsOf(place: Place, tag: TallyId): Promise<readonly boolean[]> {
  return holdingsOf(await place.persons.timeline(tag)).map(({ isInDoubt }) => isInDoubt);
}

function add(place: Place, name: Name): Promise<PersonId> {
  return place.persons.add({ name });
}

describe('Persons of two stations', () => {
  test('are known at all places, with their tags since the same seconds', async ({ first, places, pass }) => {
    await first.names.put(ada, lovelace);
    const person = await first.persons.add({ name: grace, number: '7' });
    await first.persons.act(ada, { act: 'give', person, since: at(-5) });
    await pass();
    requireSame(places);
    for (const place of places) {
      expect(await holdersOf(place, ada)).to.deep.equal([`0 ${implicitPerson(ada)}`, `${at(-5)} ${person}`]);
      expect(await place.names.get(ada)).to.deep.equal(grace);
      expect((await place.persons.person(person))?.number?.value).to.equal('7');
      expect(await place.people.holderAt(ada, at(-6))).to.deep.equal({
        person: implicitPerson(ada),
        name: lovelace,
      });
    }
  });

  test('are in the groups that each gave them, and are guests until one says otherwise', async (world) => {
    const { centre, first, second, places } = world;
    const guest = { since: toDay(20_000), host: 'Grace' };
    const person = await centre.persons.add({ name: lovelace, groups: ['7b', 'Choir'], guest });
    await world.pass();
    requireSame(places);
    world.cutOff(first, second);
    await first.persons.correct(person, { groups: ['8b', 'choir'] });
    await first.persons.groups.rename(parseGroupId('choir'), 'Chor');
    await second.persons.correct(person, { guest: null });
    await second.persons.groups.merge(parseGroupId('choir'), parseGroupId('7b'));
    await world.reconnect(second, first);
    requireSame(places);
    for (const { persons, people } of places) {
      const row = await persons.person(person);
      expect(row?.guest?.value).to.equal(undefined);
      expect(row?.memberships?.map(({ group }) => group)).to.deep.equal(['7b', '8b', 'choir']);
      const groups = await people.groups();
      expect(groups.map(({ id, alias }) => [id, alias?.value])).to.deep.equal([
        ['7b', undefined],
        ['8b', undefined],
        ['choir', '7b'],
      ]);
    }
    expect(first.contents.people.groups.size).to.equal(3);
  });

  test('that are merged into each other at two places are one', async (world) => {
    const { centre, first, second, places } = world;
    await centre.persons.add({ name: lovelace, groups: ['A', 'B'] });
    await world.pass();
    world.cutOff(first, second);
    await first.persons.groups.merge(parseGroupId('a'), parseGroupId('b'));
    await second.persons.groups.merge(parseGroupId('b'), parseGroupId('a'));
    await world.reconnect(first, second);
    requireSame(places);
    for (const { persons } of places) {
      const [group, ...others] = await persons.groups.list();
      expect([group?.id, others.length]).to.deep.equal(['a', 0]);
    }
  });

  test('keep a number given at one and a name corrected at the other', async (world) => {
    const { centre, first, second, places } = world;
    const person = await add(centre, lovelace);
    await world.pass();
    world.cutOff(first, second);
    await first.persons.correct(person, { number: '12' });
    await second.persons.correct(person, { name: { first: 'Ada', last: 'King' } });
    await world.reconnect(second, first);
    requireSame(places);
    const row = await first.persons.person(person);
    expect([row?.number?.value, row?.name?.value?.last]).to.deep.equal(['12', 'King']);
  });

  test('have a tag that both gave in one second since then, of the one who gave it later', async (world) => {
    const { centre, first, second, places } = world;
    await centre.names.put(ada, lovelace);
    const [one, other] = [await add(centre, grace), await add(centre, babbage)];
    await world.pass();
    world.cutOff(first, second);
    await first.persons.act(ada, { act: 'give', person: one, since: at(0) });
    second.clock.advance(2_000);
    await second.persons.act(ada, { act: 'give', person: other, since: at(0) });
    await world.reconnect(first, second);
    requireSame(places);
    for (const place of places) {
      expect(await holdersOf(place, ada)).to.deep.equal([`0 ${implicitPerson(ada)}`, `${at(0)} ${other}`]);
    }
    // The centre, where both met, says so until somebody decides; the stations take what it has.
    expect(await doubtsOf(centre, ada)).to.deep.equal([false, true]);
    await centre.persons.act(ada, { act: 'all-along', person: one });
    await world.pass();
    requireSame(places);
    for (const place of places) {
      expect(await doubtsOf(place, ada)).to.deep.equal([false, false]);
      expect(await holdersOf(place, ada)).to.deep.equal([`0 ${implicitPerson(ada)}`, `${at(0)} ${one}`]);
    }
  });

  test('have a tag that both gave minutes apart one after the other, and the places say so', async (world) => {
    const { centre, first, second, places } = world;
    await centre.names.put(ada, lovelace);
    const [one, other] = [await add(centre, grace), await add(centre, babbage)];
    await world.pass();
    world.cutOff(first, second);
    await first.persons.act(ada, { act: 'give', person: one, since: at(-240) });
    await second.persons.act(ada, { act: 'give', person: other, since: at(-120) });
    await world.reconnect(second, first);
    requireSame(places);
    for (const place of places) {
      expect(await holdersOf(place, ada)).to.deep.equal([
        `0 ${implicitPerson(ada)}`,
        `${at(-240)} ${one}`,
        `${at(-120)} ${other}`,
      ]);
      expect(await doubtsOf(place, ada)).to.deep.equal([false, false, true]);
    }
    await centre.persons.act(ada, { act: 'give', person: other, since: at(-120) });
    await world.pass();
    requireSame(places);
    for (const place of places) expect(await doubtsOf(place, ada)).to.deep.equal([false, false, false]);
  });

  test('have a tag that one named while the centre gave it to somebody else', async (world) => {
    const { centre, first, places } = world;
    world.cutOff(first);
    const person = await add(centre, grace);
    await centre.persons.act(ada, { act: 'give', person, since: at(-9) });
    await first.names.put(ada, lovelace);
    await world.reconnect(first);
    requireSame(places);
    for (const place of places) {
      expect(await holdersOf(place, ada)).to.deep.equal([`0 ${implicitPerson(ada)}`, `${at(-9)} ${person}`]);
      expect(await place.names.get(ada)).to.deep.equal(grace);
    }
    expect(await doubtsOf(centre, ada)).to.deep.equal([false, true]);
  });

  test('are one at all places once they are merged, and two again once they are split', async (world) => {
    const { centre, first, second, places } = world;
    await centre.names.put(ada, lovelace);
    const person = await add(centre, { first: 'Ada', last: 'L.' });
    await centre.persons.act(bob, { act: 'give', person });
    await world.pass();
    world.cutOff(second);
    const stays = await first.persons.merge(person, implicitPerson(ada));
    await second.persons.correct(implicitPerson(ada), { number: '3' });
    await world.reconnect(second);
    requireSame(places);
    for (const place of places) {
      expect((await place.persons.person(implicitPerson(ada)))?.id).to.equal(stays);
      expect((await place.persons.person(stays))?.number?.value).to.equal('3');
    }
    await centre.persons.split(implicitPerson(ada));
    await world.pass();
    requireSame(places);
    expect(await first.names.get(ada)).to.deep.equal(lovelace);
  });

  test('are sent once: the changes end when all places have them', async (world) => {
    const { centre, first, second, places } = world;
    await first.names.put(ada, lovelace);
    const person = await add(second, grace);
    await second.persons.act(ada, { act: 'give', person });
    await world.pass();
    const latest = async (): Promise<readonly number[]> =>
      Promise.all(places.map(({ journal }) => journal.latest()));
    const before = await latest();
    const batches = first.transport.batches.length + second.transport.batches.length;
    await pass(places, LONG);
    expect(await latest()).to.deep.equal(before);
    const later = [...first.transport.batches, ...second.transport.batches].slice(batches);
    expect(later.flatMap(({ items }) => items)).to.deep.equal([]);
    requireSame([centre, first, second]);
  });

  test('change nothing when a batch arrives twice', async (world) => {
    const { centre, first, places } = world;
    const { transport } = first;
    const push = transport.push.bind(transport);
    transport.push = async (batch) => {
      await push(batch);
      return push(batch);
    };
    const person = await add(first, grace);
    await first.names.put(ada, lovelace);
    await first.persons.act(ada, { act: 'give', person, since: at(-1) });
    await first.persons.act(ada, { act: 'lost' });
    await world.pass();
    requireSame(places);
    const [before, latest] = [rowsOf(centre), await centre.journal.latest()];
    for (const batch of [...transport.batches]) await centre.sync.push('first', batch);
    expect(rowsOf(centre)).to.deep.equal(before);
    expect(await centre.journal.latest()).to.equal(latest);
  });

  test('come back to a station from the whole snapshot after a repair', async (world) => {
    const { centre, first, places } = world;
    const person = await add(centre, grace);
    await centre.persons.act(ada, { act: 'give', person });
    await world.pass();
    const { persons, timelines } = first.contents.people;
    persons.clear();
    timelines.clear();
    first.contents.names.clear();
    first.contents.stamps.clear();
    first.journal.append({ kind: 'repaired' });
    await pass(places, LONG);
    requireSame(places);
    expect(await first.names.get(ada)).to.deep.equal(grace);
  });

  test('are sent whole to another centre', async ({ centre, first, second, pass: some }) => {
    const person = await add(centre, grace);
    await centre.persons.act(ada, { act: 'give', person });
    await some();
    await using other = await Centre.open();
    for (const { transport, sync } of [first, second]) {
      transport.abort();
      transport.centre = other;
      sync.wake();
    }
    await pass([other, first, second], LONG);
    requireSame([other, first, second]);
    expect(await other.names.get(ada)).to.deep.equal(grace);
  });

  test('are refused by a centre without a store of persons, which takes the rest', async ({ first }) => {
    await using plain = await Centre.open(undefined, undefined, { hasPeople: false });
    await using station = await Station.open('other', plain, first.contents.copy());
    await pass([plain, station], 2);
    await station.names.put(bob, babbage);
    await add(station, grace);
    await pass([plain, station], LONG);
    const [record] = await plain.sync.stations();
    expect(record?.refused.map(({ code }) => code)).to.deep.equal(['INVALID_SYNC']);
    expect(plain.record().names).to.include(`${bob} Charles Babbage`);
  });
});

describe('A holding from a clock that was ahead', () => {
  test('begins when it arrives at the centre, once, and at its station too', async (world) => {
    const { centre, first, places } = world;
    await centre.names.put(ada, lovelace);
    const person = await add(centre, grace);
    await world.pass();
    first.transport.fate = () => 'answer-lost';
    first.clock.advance(7_200_000);
    await first.persons.act(ada, { act: 'give', person });
    first.sync.wake();
    await pass([centre, first], 3);
    first.clock.set(centre.clock.now());
    await world.reconnect(first);
    requireSame(places);
    for (const place of places) {
      const timeline = await place.persons.timeline(ada);
      const present = timeline.entries.filter(({ isUndone }) => isUndone !== true).at(-1);
      expect(present?.holder).to.equal(person);
      expect(present?.since).to.be.within(NOW, NOW + LONG);
      expect(holdingsOf(timeline)).to.have.lengthOf(2);
    }
  });

  test('is the last one of several, though only that one is too far ahead', async (world) => {
    const { centre, first, places } = world;
    await centre.names.put(ada, lovelace);
    const [one, other] = [await add(centre, grace), await add(centre, babbage)];
    await world.pass();
    world.cutOff(first);
    // Up to five minutes ahead is taken as it is.
    first.clock.advance(200_000);
    await first.persons.act(ada, { act: 'give', person: one });
    first.clock.advance(300_000);
    await first.persons.act(ada, { act: 'give', person: other });
    first.clock.set(centre.clock.now());
    await world.reconnect(first);
    requireSame(places);
    for (const place of places) {
      const present = holdingsOf(await place.persons.timeline(ada)).at(-1);
      expect(present?.holder).to.equal(other);
    }
  });
});

describe('The erasure of a person', () => {
  /** Ada had the tag; Grace has it now. */
  async function handedOn(world: { centre: Centre; pass: () => Promise<void> }): Promise<PersonId> {
    const { centre } = world;
    await centre.names.put(ada, lovelace);
    const person = await add(centre, grace);
    await centre.persons.act(ada, { act: 'give', person, since: at(0) });
    await world.pass();
    return person;
  }

  function textOf(places: readonly Place[]): string {
    return JSON.stringify(
      places.map(({ contents: { people, names, changes } }) => [
        [...people.persons],
        [...people.timelines],
        [...names],
        changes,
      ]),
    );
  }

  test('at the centre reaches a station that was offline with older rows', async (world) => {
    const { centre, first, places } = world;
    const person = await handedOn(world);
    await first.tap(ada, -20);
    await first.tap(ada, 2);
    await world.pass();
    world.cutOff(first);
    await first.persons.correct(person, { number: '9' });
    await first.persons.act(bob, { act: 'give', person, since: at(1) });
    await pass(places, 2);
    await centre.eraser.erase([], { persons: [person], isDryRun: false, actor: 'desk' });
    await pass(places, 2);
    await world.reconnect(first);
    requireSame(places);
    expect(textOf(places)).to.not.include(person);
    for (const place of [centre, first]) {
      expect(place.record().scans).to.deep.equal([`20413 ${ada} ${at(-20)}`]);
      expect(await place.persons.person(implicitPerson(ada))).to.not.equal(undefined);
    }
  });

  test('at a station reaches a centre that has later rows of them', async (world) => {
    const { centre, first, places } = world;
    const person = await handedOn(world);
    world.cutOff(first);
    await pass(places, 2);
    await first.eraser.erase([], { persons: [person], isDryRun: false, actor: 'desk' });
    await centre.persons.correct(person, { number: '9' });
    await centre.persons.act(bob, { act: 'give', person, since: at(1) });
    await world.reconnect(first);
    requireSame(places);
    expect(textOf(places)).to.not.include(person);
  });

  test('leaves no row for them, though a station merged somebody into them', async (world) => {
    const { centre, first, places } = world;
    const both = [await add(centre, grace), await add(centre, babbage)].sort();
    const [person, merged] = both as [PersonId, PersonId];
    await centre.persons.act(ada, { act: 'give', person: merged });
    await world.pass();
    world.cutOff(first);
    await first.persons.merge(person, merged);
    await pass(places, 6);
    await centre.eraser.erase([], { persons: [person], isDryRun: false, actor: 'desk' });
    await world.reconnect(first);
    expect(textOf(places)).to.not.include(person);
    requireSame(places);
    // The centre did not know that they are one, and did not erase what was recorded for the other.
    for (const place of places)
      expect(await place.people.holderAt(ada, at(0))).to.deep.include({ person: merged });
  });

  test('leaves the tag, and their taps, to those who have it at a place that was offline', async (world) => {
    const { centre, first, places } = world;
    const person = await handedOn(world);
    world.cutOff(first);
    const next = await add(first, babbage);
    await first.persons.act(ada, { act: 'give', person: next, since: at(4) });
    await first.tap(ada, 3);
    await first.tap(ada, 5);
    await pass(places, 6);
    await centre.eraser.erase([], { persons: [person], isDryRun: false, actor: 'desk' });
    await world.reconnect(first);
    requireSame(places);
    for (const place of [centre, first])
      expect(place.record().scans).to.deep.equal([`20413 ${ada} ${at(5)}`]);
    for (const place of places) {
      expect(await place.names.get(ada)).to.deep.equal(babbage);
      expect((await place.persons.timeline(ada)).entries.at(-1)?.holder).to.equal(next);
    }
  });

  test('takes a person who had only a name, though a station has given their tag on', async (world) => {
    const { centre, first, places } = world;
    await centre.names.put(ada, lovelace);
    await world.pass();
    world.cutOff(first);
    const next = await add(first, grace);
    await first.persons.act(ada, { act: 'give', person: next, since: at(3) });
    await pass(places, 8);
    await centre.eraser.erase([], { persons: [implicitPerson(ada)], isDryRun: false, actor: 'desk' });
    await world.reconnect(first);
    requireSame(places);
    expect(textOf(places)).to.not.include('Lovelace');
    for (const place of places) expect(await place.names.get(ada)).to.deep.equal(grace);
  });

  test('at a station takes who has the tag anew, though an earlier one was cut for another holder', async (world) => {
    const { centre, first, places } = world;
    await centre.names.put(ada, lovelace);
    await world.pass();
    world.cutOff(first);
    const next = await add(first, grace);
    await first.persons.act(ada, { act: 'give', person: next, since: at(3) });
    await pass(places, 8);
    await centre.eraser.erase([], { persons: [implicitPerson(ada)], isDryRun: false, actor: 'desk' });
    await world.reconnect(first);
    expect((await centre.erasures.list()).map(({ isClosed }) => isClosed)).to.include(true);
    await first.eraser.erase([], { persons: [next], isDryRun: false, actor: 'desk' });
    await world.pass();
    await first.names.put(ada, { first: 'Carl', last: 'Gauss' });
    await first.tap(ada, 200);
    await world.pass();
    expect(textOf([centre])).to.include('Gauss');
    await pass(places, 300);
    await first.eraser.erase([], { persons: [implicitPerson(ada)], isDryRun: false, actor: 'desk' });
    await world.pass();
    requireSame(places);
    expect(textOf(places)).to.not.include('Gauss');
    for (const place of [centre, first]) expect(place.record().scans).to.deep.equal([]);
  });
});
