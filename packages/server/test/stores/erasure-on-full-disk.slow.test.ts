import { existsSync } from 'node:fs';
import { open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isTallybookError, parseTallyId, toDay, toTimestamp, type TallybookError } from '@tallybook/domain';
import { LevelStorage } from '@tallybook/store-level';
import { expect } from 'chai';
import { RowCheck } from '../../../store-level/src/database/row-check.js';
import { liveTables } from '../../../store-level/src/leveldb-files/version-edits.js';
import { openStores } from '../../../store-level/test/fixtures/stores.js';
import { useDisks } from '../fixtures/disk/disks.js';

const DISK_BYTES = 8 << 20;
const DAY = toDay(20_411);
const NOW = 20_411 * 86_400 + 40_000;
const TAGS = 6_000;
const idOf = (n: number) => parseTallyId(`AB${String(n).padStart(8, '0')}`);

describe('An erasure on a full disk', () => {
  const disks = useDisks();

  /** Fills the disk, but for some bytes. */
  async function fill(path: string, left: number): Promise<void> {
    const file = await open(path, 'w');
    try {
      for (const bytes of [1 << 20, 1 << 12]) {
        for (let isFull = false; !isFull;) {
          const written = file.appendFile(Buffer.alloc(bytes)).then(() => file.sync());
          isFull = await written.then(
            () => false,
            (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOSPC',
          );
        }
      }
      await file.truncate((await file.stat()).size - left);
    } finally {
      await file.close();
    }
  }

  const judged = async (directory: string): Promise<readonly string[]> => {
    const found: TallybookError[] = [];
    await new RowCheck(directory, 0, (error) => void found.push(error)).done;
    return found.map(({ message }) => message);
  };

  // With these free bytes, LevelDB writes no table, an empty one, and a part of one.
  for (const left of [0, 4_096, 20_480, 65_536]) {
    it(`is refused or finished later, and leaves a sound store, with ${left} bytes left`, async () => {
      const disk = disks.mountSmall(DISK_BYTES);
      const path = join(disk, 'store');
      {
        await using stores = await openStores(path);
        const seconds = Array.from({ length: TAGS }, (_, n) => n);
        await Promise.all(seconds.map((n) => stores.days.record(DAY, idOf(n), toTimestamp(NOW + n))));
      }
      await using stores = await openStores(path);
      await stores.days.record(DAY, idOf(TAGS), toTimestamp(NOW));
      await fill(join(disk, 'filler'), left);
      const request = { until: toTimestamp(NOW * 2), expiresAt: toTimestamp(NOW * 3) };
      const codes: (string | undefined)[] = [];
      const note = (error: unknown): void => {
        codes.push(isTallybookError(error) ? error.code : String(error));
      };
      await stores.erasures.erase({ ids: [idOf(5)], ...request }).catch(note);
      await stores.erasures.scrub().catch(note);
      expect(codes).to.deep.equal(codes.map(() => 'STORE_WRITE_FAILED'));
      expect(codes).to.not.be.empty;
      const tables = (await readdir(path)).filter((name) => name.endsWith('.ldb'));
      const live = await liveTables(path);
      if (left > 0) expect(tables.filter((name) => !live.includes(name))).to.not.be.empty;
      expect(await judged(path)).to.be.empty;

      await rm(join(disk, 'filler'));
      await stores.erasures.erase({ ids: [idOf(5)], ...request });
      expect(await stores.erasures.scrub()).to.equal(true);
      expect((await stores.days.load(DAY))?.entries).to.have.length(TAGS);
      expect(await judged(path)).to.be.empty;
      await stores[Symbol.asyncDispose]();
      expect(existsSync(join(path, 'DAMAGED'))).to.equal(false);
      const { damages, keptIn } = await LevelStorage.repair(path);
      expect([damages, keptIn]).to.deep.equal([[], undefined]);
    });
  }
});
