import { expect } from 'chai';
import { Emitter, JournalConsumer, type Cursor } from '@tallybook/domain';
import { ManualClock, Recorder } from '@tallybook/testing';
import { MemoryJournal } from '../../../store-memory/src/index.js';

describe('A JournalConsumer that continues with the oldest change after a reset', () => {
  for (const limit of [1, 7, 100]) {
    it(`gets all kept changes, and the cursor before them: ${limit}`, async () => {
      const journal = new MemoryJournal(undefined, { limit });
      await journal.open();
      const handled = new Emitter<Cursor>();
      const cursors = new Recorder(handled);
      const resets: unknown[] = [];
      const consumer = new JournalConsumer({
        journal,
        clock: new ManualClock(),
        name: 'reader',
        afterReset: 'oldest',
        handle: (entries) => {
          for (const { cursor } of entries) handled.emit(cursor);
          return Promise.resolve(entries.at(-1)?.cursor ?? 0);
        },
        onReset: (reason, next) => {
          resets.push(reason, next);
          return Promise.resolve();
        },
        onFault: () => undefined,
      });
      await consumer.open();
      await consumer.close();
      for (let n = 0; n < 300; n++) journal.append({ kind: 'repaired' });
      await consumer.open();
      await cursors.find('the last one', (cursor) => cursor === 300);
      await consumer.close();
      const [first = 0] = cursors.values;
      expect(resets).to.deep.equal(['too-old', first - 1]);
      expect(await journal.read(first - 2, 1)).to.deep.equal({ isKnown: false, reason: 'too-old' });
      expect(cursors.values).to.deep.equal(Array.from({ length: 301 - first }, (_, n) => first + n));
    });
  }
});
