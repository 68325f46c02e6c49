import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseTallyId, toDay, toTimestamp } from '@tallybook/domain';
import { LevelStorage } from '@tallybook/store-level';
import { useFreeSpace } from '../fixtures/disk/free-space.js';
import { useFileCalls } from '../fixtures/disk/file-calls.js';
import { withPowerCut } from '../fixtures/disk/power-cut.js';
import { useFormerStore } from '../fixtures/next-format.js';
import { bytesOf } from '../fixtures/known-directory.js';
import { readContent } from '../fixtures/known-store.js';
import { useLevelProbe } from '../fixtures/leveldb/level-probe.js';
import { readRawRows } from '../fixtures/raw-rows.js';
import { rejection } from '../../../testing/test/fixtures/rejection.js';
import { openStores } from '../fixtures/stores.js';

const DAY_SECONDS = 86_400;
const now = toTimestamp(1_763_500_000);
const id = parseTallyId('0A0A0A');

describe('The copy of a store before its format changes', () => {
  const space = useFreeSpace();
  const calls = useFileCalls();
  const probe = useLevelProbe();
  const { directory, path, note, update, goBack, expectFormer } = useFormerStore();

  const open = async (store = path()): Promise<void> => (await openStores(store))[Symbol.asyncDispose]();

  /** What is beside the files of LevelDB. */
  const beside = async (store = path()): Promise<readonly string[]> =>
    (await readdir(store)).filter((name) => /^(?:before|damaged|repair)/.test(name));

  async function tap(): Promise<void> {
    await using stores = await openStores(path());
    await stores.days.record(toDay(20_411), id, now);
  }

  it('holds what the older program opens, with the settings of the service', async () => {
    const settings = join(path(), 'settings.json');
    await writeFile(settings, '{"name":"Hall"}');
    await writeFile(join(path(), 'setup-code'), '123');
    await open();
    expect(await beside()).to.deep.equal(['before-2']);
    expect(await readdir(join(path(), 'before-2')))
      .to.include('settings.json')
      .and.not.include('setup-code');
    await writeFile(settings, '{"name":"Yard"}');
    await LevelStorage.rollBack(path());
    expect(await readFile(settings, 'utf8')).to.equal('{"name":"Hall"}');
    await expectFormer();
  });

  it('is on the disk before the first row changes', async () => {
    let names: readonly string[] = [];
    probe.current.onBatch = async (run) => {
      if (names.length === 0) {
        names = await beside();
        const last = calls.synced.slice(-2);
        expect(last).to.deep.equal([join(path(), 'before-2.tmp'), path()]);
        const files = [...(await bytesOf(join(path(), 'before-2'))).keys()];
        expect(calls.synced).to.include.members(files.map((name) => join(path(), 'before-2.tmp', name)));
      }
      await run();
    };
    await open();
    expect(names).to.deep.equal(['before-2']);
  });

  it('is not made for a store of the present format, nor for a new one', async () => {
    goBack();
    await open();
    expect(await beside()).to.deep.equal([]);
    update();
    await open(join(directory.path, 'new'));
    expect(await beside(join(directory.path, 'new'))).to.deep.equal([]);
  });

  it('needs room: without it the store is refused in words and stays as it is', async () => {
    space.set(1_000);
    const rows = await readRawRows(path());
    const { message } = await rejection(openStores(path()), 'STORE_WRITE_FAILED');
    expect(message).to.match(
      /^copying .*store before it gets storage format 2 needs \d+ free bytes on its disk, and 1000 are free; nothing was changed$/,
    );
    expect(await readRawRows(path())).to.deep.equal(rows);
    expect(await beside()).to.deep.equal([]);
    await expectFormer();
  });

  it('stays when a migration that was interrupted goes on: the store is half of a later format then', async () => {
    const heal = probe.current.failAt(3);
    expect(await openStores(path()).catch(() => 'failed')).to.equal('failed');
    const copied = await bytesOf(join(path(), 'before-2'));
    heal();
    await open();
    expect(await bytesOf(join(path(), 'before-2'))).to.deep.equal(copied);
    await LevelStorage.rollBack(path());
    await expectFormer();
  });

  it('is made anew if the older program has written since, as after putting it back by hand', async () => {
    await open();
    goBack();
    const names = await readdir(join(path(), 'before-2'));
    for (const name of await readdir(path())) if (name !== 'before-2') await rm(join(path(), name));
    for (const name of names) await cp(join(path(), 'before-2', name), join(path(), name));
    await tap();
    await note();
    update();
    await open();
    await LevelStorage.rollBack(path());
    await expectFormer();
  });

  it('is made anew if what is there is the copy of another store, or no copy', async () => {
    await open();
    goBack();
    for (const name of await readdir(path())) if (name !== 'before-2') await rm(join(path(), name));
    await tap();
    await note();
    update();
    await open();
    await LevelStorage.rollBack(path());
    await expectFormer();
    await mkdir(join(path(), 'before-2'));
    await open();
    await LevelStorage.rollBack(path());
    await expectFormer();
  });

  describe('is removed', () => {
    const removal = async (): Promise<string> =>
      (await rejection(LevelStorage.rollBack(path()), 'STORE_UNAVAILABLE')).message;

    it('14 days after a trusted clock was first seen', async () => {
      await using stores = await openStores(path());
      await stores.erasures.expire(now);
      expect(await readFile(join(path(), 'before-2', 'EXPIRES'), 'utf8')).to.equal(
        `${now + 14 * DAY_SECONDS}\n`,
      );
      await stores.erasures.expire(toTimestamp(now + 14 * DAY_SECONDS - 1));
      expect(await beside()).to.deep.equal(['before-2']);
      await stores.erasures.expire(toTimestamp(now + 14 * DAY_SECONDS));
      expect(await beside()).to.deep.equal(['before-2.removed']);
      await stores[Symbol.asyncDispose]();
      expect(await removal()).to.match(
        /cannot be rolled back: its copy was removed: it is kept for 14 days$/,
      );
    });

    it('before an erasure begins, so that going back undoes none', async () => {
      await using stores = await openStores(path());
      let atFirst: readonly string[] | undefined;
      probe.current.onBatch = async (run) => {
        atFirst ??= await beside();
        await run();
      };
      await stores.erasures.erase({ ids: [id], until: now, expiresAt: toTimestamp(now + 1) });
      expect(atFirst).to.deep.equal(['before-2.removed']);
      await stores[Symbol.asyncDispose]();
      expect(await removal()).to.match(
        /cannot be rolled back: its copy was removed: a person was erased since$/,
      );
    });

    it('or the erasure is refused', async () => {
      await using stores = await openStores(path());
      const erasing = withPowerCut(2, () =>
        stores.erasures.erase({ ids: [id], until: now, expiresAt: toTimestamp(now + 1) }),
      );
      expect(await erasing).to.equal(false);
      expect(stores.erasures.of(id)).to.deep.equal([]);
      expect(await beside()).to.include('before-2');
    });

    it('with all rests of interrupted copies', async () => {
      await using stores = await openStores(path());
      await mkdir(join(path(), 'before-2.tmp'));
      await stores.erasures.erase({ ids: [id], until: now, expiresAt: toTimestamp(now + 1) });
      await mkdir(join(path(), 'before-3.tmp'));
      await stores.erasures.expire(now);
      expect(await beside()).to.deep.equal(['before-2.removed']);
    });

    it('by no repair', async () => {
      await open();
      await rm(join(path(), 'CURRENT'));
      await LevelStorage.repair(path());
      expect(await beside()).to.have.members(['before-2', 'damaged-1']);
      await open();
      await LevelStorage.rollBack(path());
      await expectFormer();
    });
  });
});

describe('Rolling a store back', () => {
  const space = useFreeSpace();
  const { directory, path, former, goBack } = useFormerStore();

  beforeEach(async () => {
    await using stores = await openStores(path());
    await stores.days.record(toDay(20_411), id, now);
  });

  it('gives the journal another origin, and loses no commit', async () => {
    const originOf = async (): Promise<string> => {
      const notices: string[] = [];
      await using storage = new LevelStorage(path(), {
        notify: ({ kind }) => notices.push(kind),
        checkAfterMs: 1e6,
      });
      await storage.open();
      expect(notices).to.deep.equal([]);
      return await storage.journal.origin();
    };
    const origin = await originOf();
    await LevelStorage.rollBack(path());
    goBack();
    expect(await originOf()).to.not.equal(origin);
  });

  it('removes the present store', async () => {
    await LevelStorage.rollBack(path());
    const names = await readdir(path());
    expect(names.filter((name) => /^(?:before|damaged|repair)|EXPIRES/.test(name))).to.deep.equal([]);
  });

  it('names the backup of what was put away as a file that may hold an erased tag', async () => {
    const backup = 'rolled-back-20261129T061500.jsonl';
    await writeFile(join(path(), backup), '');
    await LevelStorage.rollBack(path());
    goBack();
    await using stores = await openStores(path());
    expect(await stores.erasures.formerFiles()).to.deep.equal([backup]);
  });

  it('shows before what the former store held, and keeps both', async () => {
    const shown = await LevelStorage.withFormer(path(), ({ days, mapping: names }) =>
      readContent({ days, names }),
    );
    expect(shown).to.deep.equal(former());
    expect((await readdir(path())).filter((name) => name.startsWith('before'))).to.deep.equal(['before-2']);
  });

  it('needs room to read the former store', async () => {
    space.set(1_000);
    const reading = LevelStorage.withFormer(path(), () => Promise.resolve());
    expect((await rejection(reading, 'STORE_WRITE_FAILED')).message).to.match(
      /^reading .*before-2 needs \d+ free bytes on its disk, and 1000 are free; nothing was changed$/,
    );
  });

  it('is refused while the store is open, and without a copy', async () => {
    {
      await using stores = await openStores(path());
      expect(stores.days).to.be.an('object');
      await rejection(LevelStorage.rollBack(path()), 'STORE_LOCKED');
    }
    await rm(join(path(), 'before-2'), { recursive: true });
    const works = [
      () => LevelStorage.rollBack(path()),
      () => LevelStorage.withFormer(path(), () => Promise.resolve()),
    ];
    for (const work of works) {
      const { message } = await rejection(work(), 'STORE_UNAVAILABLE');
      expect(message).to.match(/cannot be rolled back: it was not brought to another format$/);
    }
    await rejection(LevelStorage.rollBack(join(directory.path, 'none')), 'STORE_UNAVAILABLE');
  });
});
