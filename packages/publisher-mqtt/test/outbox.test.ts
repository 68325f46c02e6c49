import { join } from 'node:path';
import { expect } from 'chai';
import { parseTallyId, toTimestamp, type TallybookError } from '@tallybook/domain';
import { lifecycleContract, ManualClock } from '@tallybook/testing';
import { FileOutbox } from '../src/file-outbox.js';
import { MemoryOutbox } from '../src/memory-outbox.js';
import type { Outbox } from '../src/outbox.js';
import { parse, waiting } from './fixtures/messages.js';
import { at, counted, day, tag } from './fixtures/scans.js';
import { useTempDirectory } from '../../store-level/test/fixtures/temp-directory.js';

/** Every kind of outbox, and whether it outlives its process. */
const kinds: Readonly<
  Record<string, { readonly durable: boolean; readonly make: (limit: number, folder: string) => Outbox }>
> = {
  MemoryOutbox: { durable: false, make: (limit) => new MemoryOutbox(limit) },
  FileOutbox: {
    durable: true,
    make: (limit, folder) =>
      new FileOutbox({ folder: join(folder, 'outboxes', 'one'), clock: new ManualClock(), limit }),
  },
};

describe('An outbox', () => {
  const directory = useTempDirectory();

  for (const [name, { durable, make: makeIn }] of Object.entries(kinds)) {
    const make = (limit: number): Outbox => makeIn(limit, directory.path);
    lifecycleContract(
      { describe, it },
      {
        name,
        make: () => {
          const resource = make(10);
          return { resource, cleanup: () => resource.close() };
        },
        operations: { add: (outbox) => outbox.add(counted(1), 0) },
      },
    );

    describe(`${name} as an Outbox`, () => {
      it('is empty at first, and remembers no scans', async () => {
        await using outbox = make(10);
        await outbox.open();
        expect(outbox.first(10)).to.deep.equal([]);
        expect(outbox.size).to.equal(0);
        expect(outbox.latest).to.equal(undefined);
      });

      it('keeps messages in the order of adding, as they are, with when the tag was tapped', async () => {
        await using outbox = make(10);
        await outbox.open();
        const provisional = {
          ...counted(2),
          day: null,
          at: null,
          outcome: 'provisional',
          sequence: 7,
        } as const;
        await Promise.all([outbox.add(counted(1), 12.5), outbox.add(provisional, undefined)]);
        await outbox.add({ ...counted(3), reader: 'Tür \u2028 🚪"\\' }, 13);
        expect(outbox.size).to.equal(3);
        const messages = outbox.first(10);
        expect(messages.map(({ sequence }) => sequence)).to.deep.equal([1, 2, 3]);
        expect(messages.map(({ tappedMs }) => tappedMs)).to.deep.equal([12.5, undefined, 13]);
        expect(messages.map((message) => ({ ...parse(message), message: undefined }))).to.deep.equal([
          { ...counted(1), message: undefined },
          { ...provisional, message: undefined },
          { ...counted(3), reader: 'Tür \u2028 🚪"\\', message: undefined },
        ]);
        for (const { text } of messages) expect(text).to.match(/^[ -~]+$/);
      });

      it('gives each message an id of its own, which ends with its number', async () => {
        await using outbox = make(10);
        await outbox.open();
        for (let n = 1; n <= 3; n++) await outbox.add(counted(1), 0);
        const ids = outbox.first(10).map((message) => parse(message).message);
        expect(ids.map((id) => /^[0-9a-f]{8}-([0-9]+)$/.exec(id)?.[1])).to.deep.equal(['1', '2', '3']);
        expect(new Set(ids.map((id) => id.split('-')[0]))).to.have.property('size', 1);
      });

      it('shows as many messages as are asked for, and keeps them', async () => {
        await using outbox = make(10);
        await outbox.open();
        for (let n = 1; n <= 3; n++) await outbox.add(counted(n), 0);
        expect(outbox.first(2).map(({ sequence }) => sequence)).to.deep.equal([1, 2]);
        expect(outbox.first(2).map(({ sequence }) => sequence)).to.deep.equal([1, 2]);
      });

      it('removes all messages up to one, and no other', async () => {
        await using outbox = make(10);
        await outbox.open();
        for (let n = 1; n <= 4; n++) await outbox.add(counted(n), 0);
        outbox.removeThrough(2);
        expect(waiting(outbox)).to.deep.equal([tag(3), tag(4)]);
        outbox.removeThrough(1);
        expect(waiting(outbox)).to.deep.equal([tag(3), tag(4)]);
        outbox.removeThrough(4);
        expect(waiting(outbox)).to.deep.equal([]);
        await outbox.add(counted(5), 0);
        expect(outbox.first(1)[0]?.sequence).to.equal(5);
      });

      it('gives up the oldest message when it is full, and says so once, and how many when it is empty', async () => {
        await using outbox = make(3);
        const faults: TallybookError[] = [];
        outbox.faults.subscribe((fault) => faults.push(fault));
        await outbox.open();
        for (let n = 1; n <= 5; n++) await outbox.add(counted(n), 0);
        expect(waiting(outbox)).to.deep.equal([tag(3), tag(4), tag(5)]);
        expect(faults.map(({ code, details }) => ({ code, ...details }))).to.deep.equal([
          { code: 'OUTPUT_FAILED', reason: 'full', limit: 3 },
        ]);
        outbox.removeThrough(4);
        expect(faults).to.have.lengthOf(1);
        outbox.removeThrough(5);
        expect(faults.slice(1).map(({ details }) => details)).to.deep.equal([
          { reason: 'given-up', count: 2 },
        ]);
        for (let n = 6; n <= 9; n++) await outbox.add(counted(n), 0);
        expect(faults.slice(2).map(({ details }) => details['reason'])).to.deep.equal(['full']);
      });

      it('remembers the latest second that messages tell of, and its tags', async () => {
        await using outbox = make(10);
        await outbox.open();
        await outbox.add(counted(1, 1), 0);
        await outbox.add(counted(2, 5), 0);
        await outbox.add(counted(3, 5), 0);
        await outbox.add(counted(3, 5), 0);
        await outbox.add(counted(4, 4), 0);
        await outbox.add({ ...counted(5), day: null, at: null, outcome: 'failed', isKept: true }, 0);
        outbox.removeThrough(6);
        expect(outbox.latest).to.deep.equal({ day, at: toTimestamp(at + 5), ids: [tag(2), tag(3)] });
      });

      if (!durable) return;

      it('keeps across a restart what was not removed, and gives no number and no id again', async () => {
        const before = make(10);
        await before.open();
        for (let n = 1; n <= 4; n++) await before.add(counted(n), n);
        const ids = before.first(10).map((message) => parse(message).message);
        before.removeThrough(2);
        await before.close();

        await using after = make(10);
        await after.open();
        expect(waiting(after)).to.deep.equal([tag(3), tag(4)]);
        expect(after.first(10).map((message) => parse(message).message)).to.deep.equal(ids.slice(2));
        expect(after.first(10).map(({ tappedMs }) => tappedMs)).to.deep.equal([undefined, undefined]);
        await after.add(counted(5), 0);
        const fifth = after.first(10).at(-1);
        expect(fifth?.sequence).to.equal(5);
        expect(parse(fifth ?? { text: '' }).message.split('-')[0]).not.to.equal(ids[0]?.split('-')[0]);
      });

      it('goes on counting after a restart with nothing left, and remembers the latest scans', async () => {
        for (let run = 0; run < 3; run++) {
          await using outbox = make(10);
          await outbox.open();
          if (run > 0) expect(outbox.latest?.ids).to.deep.equal([tag(run - 1)]);
          await outbox.add(counted(run), 0);
          expect(outbox.first(10).map(({ sequence }) => sequence)).to.deep.equal([run + 1]);
          outbox.removeThrough(run + 1);
        }
      });

      it('goes on counting, and remembers the latest scans, when nothing else is in its file', async () => {
        const before = make(10);
        await before.open();
        await before.add(counted(1), 0);
        await before.close();
        for (let run = 0; run < 2; run++) {
          await using between = make(10);
          await between.open();
          between.removeThrough(1);
        }
        await using after = make(10);
        await after.open();
        expect(after.latest).to.deep.equal({ day, at: toTimestamp(at + 1), ids: [tag(1)] });
        await after.add(counted(2), 0);
        expect(after.first(10).map(({ sequence }) => sequence)).to.deep.equal([2]);
      });

      it('gives up what is too much when it is opened with a lower limit', async () => {
        const before = make(10);
        await before.open();
        for (let n = 1; n <= 5; n++) await before.add(counted(n), n);
        await before.close();
        await using after = make(2);
        await after.open();
        expect(waiting(after)).to.deep.equal([tag(4), tag(5)]);
      });

      it('keeps every character', async () => {
        const name = { first: 'Zoë \u2028\u2029', last: '山田 👩‍👩‍👧‍👦 \ud83d' };
        const before = make(10);
        await before.open();
        await before.add({ ...counted(1), id: parseTallyId('04A2B3'), name, reader: '\n\r\t"' }, 0);
        const [told] = before.first(1);
        await before.close();
        await using after = make(10);
        await after.open();
        expect(after.first(1).map(({ text }) => text)).to.deep.equal([told?.text]);
        expect(parse(told ?? { text: '' })).to.deep.include({ name, reader: '\n\r\t"' });
      });
    });
  }
});
