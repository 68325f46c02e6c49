import { expect } from 'chai';
import { type JournalEntry, type PeopleStore } from '@tallybook/domain';
import { downItemsOf } from '../../src/sync/items/down-items.js';
import { upItemsOf } from '../../src/sync/station/up-items.js';
import { ada, lovelace, NOW } from './sync-world.js';
import { listOf } from '../fixtures/streams.js';
import { PeoplePlace } from '../fixtures/people-place.js';

const entries: readonly JournalEntry[] = [{ cursor: 1, change: { kind: 'name', id: ada, action: 'added' } }];

/** A storage in which a tag gets its first holder right after somebody has looked for one. */
async function openStorage() {
  const { storage, people: service } = await PeoplePlace.open(NOW);
  const person = await service.add({ name: lovelace });
  let isGiven = false;
  const people = Object.assign(Object.create(storage.people) as PeopleStore, {
    read: async (...args: Parameters<PeopleStore['read']>) => {
      const rows = await storage.people.read(...args);
      if (!isGiven) {
        isGiven = true;
        await service.act(ada, { act: 'give', person });
      }
      return rows;
    },
  });
  const { days, stampedNames: stamped, corrections, erasures } = storage;
  return { days, stamped, people, corrections, erasures };
}

describe('The name of a holder', () => {
  it('is not sent as that of a tag, though the tag gets its holder meanwhile', async () => {
    expect(await downItemsOf(entries, await openStorage())).to.be.empty;
    expect(await listOf(upItemsOf(entries, await openStorage()))).to.be.empty;
  });
});
