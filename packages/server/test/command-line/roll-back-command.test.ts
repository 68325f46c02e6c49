import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { toDay, toTimestamp } from '@tallybook/domain';
import { useNextFormat } from '../../../store-level/test/fixtures/next-format.js';
import { importBackup } from '../../src/command-line/backup-commands.js';
import { rollBack } from '../../src/command-line/roll-back-command.js';
import { surveyStores, type Survey } from '../../src/copy/survey-stores.js';
import { failureOf } from '../fixtures/failure-of.js';
import { CaughtOutput } from '../fixtures/processes/caught-output.js';
import { call } from '../fixtures/processes/called.js';
import { GivenInput } from '../fixtures/processes/given-input.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';
import { ada, bob, day, fillVaried, withStores } from '../fixtures/stores/varied-store.js';

const at = (seconds: number): ReturnType<typeof toTimestamp> => toTimestamp(1_763_500_000 + seconds);

describe('tallybook rollback', () => {
  const folder = temporaryFolder();
  const { update, goBack } = useNextFormat();
  const url = (): string => `level:${folder.path('store')}`;
  const survey = (): Promise<Survey> => withStores(url(), (stores) => surveyStores(stores));
  let told: string[] = [];
  const run = (options: { readonly out?: string; readonly isConfirmed?: boolean } = {}) =>
    rollBack(url(), { isConfirmed: true, ...options, tell: (line) => told.push(line) });

  /** Three taps, two of which are of a day and a tag that had some. */
  const tapSince = (): Promise<void> =>
    withStores(url(), async ({ days }) => {
      await days.record(day, ada, at(8));
      await days.record(day, bob, at(5_000));
      await days.record(toDay(20_413), bob, at(200_000));
    });

  beforeEach(async () => {
    told = [];
    await fillVaried(url());
    update();
  });

  it('writes a backup, says how many taps only that has, and puts the former store back whole', async () => {
    goBack();
    const before = await survey();
    update();
    await tapSince();
    const since = await survey();
    const lines = await run();
    goBack();
    expect(await survey()).to.deep.equal(before);
    const [file = ''] = (await readdir(folder.path('store'))).filter((name) => name.endsWith('.jsonl'));
    expect(file).to.match(/^rolled-back-\d{8}T\d{6}\.jsonl$/);
    const path = join(folder.path('store'), file);
    expect(told).to.deep.equal([
      `the present record is in ${path}, and stays there`,
      '3 taps since the update are only there. Names, users, tokens and settings also become those of before the update',
    ]);
    expect(lines.join('\n')).to.match(
      /before the update\nnow install the older version.*tallybook import .*3 taps/s,
    );
    await importBackup(url(), path);
    const { entries, scans, days } = await survey();
    expect({ entries, scans, days }).to.deep.equal({
      entries: since.entries,
      scans: since.scans,
      days: since.days,
    });
  });

  it('writes the backup where `--out` says', async () => {
    await withStores(url(), () => Promise.resolve());
    await run({ out: folder.path('mine.jsonl') });
    expect(await readFile(folder.path('mine.jsonl'), 'utf8')).to.match(/^\{"kind":"tallybook"/);
    expect(told[1]).to.match(/^0 taps since the update are only there/);
    expect((await readdir(folder.path('store'))).filter((name) => name.endsWith('.jsonl'))).to.deep.equal([]);
  });

  it('asks, and changes nothing without a yes', async () => {
    using questions = new CaughtOutput(process.stderr);
    await tapSince();
    const present = await survey();
    {
      using _ = new GivenInput('no\n', { isTTY: true });
      expect(await run({ isConfirmed: false })).to.deep.equal(['nothing was changed; the backup stays']);
    }
    {
      using _ = new GivenInput('', { isTTY: false });
      expect(await failureOf(run({ isConfirmed: false }), 'INVALID_OPTION')).to.match(/add --confirm/);
    }
    expect(await survey()).to.deep.equal(present);
    using _ = new GivenInput('yes\n', { isTTY: true });
    expect((await run({ isConfirmed: false }))[0]).to.equal('the store is as it was before the update');
    expect(questions.text).to.match(/put the store back as it was before the update\? \[y\/N\]/);
  });

  it('keeps the store to itself while it asks, so that no tap comes after the backup', async () => {
    using _questions = new CaughtOutput(process.stderr);
    using _ = new GivenInput('yes\n', { isTTY: true });
    let isLocked: Promise<string> | undefined;
    const tell = (): void => {
      isLocked ??= failureOf(
        withStores(url(), () => Promise.resolve()),
        'STORE_LOCKED',
      );
    };
    await rollBack(url(), { isConfirmed: false, tell });
    expect(await isLocked).to.match(/in this process already/);
  });

  it('is refused in words without a copy, after an erasure, and while the store is in use', async () => {
    goBack();
    const nothing = /store cannot be rolled back: it was not brought to another format/;
    expect(await failureOf(run(), 'STORE_UNAVAILABLE')).to.match(nothing);
    {
      using _ = new GivenInput('', { isTTY: false });
      expect(await failureOf(run({ isConfirmed: false }), 'STORE_UNAVAILABLE')).to.match(nothing);
    }
    update();
    await withStores(url(), async ({ erasures }) => {
      expect(await failureOf(run(), 'STORE_LOCKED')).to.match(
        /in this process already; stop the service before its store is rolled back/,
      );
      await erasures.erase({ ids: [ada], until: at(9), expiresAt: at(10) });
    });
    expect(await failureOf(run(), 'STORE_UNAVAILABLE')).to.match(
      /store cannot be rolled back: its copy was removed: a person was erased since/,
    );
    expect((await readdir(folder.path('store'))).filter((name) => name.endsWith('.jsonl'))).to.deep.equal([]);
  });

  it('is refused in words for other kinds of stores', async () => {
    const ask = async (store: string): Promise<string> => (await call('rollback', '--store', store)).errors;
    expect(await ask('memory:')).to.match(/only a store on a disk can be rolled back/);
    expect(await ask('postgres://u:secret@127.0.0.1:1/d?site=a')).to.match(
      /a PostgreSQL is put back from its own backup: see "restore it to a point in time"/,
    );
  });

  it('counts a tap with a wrong clock once, also after it has got its time, which alone adds none', async () => {
    await withStores(url(), async ({ provisional, days }) => {
      const [open = expect.fail()] = (await provisional.list()).filter(({ filing }) => filing === undefined);
      const filing = { day, at: at(2), estimate: { earliest: at(-10), latest: at(3) }, isRecorded: true };
      await days.record(day, open.id, at(2));
      await provisional.settle(open.sequence, filing);
      for (const monotonicMs of [3, 4]) await provisional.add({ ...open, monotonicMs });
    });
    await run();
    expect(told[1]).to.match(/^2 taps /);
  });
});
