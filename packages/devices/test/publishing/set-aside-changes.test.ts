import { expect } from 'chai';
import type { Journal, Lifecycle, TallybookError } from '@tallybook/domain';
import { LevelStorage } from '../../../store-level/src/index.js';
import { useTempDirectory } from '../../../store-level/test/fixtures/temp-directory.js';
import { MemoryJournal } from '../../../store-memory/src/index.js';
import { SetAsideChanges } from '../../src/publishing/set-aside-changes.js';
import { ChangeFeed } from '../../src/index.js';
import { at, day, RecordedAttendance, tag } from './recorded-attendance.js';
import { facetOf } from '@tallybook/testing';

describe('SetAsideChanges', () => {
  const directory = useTempDirectory();

  it('are kept on the disk with the position of the publisher', async () => {
    const openJournal = async (): Promise<Journal & Lifecycle> => {
      const journal = facetOf(new LevelStorage(directory.path), 'journal');
      await journal.open();
      return journal;
    };
    let journal = await openJournal();
    await journal.advance('home', 9);
    const changes = new SetAsideChanges(journal, 'home');
    for (const cursor of [7, 5, 8]) expect(await changes.add(cursor)).to.equal(true);
    await changes.remove(5);
    await journal.close();

    journal = await openJournal();
    const again = new SetAsideChanges(journal, 'home');
    const others = new SetAsideChanges(journal, 'home\u20281');
    await again.load();
    await others.load();
    expect([again.cursors, others.cursors]).to.deep.equal([[7, 8], []]);
    expect(await journal.position('home')).to.equal(9);
    // A free place is used again, and the same change is there once.
    for (const cursor of [3, 3]) expect(await again.add(cursor)).to.equal(true);
    expect(again.cursors).to.deep.equal([3, 7, 8]);
    await journal.close();
  });

  it('are at most a thousand', async () => {
    const journal = new MemoryJournal();
    await journal.open();
    const changes = new SetAsideChanges(journal, 'home');
    for (let cursor = 1; cursor <= 1_000; cursor++) expect(await changes.add(cursor)).to.equal(true);
    expect(await changes.add(1_001)).to.equal(false);
    await changes.remove(500);
    expect(await changes.add(1_001)).to.equal(true);
    expect(changes.cursors).to.have.length(1_000);
    await journal.close();
  });
});

describe('a ChangeFeed whose receiver refuses changes', () => {
  const scan = { kind: 'scan', day, id: tag(1), at, reader: 'door', outcome: 'counted' } as const;

  it('stops at the 1,001st, and skips nothing', async () => {
    const attendance = await new RecordedAttendance().open();
    const { journal } = attendance;
    const faults: TallybookError[] = [];
    const feed = new ChangeFeed(
      {
        ...{ name: 'feed', withNames: false, batchSize: 1 },
        deliver: () => Promise.resolve('refused'),
        retryDelayMs: () => 1,
        onFault: (fault) => faults.push(fault),
      },
      attendance.dependencies,
    );
    await feed.open();
    for (let n = 0; n < 1_005; n++) journal.append(scan);
    while (feed.stopped === undefined) {
      await new Promise(setImmediate);
      attendance.clock.advance(1);
    }
    expect([feed.setAside, await journal.position('feed')]).to.deep.equal([1_000, 1_000]);
    expect(faults).to.deep.equal([feed.stopped]);
    expect(feed.stopped.message).to.match(/^publisher feed: 1000 changes are set aside, and no more can be/);
    await feed.close();
  });

  for (const [what, lose, message] of [
    [
      'reports one that the journal no longer has when it is to be sent again',
      async ({ journal }: RecordedAttendance, feed: ChangeFeed) => {
        for (let n = 0; n < 200; n++) {
          journal.append(scan);
          await feed.finish(5_000);
        }
      },
      'publisher feed: a change that was set aside is no longer in the journal. The record has it',
    ],
    [
      'forgets one whose data were removed when it is to be sent again',
      async ({ service, journal }: RecordedAttendance, feed: ChangeFeed) => {
        journal.append({ kind: 'day', day, action: 'merged' });
        await service.removeDay(day);
        await feed.finish(5_000);
      },
      undefined,
    ],
  ] as const) {
    it(what, async () => {
      const attendance = await new RecordedAttendance(new MemoryJournal(undefined, { limit: 100 })).open();
      attendance.clock.set(at);
      const faults: TallybookError[] = [];
      let answer: number | 'refused' = 'refused';
      const feed = new ChangeFeed(
        {
          ...{ name: 'feed', withNames: false, batchSize: 1, retryDelayMs: () => 1 },
          deliver: () => Promise.resolve(answer),
          onFault: (fault) => faults.push(fault),
        },
        attendance.dependencies,
      );
      await feed.open();
      await attendance.tap(tag(1));
      while (feed.setAside === 0) {
        await new Promise(setImmediate);
        attendance.clock.advance(1);
      }
      answer = 1;
      await lose(attendance, feed);
      feed.sendAgain();
      while (feed.setAside > 0) await new Promise(setImmediate);
      expect(faults.map((fault) => fault.message)).to.deep.equal(message === undefined ? [] : [message]);
      await feed.close();
    });
  }
});
