import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { cp, mkdir, open, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import type { CountedLevel } from '../../src/database/counted-level.js';
import { LogRoom } from '../../src/database/log-room.js';
import { openLevel } from '../../src/database/open-level.js';
import type { Row } from '../../src/rows/rows.js';
import { ACKNOWLEDGED_FILES } from '../../src/directory/acknowledged-commits.js';
import { useLevelProbe } from '../fixtures/leveldb/level-probe.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';
import { usedBytes } from '../fixtures/disk/used-bytes.js';

const KIB = 1_024;
const ROOM = 256 * KIB;

/** A kind of row that the store does not have. */
const keyOf = (number: number): Buffer => Buffer.from(`\x7f${number}`);
const rowOf = (number: number, bytes: number): Row => ({ key: keyOf(number), value: randomBytes(bytes) });

describe("Room in LevelDB's log", () => {
  let level: CountedLevel;
  // Before its folder is removed: LevelDB may still be making tables in it.
  afterEach(() => level.close());
  const directory = useTempDirectory();
  const pathOf = (name: string): string => join(directory.path, name);
  const sizeOf = async (name: string): Promise<number> => (await stat(pathOf(name))).size;
  const probe = useLevelProbe();

  beforeEach(async () => {
    ({ level } = await openLevel(directory.path));
  });

  async function logs(): Promise<readonly string[]> {
    return (await readdir(directory.path)).filter((name) => name.endsWith('.log')).sort();
  }

  async function newestLog(): Promise<string> {
    return (await logs()).at(-1) ?? '';
  }

  /** Commits rows one by one, and counts how often the newest log became longer. */
  async function countLengthenings(commits: number, bytes: number): Promise<number> {
    let lengthenings = 0;
    for (let number = 0; number < commits; number++) {
      const log = await newestLog();
      const before = await sizeOf(log);
      await level.commit([rowOf(number, bytes)]);
      if ((await newestLog()) !== log || (await sizeOf(log)) !== before) lengthenings++;
    }
    return lengthenings;
  }

  it('is made by the first write and not at the opening, so that later writes do not make the log longer', async () => {
    const log = await newestLog();
    expect(await sizeOf(log)).to.be.below(KIB);
    await level.commit([rowOf(0, 100)]);
    expect(await sizeOf(log)).to.be.within(ROOM, ROOM + KIB);
    expect(await countLengthenings(100, 100)).to.equal(0);
  });

  it('takes no more disk space than the written bytes', async () => {
    await countLengthenings(100, 100);
    const { blocks } = await stat(pathOf(await newestLog()));
    expect(blocks * 512).to.be.below(64 * KIB);
  });

  it('is made again once for each 256 KiB of writes', async () => {
    const bytes = 2_000;
    const commits = Math.ceil((5 * ROOM) / bytes);
    expect(await countLengthenings(commits, bytes)).to.be.within(5, 6);
  });

  it('is made in the next log too', async () => {
    const first = await newestLog();
    for (let number = 0; (await newestLog()) === first; number++)
      await level.commit([rowOf(number, 100_000)]);
    for (let written = 0; written <= ROOM; written += 10_000) await level.commit([rowOf(0, 10_000)]);
    expect(await countLengthenings(10, 100)).to.equal(0);
  });

  it('is never much more than 256 KiB, for writes of every size', async () => {
    const sizes = [
      ...Array<number>(300).fill(20),
      ...Array<number>(20).fill(100_000),
      140_000,
      200_000,
      140_000,
      3 * ROOM,
    ];
    for (const [number, bytes] of [...sizes, ...sizes].entries()) {
      await level.commit([rowOf(number, bytes)]);
      const log = await newestLog();
      const room = (await sizeOf(log)) - (await usedBytes(pathOf(log)));
      expect(room, `after ${bytes} bytes`).to.be.below(ROOM + 4 * KIB);
    }
  });

  it('is made before the batch is written, not at the same time', async () => {
    const log = await newestLog();
    const sizes: number[] = [];
    probe.current.onBatch = async (run) => {
      sizes.push(statSync(pathOf(log)).size);
      await run();
    };
    await level.commit([rowOf(0, 100)]);
    expect(sizes[0]).to.be.within(ROOM, ROOM + KIB);
    expect(sizes).to.have.lengthOf(1);
  });

  it('loses no written data, also if a write is larger than the room', async () => {
    const sizes = [1, 70_000, ROOM - 200, ROOM, 3 * ROOM, 10, 40_000, 20];
    const rows = sizes.map((bytes, number) => rowOf(number, bytes));
    for (const row of rows) await level.commit([row]);
    await reopenedCopy(async (copy) => {
      expect(copy.acknowledged).to.deep.equal(level.acknowledged);
      await expectRows(copy, rows);
    });
  });

  it('loses nothing when LevelDB begins other logs', async () => {
    const rows = [3_000_000, 2_000_000, 20, 5_000_000, 20].map((bytes, number) => rowOf(number, bytes));
    for (const row of rows) await level.commit([row]);
    const { acknowledged } = level;
    await level.close();
    ({ level } = await openLevel(directory.path));
    expect(level.acknowledged).to.deep.equal(acknowledged);
    await expectRows(level, rows);
  });

  for (const bytes of [100, 40_000]) {
    it(`ends a log whose last write, of ${bytes} bytes, was cut off at any place`, async () => {
      await level.commit([rowOf(1, 30_000)]);
      const log = await newestLog();
      const start = await usedBytes(pathOf(log));
      await level.commit([rowOf(2, bytes)]);
      const end = await usedBytes(pathOf(log));
      for (const at of [
        start,
        start + 3,
        start + 7,
        start + 60,
        32_768,
        Math.ceil((start + end) / 2),
        end - 1,
      ]) {
        if (at >= end) continue;
        await reopenedCopy(
          async (copy) => {
            expect(copy.acknowledged.commits, `cut at ${at}`).to.equal(1);
            expect(await copy.raw.get(keyOf(1))).not.to.equal(undefined);
            expect(await copy.raw.get(keyOf(2))).to.equal(undefined);
          },
          async (path) => {
            const file = await open(join(path, log), 'r+');
            await file.write(Buffer.alloc(end - at), 0, end - at, at);
            await file.close();
            // As after a power cut: it is not synced.
            for (const name of ACKNOWLEDGED_FILES) await rm(join(path, name));
          },
        );
      }
    });
  }

  async function expectRows({ raw }: CountedLevel, rows: readonly Row[]): Promise<void> {
    for (const { key, value } of rows) {
      const found = (await raw.get(key)).subarray(0, value?.length);
      expect(found.equals(value ?? key)).to.equal(true);
    }
  }

  /** The findings in the files as they are now, as after a power cut. */
  async function reopenedCopy(
    look: (copy: CountedLevel) => Promise<void>,
    change?: (path: string) => Promise<void>,
  ): Promise<void> {
    const path = `${directory.path}-copy`;
    try {
      await cp(directory.path, path, { recursive: true });
      await change?.(path);
      const { level: copy } = await openLevel(path);
      await look(copy).finally(() => copy.close());
    } finally {
      await rm(path, { recursive: true, force: true });
    }
  }
});

describe('LogRoom', () => {
  const directory = useTempDirectory();
  const pathOf = (name: string): string => join(directory.path, name);

  it('makes room only in the log with the highest number', async () => {
    const others = ['999999.log', '000123.log', '1000001.ldb', '1000002.log.old', 'x1000004.log', 'LOG'];
    for (const name of [...others, '1000000.log']) await writeFile(pathOf(name), 'log');
    new LogRoom(directory.path).take(10);
    for (const name of others) expect(await readFile(pathOf(name), 'utf8'), name).to.equal('log');
    const made = await readFile(pathOf('1000000.log'));
    expect(made.equals(Buffer.concat([Buffer.from('log'), Buffer.alloc(ROOM)]))).to.equal(true);
  });

  it('does not change written data of every size', () => {
    const size = fc.oneof(fc.nat(5_000), fc.nat(3 * ROOM));
    fc.assert(
      fc.property(fc.array(size, { maxLength: 20 }), (sizes) => {
        const path = pathOf('000003.log');
        const file = openSync(path, 'w');
        try {
          const room = new LogRoom(directory.path);
          const written = sizes.map((bytes) => Buffer.alloc(bytes, 1 + (bytes % 255)));
          for (const bytes of written) {
            room.take(bytes.length);
            writeSync(file, bytes);
          }
          const expected = Buffer.concat(written);
          const content = readFileSync(path);
          expect(content.subarray(0, expected.length).equals(expected)).to.equal(true);
          expect(content.subarray(expected.length).every((byte) => byte === 0)).to.equal(true);
        } finally {
          closeSync(file);
        }
      }),
      { seed: 20_261_122, numRuns: 30 },
    );
  });

  for (const [where, lay] of Object.entries({
    'there is no log': () => Promise.resolve(),
    'the folder is gone': () => rm(directory.path, { recursive: true }),
    'the log is a folder': () => mkdir(pathOf('000003.log')),
    'the log is a link': () => symlink(pathOf('LOG'), pathOf('000003.log')),
  })) {
    it(`works without room if ${where}`, async () => {
      await writeFile(pathOf('LOG'), 'log');
      await lay();
      new LogRoom(directory.path).take(10);
      if (existsSync(pathOf('LOG'))) expect(await readFile(pathOf('LOG'), 'utf8')).to.equal('log');
    });
  }
});
