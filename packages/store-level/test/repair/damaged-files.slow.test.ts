import { cp, mkdtemp, open, readdir, readFile, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { isTallybookError } from '@tallybook/domain';
import { LevelStorage } from '@tallybook/store-level';
import { decodeEntry } from '../../src/rows/codec.js';
import { dayOfKey, ENTRY, idOfEntryKey, idOfNameKey, NAME } from '../../src/rows/keys.js';
import { toRow } from '../../src/rows/rows.js';
import { checkRows } from '../fixtures/check-rows.js';
import { contentOf, isEarlierAccount, makeKnownStore, type Content } from '../fixtures/known-store.js';
import { LevelRepairs } from '../fixtures/level-repairs.js';
import { randomNumbers } from '../fixtures/random.js';
import { usedBytes } from '../fixtures/disk/used-bytes.js';

/**
 * Number of damaged places of each file. More of them find rarer faults, for example
 * `TALLYBOOK_TEST_DAMAGE_SEEDS=200`.
 */
const SEEDS = Number(process.env['TALLYBOOK_TEST_DAMAGE_SEEDS'] ?? 2);
/** Number of cases that are compared with the repair of LevelDB itself, which ends the process at certain damage. */
const COMPARED_SEEDS = 2;
const BLOCK_BYTES = 4_096;

type Random = (limit: number) => number;
type Damage = (file: string, random: Random) => Promise<void>;

const damages: Readonly<Record<string, Damage>> = {
  'is missing': (file) => rm(file),
  'is empty': (file) => truncate(file),
  'lacks its last byte': async (file) => truncate(file, (await usedBytes(file)) - 1),
  'is cut in two': async (file) => truncate(file, Math.floor((await usedBytes(file)) / 2)),
  'is cut somewhere': async (file, random) => truncate(file, random(await usedBytes(file))),
  'is zeros only': async (file) => overwrite(file, 0, Buffer.alloc(await usedBytes(file))),
  'is zeros from somewhere on': async (file, random) => {
    const size = await usedBytes(file);
    const start = random(size);
    await overwrite(file, start, Buffer.alloc(size - start));
  },
  'has a block of zeros': async (file, random) => {
    const size = await usedBytes(file);
    const start = random(Math.ceil(size / BLOCK_BYTES)) * BLOCK_BYTES;
    await overwrite(file, start, Buffer.alloc(Math.min(BLOCK_BYTES, size - start)));
  },
  'has a flipped bit': async (file, random) => {
    const bytes = await readFile(file);
    const at = random(await usedBytes(file));
    await overwrite(file, at, Buffer.of((bytes[at] ?? 0) ^ (1 << random(8))));
  },
};
/** The damages that depend on chance. */
const repeated = [
  'is cut somewhere',
  'is zeros from somewhere on',
  'has a block of zeros',
  'has a flipped bit',
];

const files: Readonly<Record<string, RegExp>> = {
  'a log': /^\d+\.log$/,
  'a table': /^\d+\.ldb$/,
  'the manifest': /^MANIFEST-\d+$/,
  CURRENT: /^CURRENT$/,
};

/** Ways to make a store, which decide what is in its log and in tables, with the files to damage. */
const shapes: Readonly<Record<string, { readonly sessions: number; readonly files: readonly string[] }>> = {
  'only a log': { sessions: 1, files: ['a log', 'the manifest', 'CURRENT'] },
  'a log and tables': { sessions: 3, files: ['a log', 'a table', 'the manifest'] },
};
/** Data that must survive damage to only these files. */
const withoutData = ['the manifest', 'CURRENT'];

describe('A store with a damaged file', () => {
  let folder = '';
  const contents = new Map<string, Content>();
  const repairs = new LevelRepairs();

  /** Makes a store of a shape at its first use, and gives its content. */
  async function make(shape: string, sessions: number): Promise<Content> {
    const known = contents.get(shape);
    if (known !== undefined) return known;
    await makeKnownStore(join(folder, shape), sessions);
    // Reading would open it and change its files.
    const copy = join(folder, `copy of ${shape}`);
    await cp(join(folder, shape), copy, { recursive: true });
    const content = await contentOf(copy);
    contents.set(shape, content);
    return content;
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tallybook-'));
  });
  after(async () => {
    await repairs[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  for (const [shape, { sessions, files: kinds }] of Object.entries(shapes)) {
    for (const kind of kinds) {
      for (const [how, damage] of Object.entries(damages)) {
        it(`never opens silently with less data, and is repaired: of ${shape}, ${kind} ${how}`, async () => {
          const all = await make(shape, sessions);
          for (let seed = 0; seed < (repeated.includes(how) ? SEEDS : 1); seed++) {
            const random = randomNumbers(seed + 1);
            const path = join(folder, 'damaged');
            await rm(path, { recursive: true, force: true });
            await cp(join(folder, shape), path, { recursive: true });
            const matching = (await readdir(path)).filter((name) => files[kind]?.test(name) === true);
            const name = matching[random(matching.length)] ?? kind;
            await damage(join(path, name), random);
            const saved = await expectHonesty(path, all, `${name}, seed ${seed}`);
            if (seed < COMPARED_SEEDS)
              await expectAsMuchAsLevel(repairs, `${path}-theirs`, saved, `${name}, seed ${seed}`);
            if (withoutData.includes(kind)) expect(saved, `seed ${seed}`).to.deep.equal(all);
          }
        }).timeout(600_000);
      }
    }
  }
});

/**
 * Checks that a damaged store reports damage or has all data, and that a repair invents nothing. Returns the saved
 * data, and leaves a copy of the damaged store.
 */
async function expectHonesty(path: string, all: Content, context: string): Promise<Content> {
  const [damaged, ours, theirs] = [path, `${path}-ours`, `${path}-theirs`] as const;
  for (const copy of [ours, theirs]) {
    await rm(copy, { recursive: true, force: true });
    await cp(damaged, copy, { recursive: true });
  }
  const opened = await readOrRefuse(damaged);
  if (opened !== undefined) expect(opened, context).to.deep.equal(all);

  const report = await LevelStorage.repair(ours);
  if (opened === undefined) expect(report.damages, context).not.to.be.empty;
  await checkRows(ours, { areCountsExact: false, isRepaired: true });
  const saved = (await readOrRefuse(ours)) ?? expect.fail(`${context}: still refused after the repair`);
  for (const [key, value] of saved) {
    const original = all.get(key) ?? expect.fail(`${context}: ${key} was made up`);
    if (key.startsWith('entry'))
      expect(isEarlierAccount(value, original), `${context}: ${key}`).to.equal(true);
  }
  return saved;
}

/** Checks that our repair saves all data that the repair of LevelDB itself saves. */
async function expectAsMuchAsLevel(
  repairs: LevelRepairs,
  path: string,
  saved: Content,
  context: string,
): Promise<void> {
  for (const [key, value] of await readRepairedByLevel(repairs, path)) {
    const own = saved.get(key) ?? expect.fail(`${context}: ${key} was not saved`);
    if (key.startsWith('entry')) expect(isEarlierAccount(value, own), `${context}: ${key}`).to.equal(true);
  }
}

/** The rest of a store after the repair of LevelDB, if it can be read: only rows with the right checksum count. */
async function readRepairedByLevel(repairs: LevelRepairs, path: string): Promise<Content> {
  const left = await repairs.rowsLeft(path);
  const rows = [...left].map(([key, value]) => toRow(toBytes(key), toBytes(value)));
  return new Map(
    rows.flatMap(({ key, value, isDamaged }): [string, string][] => {
      if (value === undefined || isDamaged === true) return [];
      if (key[0] === NAME) return [[`name ${idOfNameKey(key)}`, '']];
      if (key[0] !== ENTRY) return [];
      const id = idOfEntryKey(key);
      return [[`entry ${dayOfKey(key)} ${id}`, JSON.stringify(decodeEntry(id, value).entry)]];
    }),
  );
}

function toBytes(hex: string): Buffer {
  return Buffer.from(hex, 'hex');
}

/** The content of a store; `undefined` if it reports damage. */
async function readOrRefuse(path: string): Promise<Content | undefined> {
  try {
    return await contentOf(path);
  } catch (error) {
    if (isTallybookError(error, 'STORE_CORRUPT')) return undefined;
    throw error;
  }
}

async function overwrite(path: string, position: number, bytes: Buffer): Promise<void> {
  const file = await open(path, 'r+');
  await file.write(bytes, 0, bytes.length, position);
  await file.close();
}
