import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { isTallybookError, parseTallyId, toDay, toTimestamp } from '@tallybook/domain';
import { LevelStorage } from '@tallybook/store-level';
import { useFormerStore } from '../fixtures/next-format.js';
import { withPowerCut } from '../fixtures/disk/power-cut.js';
import type { Content } from '../fixtures/known-store.js';
import { openStores } from '../fixtures/stores.js';

describe('Wherever the power goes', () => {
  const { directory, path, content, former, update, goBack, expectFormer } = useFormerStore();

  const besides = async (): Promise<readonly string[]> =>
    (await readdir(path())).filter((name) => /^(?:before|repair)/.test(name));

  /** Does work with a power cut at each of its steps, each time from the present files on. */
  async function atEachStep(
    work: () => Promise<unknown>,
    check: (step: number, isDone: boolean) => Promise<void>,
  ): Promise<number> {
    const original = join(directory.path, 'original');
    await cp(path(), original, { recursive: true });
    for (let step = 1; ; step++) {
      await rm(path(), { recursive: true });
      await cp(original, path(), { recursive: true });
      const isDone = await withPowerCut(step, work);
      await check(step, isDone);
      if (isDone) return step;
    }
  }

  it('during the copy before a migration, the older program can go on, or the newer one, which can go back', async () => {
    const steps = await atEachStep(content, async (step, isDone) => {
      if (!isDone) await expectFormer(`step ${step}`);
      expect(await content(), `step ${step}`).to.deep.equal(former());
      expect(await besides()).to.deep.equal(['before-2']);
      await LevelStorage.rollBack(path());
      await expectFormer(`step ${step}`);
    });
    expect(steps).to.be.above(10);
  });

  describe('during a rollback', () => {
    let present: Content;

    beforeEach(async () => {
      {
        await using stores = await openStores(path());
        await stores.days.record(toDay(20_411), parseTallyId('0A0A0A'), toTimestamp(1_763_500_000));
      }
      present = await content();
    });

    it('the older program gets the former store, or the rollback can be repeated', async () => {
      let refused = 0;
      const steps = await atEachStep(
        () => LevelStorage.rollBack(path()),
        async (step) => {
          goBack();
          const found = await content().catch((error: unknown) => error);
          update();
          if (isTallybookError(found, 'STORE_FORMAT_UNSUPPORTED')) {
            refused++;
            await LevelStorage.rollBack(path());
          }
          await expectFormer(`step ${step}`);
          expect(await besides(), `step ${step}`).to.deep.equal([]);
        },
      );
      expect(refused).to.be.within(1, steps - 2);
    });

    it('the newer program gets the present store, or the former one, which it brings to its format again', async () => {
      const found: Content[] = [];
      await atEachStep(
        () => LevelStorage.rollBack(path()),
        async (step) => {
          found.push(await content());
          expect(await besides(), `step ${step}`).to.deep.equal(['before-2']);
          await LevelStorage.rollBack(path());
          await expectFormer(`step ${step}`);
        },
      );
      const firstFormer = found.findIndex((each) => each.size === former().size);
      expect(firstFormer).to.be.above(0);
      for (const [index, each] of found.entries())
        expect(each).to.deep.equal(index < firstFormer ? present : former());
    });
  });
});
