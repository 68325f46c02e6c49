import { expect } from 'chai';
import {
  Calendar,
  parseTallyId,
  PeopleService,
  Timekeeper,
  type Name,
  type TallyId,
} from '@tallybook/domain';
import { ManualClock, MemoryStorage } from '@tallybook/testing';
import { PeopleMapping } from '../../src/people/people-mapping.js';

/** As many lines as a list of names has at most. */
const LINES = 10_000;

describe('PeopleMapping', () => {
  it('takes the longest list of names in seconds, though one of its tags was lost once', async function () {
    // 2 to 4 s; it took 2 minutes when the tags of a person were searched among all tags of the list.
    this.timeout(30_000);
    await using storage = new MemoryStorage();
    await storage.open();
    const people = new PeopleService({
      people: storage.people,
      timekeeper: new Timekeeper(new ManualClock(1_763_700_000)),
      calendar: new Calendar({ zone: 'UTC', dayStart: '00:00' }),
    });
    const mapping = new PeopleMapping(storage.mapping, people);
    const tags = Array.from({ length: LINES }, (_, index) =>
      parseTallyId((0x10_00_00_00 + index).toString(16)),
    );
    const listOf = (last: string): ReadonlyMap<TallyId, Name> =>
      new Map(tags.map((tag) => [tag, { first: 'Ada', last }]));
    await mapping.change(listOf('Lovelace'));
    const [lost = parseTallyId('04A2B3C4D5')] = tags;
    await people.act(lost, { act: 'lost' });
    await people.act(lost, { act: 'found' });
    await mapping.change(listOf('King'));
    const names = await mapping.read();
    expect(tags.filter((tag) => names.get(tag)?.last !== 'King')).to.deep.equal([]);
  });
});
