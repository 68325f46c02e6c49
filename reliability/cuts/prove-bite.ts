import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { halve } from '../halve.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Figure } from '../part.js';
import type { Random } from '../random.js';
import { isBroken, isJournalBroken, type Verdict } from '../verdict.js';
import { buildFinal, buildImage } from './crash-image.js';
import { judgeImage } from './judge-image.js';
import { readStore } from './read-store.js';
import { newStore, Recording, STORE } from './recording.js';
import { forgetful } from '../service/forgetful.js';
import type { Extent } from '../service/load.js';
import type { Tracer } from './tracer.js';
import { readTree, writeTree, type Tree } from './tree.js';

const CUTS = 40;
/** Factor for the number of cuts that are tried until one finds a fault: some faults show in few cuts of a recording. */
const TRIES = 6;
/** So many that half a log holds most of them. Only some dozens were under way at the end. */
const EXTENT: Extent = { acknowledgements: 300 };
/** So large that all acknowledged writes are in one log. */
const LARGE_TABLES = { TABLE_BYTES: '4194304' };
/** Faults of the service that only the journal shows. */
const JOURNAL_FAULTS = ['journal-apart', 'journal-unsynced'];
/** With these files the store itself detects a loss. They are left out, so that the ledger must find the loss. */
const ACKNOWLEDGED_FILES = [`${STORE}/ACKNOWLEDGED`, `${STORE}/ACKNOWLEDGED-2`];

/**
 * Breaks the promise on purpose, and reports the breaches that were not found. The ledger must find a breach; some
 * breaches the store itself must detect when it opens.
 */
export async function proveBite(
  tracer: Tracer,
  random: Random,
  isShort: boolean,
): Promise<{ readonly figures: readonly Figure[]; readonly missed: readonly string[] }> {
  const unsynced = await Recording.make(tracer, newStore, random, { FAULT: 'no-sync' }, EXTENT);
  const foundUnsynced = await countFound(unsynced, random, isShort, isBroken);
  const recording = await Recording.make(tracer, newStore, random, LARGE_TABLES, EXTENT);
  const ledger = (): Ledger => recording.ledgerUntil(recording.history.length);
  const halves = await halveEach(buildFinal(recording.history));
  const isLogFound = isBroken(await judgeImage(withoutAcknowledgedCommits(halves.log), ledger()));
  let refused = 0;
  const refusable = [halves.log, ...halves.others];
  for (const image of refusable) if (isRefusal(await judgeImage(image, ledger()))) refused++;
  const missed: string[] = [];
  let foundJournals = 0;
  for (const fault of JOURNAL_FAULTS) {
    const found = await countFound(
      await Recording.make(tracer, newStore, random, { FAULT: fault }, EXTENT),
      random,
      isShort,
      isJournalBroken,
    );
    foundJournals += found;
    if (found === 0) missed.push(`the ledger did not find the fault ${fault} by ${CUTS * TRIES} cuts`);
  }
  const forgotten = isShort ? [] : await findForgetful(tracer, random);
  missed.push(...forgotten.map((fault) => `the ledger did not find the fault ${fault}`));
  if (foundUnsynced === 0)
    missed.push(`the ledger did not find a store that does not sync by ${CUTS * TRIES} cuts`);
  if (!isLogFound) missed.push('the ledger did not find that the newest log lost its second half');
  if (refused < refusable.length) {
    missed.push(`${refusable.length - refused} of ${refusable.length} halved data files were not refused`);
  }
  return {
    figures: [
      { what: 'cuts that showed a store without syncs to the ledger', value: foundUnsynced },
      { what: 'cuts that showed a wrong journal to the ledger', value: foundJournals },
      { what: 'halved logs that the ledger found', value: Number(isLogFound) },
      { what: 'halved data files that the store itself refused', value: refused },
    ],
    missed,
  };
}

/**
 * Faults that a recording does not show: a new store has no old day to remove, and often no namesake of who is erased; and only the
 * service shows what counts for whom.
 */
const unseen: ReadonlySet<string> = new Set(['forget-removals', 'erase-namesakes', 'count-lost-tags']);

/** The faults of a forgetful service that the ledger did not find. The disk loses nothing here. */
async function findForgetful(tracer: Tracer, random: Random): Promise<readonly string[]> {
  const missed: string[] = [];
  for (const [fault, problem] of Object.entries(forgetful)) {
    if (unseen.has(fault)) continue;
    const extent = { ...EXTENT, withRound: true };
    const recording = await Recording.make(tracer, newStore, random, { FAULT: fault }, extent);
    const image = withoutAcknowledgedCommits(buildFinal(recording.history));
    const { broken } = await judgeImage(image, recording.ledgerUntil(recording.history.length));
    if (!broken.some((each) => problem.test(each))) missed.push(fault);
  }
  return missed;
}

/** How many cuts of a recording show a fault. A short run stops at the first of them. */
async function countFound(
  recording: Recording,
  random: Random,
  isShort: boolean,
  isFound: (verdict: Verdict) => boolean,
): Promise<number> {
  let found = 0;
  for (let n = 0; found === 0 ? n < CUTS * TRIES : !isShort && n < CUTS; n++) {
    const cut = { at: recording.chooseCut(random), fileSystem: 'journal' } as const;
    const image = withoutAcknowledgedCommits(buildImage(recording.history, cut, random));
    if (isFound(await judgeImage(image, recording.ledgerUntil(cut.at)))) found++;
  }
  return found;
}

function newestLogOf(killed: Tree): string {
  const log = filesOf(killed, /\.log$/).at(-1);
  if (log === undefined) throw new Error('the store has no log');
  return log;
}

function isRefusal({ refusal }: Verdict): boolean {
  return refusal !== undefined;
}

function withoutAcknowledgedCommits(tree: Tree): Tree {
  return new Map([...tree].filter(([path]) => !ACKNOWLEDGED_FILES.includes(path)));
}

/** Images in which one data file of the store lost its second half. */
async function halveEach(killed: Tree): Promise<{ readonly log: Tree; readonly others: readonly Tree[] }> {
  const settled = await settle(killed);
  const log = newestLogOf(killed);
  const others = filesOf(settled, /\.ldb$|MANIFEST/);
  return { log: withHalf(killed, log), others: others.map((file) => withHalf(settled, file)) };
}

/** The store after LevelDB has made a table of its log and removed unneeded files. */
async function settle(tree: Tree): Promise<Tree> {
  const folder = await mkdtemp(join(tmpdir(), 'settled-'));
  await writeTree(folder, tree);
  for (let opening = 0; opening < 2; opening++) await readStore(join(folder, STORE));
  return readTree(folder);
}

function filesOf(tree: Tree, pattern: RegExp): readonly string[] {
  return [...tree.keys()].filter((path) => pattern.test(path) && tree.get(path)?.length !== 0).sort();
}

function withHalf(tree: Tree, path: string): Tree {
  const content = tree.get(path);
  if (content === undefined || content === 'folder') throw new Error(`${path} is no file`);
  return new Map([...tree, [path, halve(content)]]);
}
