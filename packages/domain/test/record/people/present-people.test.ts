import { parseTallyId, toDay, toTimestamp, type Entry, type TallyId } from '@tallybook/domain';
import { MemoryStorage } from '@tallybook/testing';
import { expect } from 'chai';
import { changePeople } from '../../../src/people/change-people.js';
import { presentPeople } from '../../../src/record/people/present-people.js';
import { implicitPerson } from '../../../src/values/people/person.js';
import { BEGINNING } from '../../../src/values/timestamp.js';
import { rejectionOf } from '../../fixtures/throws.js';

const day = toDay(20_413);
const MORNING = 1_763_715_540;
/** Three parts of a day are read one after the other. */
const TAGS = 10_001;
const tagOf = (n: number): TallyId => parseTallyId(`04${n.toString(16).toUpperCase().padStart(8, '0')}`);
const [first, last] = [tagOf(0), tagOf(TAGS - 1)];

describe('presentPeople, of a day with more tags than are read at a time', () => {
  const entries: readonly Entry[] = Array.from({ length: TAGS }, (_, n) => ({
    id: tagOf(n),
    first: toTimestamp(MORNING + n),
    last: toTimestamp(MORNING + n + 1),
    count: 2,
  }));
  let storage: MemoryStorage;
  let pauses: number;

  beforeEach(async () => {
    pauses = 0;
    storage = new MemoryStorage();
    await storage.open();
    for (const id of [first, tagOf(1), last])
      await storage.mapping.put(id, { first: 'Ada', last: 'Lovelace' });
  });

  afterEach(() => storage.close());

  function present(maxTags: number): ReturnType<typeof presentPeople> {
    const pause = (): Promise<void> => {
      pauses++;
      return Promise.resolve();
    };
    return presentPeople({ people: storage.people, days: storage.days, pause, maxTags }, { day, entries });
  }

  it('counts the first and the last tag of one person together, and lets other work run', async () => {
    const person = implicitPerson(first);
    await changePeople(storage.people, (draft) => {
      const stamp = { ms: 1, counter: 0, node: 'hall' };
      draft.putTimeline({ tag: last, entries: [{ since: BEGINNING, holder: person, why: 'given', stamp }] });
    });
    const there = await present(2);
    expect(there.map(({ person: each }) => each)).to.deep.equal([person, implicitPerson(tagOf(1))]);
    expect(there[0]).to.deep.include({
      ...{ ids: [first, last], first: MORNING, last: MORNING + TAGS, scans: 4 },
    });
    expect(pauses).to.equal(2);
  });

  it('refuses more persons than there is memory for', async () => {
    const { message } = await rejectionOf('NOT_ENOUGH_MEMORY', present(2));
    expect(message).to.include('day 20413 has more than 2 tags');
  });
});
