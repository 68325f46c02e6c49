import { expect } from 'chai';
import { personOfTap } from '../../src/pages/today/people-table.js';
import { countGroups } from '../../src/parts/group-filter.js';
import { People } from '../../src/state/people/people.js';
import type { SeenTap } from '../../src/state/presence.js';
import { NOON, personOf, StubService, TODAY } from '../fixtures/stub-service.js';

const TAG = '04A2B3C4D5';
const ada = { first: 'Ada', last: 'Lovelace' };

describe('the person of a tap', () => {
  const service = new StubService();
  const people = new People(service);

  beforeEach(async () => {
    service.people = [personOf('ada', ada, TAG), personOf('grace', { first: 'Grace', last: 'Hopper' })];
    await people.load();
  });

  function seen(person: string | null, isLost: boolean): SeenTap {
    const tap = {
      id: TAG,
      at: NOON,
      day: TODAY,
      outcome: 'counted',
      name: null,
      person,
      reader: 'door',
    } as const;
    return { tap, number: 1, at: NOON, name: undefined, isLost };
  }

  it('is the one of the event, who may not hold the tag any more', () => {
    expect(personOfTap(seen('grace', false), people)?.id).to.equal('grace');
  });

  it('is the holder where the event has no person', () => {
    expect(personOfTap(seen(null, false), people)?.id).to.equal('ada');
  });

  it('is nobody if the holder has the tag since a later time, or lost it', async () => {
    for (const change of [{ since: NOON + 1 }, { isLost: true }]) {
      service.people = [{ ...personOf('ada', ada), tags: [{ id: TAG, since: 0, isLost: false, ...change }] }];
      await people.load();
      expect(personOfTap(seen(null, false), people)).to.equal(undefined);
    }
  });

  it('is nobody after a tap of a lost tag', () => {
    expect(personOfTap(seen(null, true), people)?.id).to.equal(undefined);
  });
});

describe('the number of persons in each group', () => {
  it('counts who is in several in each', () => {
    expect([...countGroups([{ groups: ['7b', 'board'] }, { groups: ['7b'] }, { groups: [] }])]).to.deep.equal(
      [
        ['7b', 2],
        ['board', 1],
      ],
    );
  });
});
