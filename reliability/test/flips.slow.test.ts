import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseTallyId, toDay } from '@tallybook/domain';
import { expect } from 'chai';
import { temporaryFolder } from '../../packages/server/test/fixtures/temporary-folder.js';
import { flipStore, invertBit, type Opener } from '../flips/flip-store.js';
import { countLost, judgeSaved, judgeSound } from '../flips/judge-contents.js';
import type { Opening } from '../flips/opener-process.js';
import { planFlips, type Flip } from '../flips/plan-flips.js';
import { runFlips } from '../flips/run-flips.js';
import type { Contents, ShownJournal } from '../ledger/contents.js';
import { nameOf } from '../ledger/names.js';
import { Random } from '../random.js';

const SMALL_FILES = ['ACKNOWLEDGED', 'ACKNOWLEDGED-2', 'LOG'];
const ADA = '04A2B3C4D5';
const BOB = '010203';
const entry = { id: ADA, first: 100, last: 300, count: 3 };
const scan = { sequence: 1, id: ADA, shown: 7, isFiling: false };
const journal: ShownJournal = {
  after: 0,
  latest: 2,
  entries: [
    { cursor: 1, change: { kind: 'name', id: parseTallyId(ADA), action: 'added' } },
    { cursor: 2, change: { kind: 'day', day: toDay(1), action: 'removed' } },
  ],
  position: undefined,
};
const [first] = journal.entries;
const before: Contents = {
  mapping: new Map([[ADA, nameOf(ADA, 3)]]),
  days: new Map([[20_411, [entry]]]),
  provisional: [scan],
  journal,
};
const nothing: Contents = { mapping: new Map(), days: new Map(), provisional: [] };

describe('The judge of flipped bits', () => {
  it('accepts of a sound store only what was there', () => {
    expect(judgeSound(structuredClone(before), before)).to.be.empty;
    for (const shown of [
      { ...before, mapping: new Map([[ADA, nameOf(ADA, 2)]]) },
      { ...before, days: new Map([[20_411, [{ ...entry, count: 2 }]]]) },
      { ...before, provisional: [] },
      { ...before, journal: { ...journal, entries: journal.entries.slice(1) } },
    ]) {
      expect(judgeSound(shown, before)).to.have.lengthOf(1);
    }
  });

  it('accepts of a repaired store what was there, less, and older', () => {
    const older = {
      mapping: new Map([[ADA, nameOf(ADA, 1)]]),
      days: new Map([[20_411, [{ ...entry, last: 200, count: 2 }]]]),
      provisional: [],
    };
    const shorter = { ...before, journal: { ...journal, entries: journal.entries.slice(1) } };
    const repaired: Contents = {
      ...before,
      journal: { ...journal, entries: [{ cursor: 3, change: { kind: 'repaired' } }] },
    };
    for (const shown of [before, nothing, older, shorter, repaired])
      expect(judgeSaved(shown, before)).to.be.empty;
  });

  it('finds in a repaired store what was never there', () => {
    for (const shown of [
      { ...nothing, mapping: new Map([[ADA, nameOf(ADA, 4)]]) },
      { ...nothing, mapping: new Map([[ADA, { first: 'Eve', last: '' }]]) },
      { ...nothing, mapping: new Map([[BOB, nameOf(BOB, 1)]]) },
      { ...nothing, days: new Map([[20_412, [entry]]]) },
      { ...nothing, days: new Map([[20_411, [{ ...entry, id: BOB }]]]) },
      { ...nothing, days: new Map([[20_411, [{ ...entry, first: 99 }]]]) },
      { ...nothing, days: new Map([[20_411, [{ ...entry, last: 301 }]]]) },
      { ...nothing, days: new Map([[20_411, [{ ...entry, count: 4 }]]]) },
      { ...nothing, provisional: [{ ...scan, shown: 8 }] },
      { ...nothing, provisional: [{ ...scan, id: BOB }] },
      { ...nothing, journal: { ...journal, entries: first === undefined ? [] : [{ ...first, cursor: 2 }] } },
    ]) {
      expect(judgeSaved(shown, before), JSON.stringify([...shown.mapping, ...shown.days])).to.have.lengthOf(
        1,
      );
    }
  });
});

describe('The loss of a repair', () => {
  it('is the number of names, entries and provisional scans that are missing or older', () => {
    expect(countLost(before, before)).to.equal(0);
    expect(countLost({ ...nothing, mapping: before.mapping }, before)).to.equal(2);
    expect(countLost({ ...before, mapping: new Map([[ADA, nameOf(ADA, 2)]]) }, before)).to.equal(1);
    expect(countLost(nothing, before)).to.equal(3);
  });
});

describe('A store with a flipped bit', () => {
  const folder = temporaryFolder();
  let store = '';

  beforeEach(async () => {
    store = folder.path('store');
    await mkdir(store);
    await writeFile(join(store, '000005.ldb'), Buffer.alloc(3_000));
  });

  const flipAt = (isWhileOpen: boolean): Flip => ({
    store,
    file: '000005.ldb',
    byte: 2,
    bit: 5,
    isWhileOpen,
  });

  /** The result of a flip with these openings. */
  async function outcomeOf(openings: readonly Opening[], isWhileOpen = false) {
    const left = [...openings];
    const damaged: number[] = [];
    const copy = folder.path('copy');
    const opener: Opener = {
      open: async ({ path }, whileOpen) => {
        const byteOf = async (): Promise<number> => (await readFile(join(path, '000005.ldb'))).readUInt8(2);
        damaged.push(await byteOf());
        whileOpen?.();
        damaged.push(await byteOf());
        return left.shift() ?? expect.fail('there was a start too many');
      },
    };
    const outcome = await flipStore(flipAt(isWhileOpen), before, copy, opener);
    expect(left, 'starts left').to.be.empty;
    return { ...outcome, damaged };
  }

  const refused: Opening = { notices: [], refusal: 'STORE_CORRUPT' };
  const aborted: Opening = { signal: 'SIGABRT' };

  it('is a copy, and the store itself stays as it is', async () => {
    const { damaged } = await outcomeOf([{ notices: [], contents: before }]);
    expect(damaged).to.deep.equal([32, 32]);
    expect((await readFile(join(store, '000005.ldb'))).every((byte) => byte === 0)).to.equal(true);
  });

  it('may be found by the third start', async () => {
    const repaired: Opening = { notices: ['repaired'], contents: nothing };
    expect(await outcomeOf([refused, refused, repaired])).to.include({ result: 'repaired', starts: 3 });
    expect((await outcomeOf([refused, refused, refused])).problems).to.have.lengthOf(1);
  });

  it('must not end a start by a signal', async () => {
    expect((await outcomeOf([aborted])).problems.join()).to.include('SIGABRT');
    expect((await outcomeOf([refused, aborted])).problems.join()).to.include('start 2 was ended by SIGABRT');
  });

  it('must be reported if something is missing', async () => {
    expect((await outcomeOf([{ notices: [], contents: nothing }])).problems).not.to.be.empty;
    expect((await outcomeOf([{ notices: ['damaged'], contents: nothing }])).problems).to.be.empty;
    expect(await outcomeOf([{ notices: [], contents: before }])).to.include({ result: 'unnoticed' });
  });

  it('may end a process that has the store open, but none of those that start after it', async () => {
    const repaired: Opening = { notices: ['repaired'], contents: nothing };
    const { damaged, ...outcome } = await outcomeOf([aborted, repaired], true);
    expect(damaged).to.deep.equal([0, 32, 32, 32]);
    expect(outcome).to.deep.equal({ result: 'ended and repaired', starts: 2, lost: 3, problems: [] });
    expect((await outcomeOf([aborted, aborted], true)).problems).to.have.lengthOf(1);
  });

  it('stays as it is where LevelDB has removed the table of an open store by then', async () => {
    const copy = folder.path('copy');
    const opener: Opener = {
      open: async ({ path }, whileOpen) => {
        if (whileOpen !== undefined) await rm(join(path, '000005.ldb'));
        whileOpen?.();
        return { notices: [], contents: before };
      },
    };
    const outcome = await flipStore(flipAt(true), before, copy, opener);
    expect(outcome).to.deep.equal({ result: 'unnoticed', starts: 2, lost: 0, problems: [] });
  });

  it('has the same bit flipped back by another flip', async () => {
    const path = join(store, '000005.ldb');
    invertBit(path, { byte: 2_999, bit: 7 });
    expect((await readFile(path)).readUInt8(2_999)).to.equal(128);
    invertBit(path, { byte: 2_999, bit: 7 });
    expect((await readFile(path)).readUInt8(2_999)).to.equal(0);
  });
});

describe('flips', () => {
  const folder = temporaryFolder();

  it('are spread over every kind of file, each in a stretch of its own', async () => {
    const sizes = { '000005.ldb': 20_000, '000006.log': 5_000, 'MANIFEST-000004': 300, CURRENT: 16 };
    for (const [name, size] of Object.entries(sizes)) {
      await writeFile(folder.path(name), Buffer.alloc(size, 1));
    }
    for (const name of SMALL_FILES) {
      await writeFile(folder.path(name), Buffer.alloc(20, 1));
    }
    const plan = planFlips([folder.path()], 1_000, new Random(1));
    const files = new Set([...plan.values()].flat().map(({ file }) => file));
    expect([...files].sort()).to.deep.equal([...Object.keys(sizes), ...SMALL_FILES].sort());
    for (const [what, flips] of plan) {
      const places = flips.map(({ byte, bit }) => byte * 8 + bit);
      expect(Math.max(...places) - Math.min(...places), what).to.be.above(60);
    }
    const rows = (plan.get('rows of tables') ?? []).map(({ byte, bit }) => byte * 8 + bit);
    const stretch = ((20_000 - 1_024) * 8) / rows.length;
    for (const [n, place] of rows.entries()) {
      expect(place).to.be.within(Math.floor(n * stretch), Math.ceil((n + 1) * stretch));
    }
  });

  it('find nothing wrong, and see a process that is ended by a signal where nobody looks before', async function () {
    // Some seconds of processes one after another, and some minutes on a machine that does much else.
    this.timeout(300_000);
    const { failures, figures } = await runFlips({ seed: 3, isShort: true, count: 20 });
    expect(failures.join('\n')).to.equal('');
    const figure = new Map(figures.map(({ what, value }) => [what, value]));
    expect(figure.get('flipped bits')).to.be.at.least(20);
    expect(figure.get('repaired')).to.be.above(10);
    expect(figure.get('processes that a signal ended without the check of the files')).to.equal(1);
  });
});
