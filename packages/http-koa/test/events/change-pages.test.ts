import { expect } from 'chai';
import { parseTallyId, toDay, toTimestamp } from '@tallybook/domain';
import { MemoryJournal } from '@tallybook/testing';
import { ChangePages } from '../../src/events/catch-up.js';

describe('pages of changes', () => {
  for (const cursor of [3, 4]) {
    it(`are not kept for changes that were not announced yet: announced up to 3, requested after ${cursor}`, async () => {
      await using journal = new MemoryJournal();
      await journal.open();
      const id = parseTallyId('04A2B3C4D5');
      for (let second = 0; second < 6; second++) {
        const at = toTimestamp(second);
        journal.append({ kind: 'scan', day: toDay(0), id, at, reader: 'door', outcome: 'counted' });
      }
      const names = { get: () => Promise.resolve(undefined) };
      const pages = new ChangePages({ journal, origin: 'o', names });
      expect(await pages.after(cursor, 3)).to.deep.include({ last: cursor, events: Buffer.alloc(0) });
      expect(await pages.after(cursor, 6)).to.have.property('last', 6);
    });
  }

  it('end at a change, and not in a gap between the cursors', async () => {
    await using journal = new MemoryJournal();
    await journal.open();
    const id = parseTallyId('04A2B3C4D5');
    const read = journal.read.bind(journal);
    const gap = 2 ** 32 + 100;
    // After 200 changes the database has lost commits, so that the cursors go on far away.
    journal.read = async (after, limit) => {
      const page = await read(after > gap ? after - gap : after, limit);
      if (!page.isKnown) return page;
      const moved = (cursor: number): number => (cursor > 200 ? cursor + gap : cursor);
      return {
        isKnown: true,
        entries: page.entries.map((entry) => ({ ...entry, cursor: moved(entry.cursor) })),
      };
    };
    for (let second = 0; second < 300; second++) {
      const at = toTimestamp(second);
      journal.append({ kind: 'scan', day: toDay(0), id, at, reader: 'door', outcome: 'counted' });
    }
    const pages = new ChangePages({
      journal,
      origin: 'o',
      names: { get: () => Promise.resolve(undefined) },
    });
    expect(await pages.after(0, 300 + gap)).to.have.property('last', 200);
    expect(await pages.after(200, 300 + gap)).to.have.property('last', 300 + gap);
  });
});
