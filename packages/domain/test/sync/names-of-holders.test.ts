import { expect } from 'chai';
import { Calendar, PeopleService, Timekeeper, type JournalEntry, type PeopleStore } from '@tallybook/domain';
import { ManualClock, MemoryStorage } from '@tallybook/testing';
import { downItemsOf } from '../../src/sync/items/down-items.js';
import { upItemsOf } from '../../src/sync/station/up-items.js';
import { ada, lovelace, NOW } from './sync-world.js';
import { listOf } from '../fixtures/streams.js';

const entries: readonly JournalEntry[] = [{ cursor: 1, change: { kind: 'name', id: ada, action: 'added' } }];

/** A storage in which a tag gets its first holder right after somebody has looked for one. */
async function openStorage() {
  const storage = new MemoryStorage();
  await storage.open();
  const timekeeper = new Timekeeper(new ManualClock(NOW));
  const service = new PeopleService({ people: storage.people, timekeeper, calendar: new Calendar({}) });
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
