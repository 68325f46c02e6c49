import { mkdir, readdir, readFile, readlink, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect } from 'chai';
import type { TallybookError } from '@tallybook/domain';
import { ManualClock } from '@tallybook/testing';
import { mountSmallDisk, unmount } from '../../store-level/test/fixtures/small-disk.js';
import { FileOutbox } from '../src/file-outbox.js';
import { countSyncs } from './fixtures/count-syncs.js';
import { waiting } from './fixtures/messages.js';
import { counted, tag } from './fixtures/scans.js';
import { useTempDirectory } from './fixtures/temp-directory.js';

/** A line with its checksum. */
function lineOf(json: string): string {
  return `${crc32(json).toString(16).padStart(8, '0')} ${json}\n`;
}

describe('FileOutbox', () => {
  const directory = useTempDirectory();
  let clock: ManualClock;
  let folder: string;
  let path: string;
  let faults: TallybookError[];
  beforeEach(() => {
    clock = new ManualClock();
    folder = join(directory.path, 'outboxes', 'one');
    path = join(folder, 'outbox.jsonl');
    faults = [];
  });

  function create(limit = 1_000): FileOutbox {
    const outbox = new FileOutbox({ folder, clock, limit });
    outbox.faults.subscribe((fault) => faults.push(fault));
    return outbox;
  }

  async function open(limit?: number): Promise<FileOutbox> {
    const outbox = create(limit);
    await outbox.open();
    return outbox;
  }

  const reasons = (): unknown[] => faults.map(({ details }) => details['reason']);

  it('keeps its file from other users', async () => {
    await using outbox = await open();
    await outbox.add(counted(1), 0);
    expect((await stat(folder)).mode & 0o777).to.equal(0o700);
    expect((await stat(path)).mode & 0o777).to.equal(0o600);
  });

  it('makes its folder and the one above it, and none above that', async () => {
    folder = join(directory.path, 'missing', 'outboxes', 'one');
    await using outbox = await open();
    expect(reasons()).to.deep.equal(['unwritable']);
    await outbox.add(counted(1), 0);
    expect(waiting(outbox)).to.deep.equal([tag(1)]);
    expect(await readdir(directory.path)).to.deep.equal([]);
  });

  it('shares one sync among messages that are added at the same time', async () => {
    await using outbox = await open();
    await outbox.add(counted(0), 0);
    await Promise.all(Array.from({ length: 200 }, (_, n) => outbox.add(counted(n + 1), 0)));
    // One line for what is gone ends each append.
    expect((await readFile(path, 'latin1')).match(/"gone"/g)).to.have.lengthOf(1);
    expect(waiting(outbox)).to.have.lengthOf(201);
  });

  it('syncs every message before it shows it, and not for what is gone', async () => {
    await using outbox = await open();
    await outbox.add(counted(0), 0);
    const syncs = await countSyncs(path);
    try {
      const adding = outbox.add(counted(1), 0);
      await syncs.begun();
      expect(waiting(outbox)).to.deep.equal([tag(0)]);
      await adding;
      expect(waiting(outbox)).to.deep.equal([tag(0), tag(1)]);
      outbox.removeThrough(2);
      await outbox.close();
      expect(syncs.count).to.equal(1);
    } finally {
      syncs.stop();
    }
  });

  it('syncs its folder when a new file has taken its name there, before it shows the message', async () => {
    await using outbox = await open();
    const syncs = await countSyncs(folder);
    try {
      await outbox.add(counted(0), 0);
      expect(syncs.syncedNames).to.deep.equal([['outbox.jsonl']]);
      await outbox.add(counted(1), 0);
      expect(syncs.syncedNames).to.have.lengthOf(1);
    } finally {
      syncs.stop();
    }
  });

  it('stays small however many messages have passed', async () => {
    await using outbox = await open();
    for (let n = 1; n <= 6_000; n += 100) {
      await Promise.all(Array.from({ length: 100 }, (_, m) => outbox.add(counted(n + m), 0)));
      outbox.removeThrough(n + 98);
    }
    await outbox.add(counted(7_000), 0);
    expect((await stat(path)).size).to.be.lessThan(300_000);
    expect(await readdir(folder)).to.deep.equal(['outbox.jsonl']);
    expect(waiting(outbox)).to.deep.equal([tag(6_000), tag(7_000)]);
  });

  it('is written anew only when most of it is gone', async () => {
    await using outbox = await open(5_000);
    await Promise.all(Array.from({ length: 3_000 }, (_, n) => outbox.add(counted(n), 0)));
    const { ino } = await stat(path);
    outbox.removeThrough(1_000);
    await outbox.add(counted(5_000), 0);
    expect((await stat(path)).ino).to.equal(ino);
    outbox.removeThrough(2_900);
    await outbox.add(counted(5_001), 0);
    await outbox.add(counted(5_002), 0);
    expect((await stat(path)).ino).not.to.equal(ino);
    expect(waiting(outbox)).to.have.lengthOf(103);
  });

  describe('with a file that is not as it was written', () => {
    async function fill(): Promise<Buffer> {
      await using outbox = await open();
      // One after another, so that they are lines of their own and in order.
      for (let n = 1; n <= 5; n++) await outbox.add(counted(n), 0);
      return await readFile(path);
    }

    it('reads up to where a power cut tore it, wherever that is, and says nothing', async () => {
      const whole = await fill();
      const ends = [...whole.toString('latin1').matchAll(/\n/g)].map(({ index }) => index);
      for (let length = ends[0] ?? 0; length <= whole.length; length++) {
        await writeFile(path, whole.subarray(0, length));
        await using outbox = await open();
        const lines = whole.subarray(0, Math.max(...ends.filter((end) => end <= length))).toString('latin1');
        const complete = [...lines.matchAll(/"sequence":(\d+)/g)].map(([, sequence]) =>
          tag(Number(sequence)),
        );
        expect(waiting(outbox), `cut at ${length}`).to.deep.equal(complete);
      }
      expect(faults).to.deep.equal([]);
    });

    it('delivers what can be read of a damaged one, puts it aside and says so', async () => {
      const damaged = await fill();
      const third = damaged.indexOf('"sequence":3');
      damaged.writeUInt8(damaged.readUInt8(third + 30) ^ 1, third + 30);
      await writeFile(path, damaged);
      {
        await using outbox = await open();
        expect(waiting(outbox)).to.deep.equal([1, 2, 4, 5].map(tag));
        expect(faults.map(({ code, details }) => ({ code, ...details }))).to.deep.equal([
          { code: 'OUTPUT_FAILED', reason: 'damaged', folder },
        ]);
      }
      expect(await readFile(join(folder, 'outbox.damaged'))).to.deep.equal(damaged);
      // What was saved is durable again, and sound.
      await using again = await open();
      expect(waiting(again)).to.deep.equal([1, 2, 4, 5].map(tag));
      expect(faults).to.have.lengthOf(1);
    });

    for (const [what, content] of [
      ['garbage', '\0\0\0\0'],
      ['a file of another version', lineOf('{"kind":"tallybook-outbox","version":9,"next":5,"latest":null}')],
      ['a file of another kind', lineOf('{"kind":"diary","version":1,"next":5,"latest":null}')],
    ] as const) {
      it(`begins anew beside ${what}`, async () => {
        await mkdir(folder, { recursive: true });
        await writeFile(path, content);
        await using outbox = await open();
        expect(reasons()).to.deep.equal(['damaged']);
        await outbox.add(counted(1), 0);
        expect(waiting(outbox)).to.deep.equal([tag(1)]);
        expect(await readFile(join(folder, 'outbox.damaged'), 'latin1')).to.equal(content);
      });
    }

    it('puts the next damaged one in the place of the one before', async () => {
      for (const content of ['garbage', 'rubbish']) {
        await mkdir(folder, { recursive: true });
        await writeFile(path, content);
        await using outbox = await open();
        await outbox.add(counted(1), 0);
        expect(await readFile(join(folder, 'outbox.damaged'), 'latin1')).to.equal(content);
      }
      expect(reasons()).to.deep.equal(['damaged', 'damaged']);
    });

    it('leaves one that cannot be read as it is, says so, and delivers it when it can be', async () => {
      const sound = await fill();
      const kept = join(folder, 'kept');
      await rename(path, kept);
      // It leads to itself, which is no damage of the file.
      await symlink('outbox.jsonl', path);
      {
        await using outbox = await open();
        await outbox.add(counted(6), 0);
        outbox.removeThrough(1);
        await outbox.add(counted(7), 0);
        clock.advance(10_000);
        await outbox.add(counted(8), 0);
        expect(waiting(outbox)).to.deep.equal([7, 8].map(tag));
        expect(await readlink(path)).to.equal('outbox.jsonl');
        expect(faults.map(({ details }) => details)).to.deep.equal([{ reason: 'unwritable', folder }]);
        expect(faults[0]?.message).to.match(/cannot be read: ELOOP.* It is left unchanged/);
      }
      expect(await readdir(folder)).to.have.members(['kept', 'outbox.jsonl']);
      await rename(kept, path);
      expect(await readFile(path)).to.deep.equal(sound);
      await using again = await open();
      expect(waiting(again)).to.deep.equal([1, 2, 3, 4, 5].map(tag));
    });
  });

  describe('on a disk that does not take it', () => {
    let disk: string;
    let mountFailure: string | undefined;
    beforeEach(async function () {
      disk = join(directory.path, 'disk');
      await mkdir(disk);
      mountFailure = mountSmallDisk(disk, 1 << 20);
      folder = join(disk, 'outboxes', 'one');
      path = join(folder, 'outbox.jsonl');
      if (mountFailure !== undefined) this.skip(mountFailure);
    });
    afterEach(() => {
      if (mountFailure === undefined) unmount(disk);
    });

    const ballast = (): string => join(disk, 'ballast');
    const fillDisk = (): Promise<void> => writeFile(ballast(), Buffer.alloc(1 << 20)).catch(() => undefined);

    it('keeps messages in memory while the disk is full, and writes them when there is room', async () => {
      const outbox = await open();
      await outbox.add(counted(0), 0);
      await fillDisk();
      const many = Array.from({ length: 100 }, (_, n) => tag(n));
      for (let n = 1; n < 100; n++) await outbox.add(counted(n), 0);
      expect(waiting(outbox)).to.deep.equal(many);
      outbox.removeThrough(50);
      expect(reasons()).to.deep.equal(['unwritable']);

      clock.advance(10_000);
      // Waits for the attempt, which fails and leaves nothing behind.
      await outbox.add(counted(100), 0);
      expect(await readdir(folder)).to.deep.equal(['outbox.jsonl']);
      await rm(ballast());
      clock.advance(9_999);
      await outbox.add(counted(101), 0);
      await outbox.add(counted(102), 0);
      expect(await readFile(path, 'latin1')).not.to.include(tag(101));

      const syncs = await countSyncs(path);
      try {
        const begun = syncs.begun();
        clock.advance(1);
        await begun;
      } finally {
        syncs.stop();
      }
      await outbox.close();
      await using again = await open();
      expect(waiting(again)).to.deep.equal([...many.slice(50), tag(100), tag(101), tag(102)]);
      expect(reasons()).to.deep.equal(['unwritable']);
    });

    it('makes one attempt more when it is closed', async () => {
      const outbox = await open();
      await outbox.add(counted(0), 0);
      await fillDisk();
      for (let n = 1; n < 100; n++) await outbox.add(counted(n), 0);
      await rm(ballast());
      await outbox.close();
      await using again = await open();
      expect(waiting(again)).to.have.lengthOf(100);
    });

    it('closes while the disk is full, and has what was written before', async () => {
      const outbox = await open();
      await outbox.add(counted(0), 0);
      await fillDisk();
      for (let n = 1; n < 100; n++) await outbox.add(counted(n), 0);
      await outbox.close();
      await rm(ballast());
      await using again = await open();
      const left = waiting(again);
      expect(left).to.deep.equal(Array.from({ length: left.length }, (_, n) => tag(n)));
      expect(left).to.include(tag(0));
    });

    it('has what can be read of a damaged file at the next start too, if there was no room to save it', async () => {
      {
        await using outbox = await open();
        for (let n = 1; n <= 5; n++) await outbox.add(counted(n), 0);
      }
      const damaged = await readFile(path);
      const third = damaged.indexOf('"sequence":3');
      damaged.writeUInt8(damaged.readUInt8(third + 30) ^ 1, third + 30);
      await writeFile(path, damaged);
      await fillDisk();
      {
        await using outbox = await open();
        expect(waiting(outbox)).to.deep.equal([1, 2, 4, 5].map(tag));
      }
      expect(reasons()).to.deep.equal(['damaged', 'unwritable']);
      await rm(ballast());
      await using again = await open();
      expect(waiting(again)).to.deep.equal([1, 2, 4, 5].map(tag));
      expect(again.latest).to.include({ at: counted(5).at });
      await again.add(counted(6), 0);
      expect(await readFile(join(folder, 'outbox.damaged'))).to.deep.equal(damaged);
    });

    it('says so again when it happens again', async () => {
      await using outbox = await open();
      for (let time = 1; time <= 2; time++) {
        await fillDisk();
        for (let n = 0; n < 100; n++) await outbox.add(counted(n), 0);
        await rm(ballast());
        clock.advance(10_000);
        await outbox.add(counted(100), 0);
        expect(reasons()).to.have.lengthOf(time);
      }
    });
  });

  it('opens where something else is in the place of its folder', async () => {
    await writeFile(join(directory.path, 'outboxes'), 'a file');
    await using outbox = await open();
    await outbox.add(counted(1), 0);
    expect(waiting(outbox)).to.deep.equal([tag(1)]);
    expect(reasons()).to.deep.equal(['unwritable']);
  });
});
