import { implicitPerson, plainPerson, plainTimeline, toTimestamp, type Person } from '@tallybook/domain';
import { expect } from 'chai';
import { mergePeople } from '../../src/people/merge-people.js';
import { itemsOf } from './fixtures/exchange.js';
import { Place } from './fixtures/histories.js';
import { red, lovelace, babbage } from '../../../testing/test/fixtures/known-values.js';

const ERASED_MS = 5_000;
const request = { ids: [], until: toTimestamp(ERASED_MS / 1_000), expiresAt: toTimestamp(9_000_000_000) };

describe('An erasure', () => {
  let [here, there]: [Place, Place] = [new Place(), new Place()];

  beforeEach(async () => {
    [here, there] = [new Place(), new Place()];
    for (const { storage } of [here, there]) await storage.open();
  });

  afterEach(async () => {
    for (const { storage } of [here, there]) await storage.close();
  });

  async function send(from: Place, to: Place): Promise<void> {
    await mergePeople(to.storage.people, await itemsOf(from), { isNoted: to === here });
  }

  async function rowsHere(): Promise<string> {
    const persons = await here.storage.people.persons(undefined, 10);
    const timelines = await here.storage.people.timelines(undefined, 10);
    return JSON.stringify([
      persons.map((row) => plainPerson(row)),
      timelines.map((row) => plainTimeline(row)),
    ]);
  }

  it('leaves no doubt about a tag that names the person, who never held it here', async () => {
    const [ada, charles] = [
      await here.people.add({ name: lovelace }),
      await there.people.add({ name: babbage }),
    ];
    const since = toTimestamp(here.clock.now());
    await here.people.act(red, { act: 'give', person: ada, since });
    await there.people.act(red, { act: 'give', person: charles, since });
    await send(there, here);
    const [entry] = (await here.people.timeline(red)).entries;
    const doubted = entry?.doubt ?? ada;
    expect(entry?.holder).to.not.equal(doubted);
    await here.storage.erasures.erase({ ...request, persons: [doubted] });
    expect(await rowsHere()).to.not.include(doubted);
    expect((await here.people.timeline(red)).entries.map(({ holder }) => holder)).to.deep.equal([
      entry?.holder,
    ]);
  });

  it('leaves no entry that says that it was taken from the person, whose own was undone elsewhere', async () => {
    const [ada, charles] = [
      await here.people.add({ name: lovelace }),
      await here.people.add({ name: babbage }),
    ];
    const now = here.clock.now();
    await here.people.act(red, { act: 'give', person: ada, since: toTimestamp(now - 100) });
    await send(here, there);
    await here.people.act(red, { act: 'give', person: charles, since: toTimestamp(now - 50) });
    await there.people.act(red, { act: 'undo' });
    await send(there, here);
    expect(await rowsHere()).to.include(`"after":"${ada}"`);
    await here.storage.erasures.erase({ ...request, persons: [ada] });
    expect(await rowsHere()).to.not.include(ada);
  });

  it('keeps what is said of an implicit person of a later name while it goes on', async () => {
    const { people, erasures } = here.storage;
    const id = implicitPerson(red);
    const stamped = { number: '7', name: lovelace } as const;
    await mergePeople(people, [
      {
        kind: 'person',
        person: {
          ...{ id, tags: [], aliases: [] },
          name: { value: stamped.name, stamp: { ms: ERASED_MS + 5_000, counter: 0, node: 'hall' } },
          number: { value: stamped.number, stamp: { ms: ERASED_MS - 5_000, counter: 0, node: 'hall' } },
        },
      },
    ]);
    await there.storage.erasures.erase({ ...request, persons: [id] });
    const pages = people.persons.bind(people);
    people.persons = async (...asked): Promise<readonly Person[]> => {
      const page = await pages(...asked);
      if (page.length > 0) await here.people.correct(id, { name: babbage });
      return page;
    };
    await erasures.add(await there.storage.erasures.list(), toTimestamp(here.clock.now()));
    const person = await here.people.person(id);
    expect([person?.name?.value, person?.number]).to.deep.equal([babbage, undefined]);
  });
});
