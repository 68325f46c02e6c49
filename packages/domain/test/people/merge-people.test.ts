import { parsePersonId, toTimestamp, type PersonId, type TimelineEntry } from '@tallybook/domain';
import { holdingsOf } from '../../src/values/people/timeline.js';
import { mergePeople } from '../../src/people/merge-people.js';
import { expect } from 'chai';
import { itemsOf, knowledgeOf } from './fixtures/exchange.js';
import { Place } from './fixtures/histories.js';
import { red, lovelace, babbage } from '../../../testing/test/fixtures/known-values.js';

const implicit = parsePersonId(`tag-${red}`);

describe('mergePeople', () => {
  let [centre, hall]: [Place, Place] = [new Place(), new Place()];

  beforeEach(async () => {
    [centre, hall] = [new Place(), new Place()];
    for (const { storage } of [centre, hall]) await storage.open();
  });

  afterEach(async () => {
    for (const { storage } of [centre, hall]) await storage.close();
  });

  async function send(from: Place, to: Place): Promise<void> {
    await mergePeople(to.storage.people, await itemsOf(from), { isNoted: to === centre });
  }

  async function doubtsOf({ people }: Place): Promise<readonly boolean[]> {
    return holdingsOf(await people.timeline(red)).map(({ isInDoubt }) => isInDoubt);
  }

  async function lastOf({ people }: Place): Promise<TimelineEntry | undefined> {
    return (await people.timeline(red)).entries.at(-1);
  }

  /** Two persons whom both places know. */
  async function persons(): Promise<readonly [PersonId, PersonId]> {
    await centre.mapping.put(red, lovelace);
    const both = [
      await centre.people.add({ name: lovelace }),
      await centre.people.add({ name: babbage }),
    ] as const;
    await send(centre, hall);
    return both;
  }

  it('keeps a number that was given here and a name that was corrected there', async () => {
    const [ada] = await persons();
    await centre.people.correct(ada, { number: '7' });
    await hall.people.correct(ada, { name: { first: 'Ada', last: 'King' } });
    await send(hall, centre);
    const merged = await centre.people.person(ada);
    expect([merged?.number?.value, merged?.name?.value?.last]).to.deep.equal(['7', 'King']);
  });

  it('names both when two desks give one tag in one second', async () => {
    const [ada, bob] = await persons();
    await centre.people.act(red, { act: 'give', person: ada });
    await hall.people.act(red, { act: 'give', person: bob });
    await send(hall, centre);
    const last = await lastOf(centre);
    expect([last?.holder, last?.doubt].sort()).to.deep.equal([ada, bob].sort());
    expect(await doubtsOf(centre)).to.deep.equal([false, true]);
  });

  it('names both when two desks give one tag minutes apart', async () => {
    const [ada, bob] = await persons();
    await centre.people.act(red, { act: 'give', person: ada });
    hall.clock.advance(180_000);
    await hall.people.act(red, { act: 'give', person: bob });
    await send(hall, centre);
    expect(await doubtsOf(centre)).to.deep.equal([false, false, true]);
    expect((await lastOf(centre))?.after).to.equal(implicit);
  });

  it('has no doubt once somebody decides, here and after the decision arrives', async () => {
    const [ada, bob] = await persons();
    await centre.people.act(red, { act: 'give', person: ada });
    await hall.people.act(red, { act: 'give', person: bob });
    await send(hall, centre);
    await centre.people.act(red, { act: 'all-along', person: bob });
    expect(await doubtsOf(centre)).to.deep.equal([false, false]);
    // What is sent again was known when it was decided.
    await send(hall, centre);
    expect(await doubtsOf(centre)).to.deep.equal([false, false]);
    await send(centre, hall);
    await send(hall, centre);
    expect(await doubtsOf(centre)).to.deep.equal([false, false]);
    expect(await knowledgeOf(hall)).to.deep.equal(await knowledgeOf(centre));
  });

  it('has no doubt when a station says that a tag was another person’s from the beginning', async () => {
    const [, bob] = await persons();
    await hall.people.act(red, { act: 'all-along', person: bob });
    await send(hall, centre);
    expect(await doubtsOf(centre)).to.deep.equal([false]);
    expect((await centre.storage.people.holderAt(red, toTimestamp(0))).person).to.equal(bob);
  });

  it('has no doubt when a station corrects what it had from the centre', async () => {
    const [ada, bob] = await persons();
    await centre.people.act(red, { act: 'give', person: ada });
    await send(centre, hall);
    await hall.people.act(red, { act: 'all-along', person: bob });
    await send(hall, centre);
    expect(await doubtsOf(centre)).to.deep.equal([false, false]);
    expect((await lastOf(centre))?.holder).to.equal(bob);
  });

  it('names both when a tag that was given here from the beginning has its first name there', async () => {
    const bob = await centre.people.add({ name: babbage });
    await centre.people.act(red, { act: 'give', person: bob });
    await hall.mapping.put(red, lovelace);
    await send(hall, centre);
    expect(await lastOf(centre)).to.include({ holder: bob, doubt: implicit });
  });

  it('keeps the other first name of an implicit person who is a row, until somebody decides', async () => {
    await centre.mapping.put(red, lovelace);
    await centre.people.correct(implicit, { number: '7' });
    await hall.mapping.put(red, babbage);
    await hall.mapping.put(red, babbage);
    await hall.mapping.put(red, babbage);
    await send(hall, centre);
    const doubtful = await centre.people.person(implicit);
    expect([doubtful?.name?.value, doubtful?.doubt].map((name) => name?.first).sort()).to.deep.equal([
      'Ada',
      'Charles',
    ]);
    await centre.people.correct(implicit, { name: lovelace });
    expect((await centre.people.person(implicit))?.doubt).to.equal(undefined);
  });

  it('leaves names as names where nothing else is known', async () => {
    await centre.mapping.put(red, lovelace);
    await send(centre, hall);
    expect(await hall.storage.people.persons(undefined, 10)).to.deep.equal([]);
    expect(await hall.storage.people.timelines(undefined, 10)).to.deep.equal([]);
    expect(await hall.mapping.get(red)).to.deep.equal(lovelace);
  });

  it('does not bring back what was known of a person before they were removed', async () => {
    const [ada] = await persons();
    await centre.people.remove(ada);
    await send(hall, centre);
    expect((await centre.people.person(ada))?.name).to.equal(undefined);
    await send(centre, hall);
    expect((await hall.people.person(ada))?.name).to.equal(undefined);
  });

  it('never puts a name of another place at the present holder', async () => {
    const [, bob] = await persons();
    await hall.people.act(red, { act: 'give', person: bob });
    await centre.mapping.put(red, { first: 'Ada', last: 'King' });
    await send(centre, hall);
    expect(await hall.mapping.get(red)).to.deep.equal(babbage);
    expect((await hall.people.person(implicit))?.name?.value?.last).to.equal('King');
  });
});
