import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { halve } from '../halve.js';
import type { Figure } from '../part.js';
import type { Random } from '../random.js';
import { forgetful } from '../service/forgetful.js';
import { isBroken, isJournalBroken, type Verdict } from '../verdict.js';
import { KilledStore } from './killed-store.js';

/** Kills after which a broken promise must have shown. */
const ATTEMPTS = 5;
/** So many that half a log holds most of them. Only some dozens were under way at the end. */
const ACKNOWLEDGEMENTS = 300;
/** With these files the service itself detects a loss. They are removed, so that the ledger must find the loss. */
const ACKNOWLEDGED_FILES = ['ACKNOWLEDGED', 'ACKNOWLEDGED-2'];

/**
 * Breaks the promise on purpose, and reports the breaches that were not found. The ledger must find a breach; one
 * breach the service itself must detect at its start.
 */
export async function proveBite(
  folder: string,
  random: Random,
): Promise<{ readonly figures: readonly Figure[]; readonly missed: readonly string[] }> {
  const missed: string[] = [];
  const early = new KilledStore(join(folder, 'early'), { FAULT: 'early' });
  const isEarlyFound = await findsFault(early, random, isBroken, () => removeAcknowledgedCommits(early.path));
  if (!isEarlyFound) missed.push('the ledger did not find a service that acknowledges before it writes');
  const cut = new KilledStore(join(folder, 'cut'));
  const isCutFound = await findsFault(cut, random, isBroken, async () => {
    await removeAcknowledgedCommits(cut.path);
    await truncateLog(cut.path);
  });
  if (!isCutFound) missed.push('the ledger did not find that a log of LevelDB lost its second half');
  const refused = new KilledStore(join(folder, 'refused'));
  const isRefused = await findsFault(refused, random, isRefusal, () => truncateLog(refused.path));
  if (!isRefused) missed.push('the service did not refuse a log of LevelDB that lost its second half');
  const back = new KilledStore(join(folder, 'back'), { FAULT: 'journal-back' });
  const isBackFound = await findsFault(back, random, isJournalBroken, () => Promise.resolve());
  if (!isBackFound)
    missed.push('the ledger did not find a journal that forgets its end and gives cursors again');
  let forgotten = 0;
  for (const [fault, problem] of Object.entries(forgetful)) {
    const store = new KilledStore(join(folder, fault), { FAULT: fault });
    const isFound = ({ broken }: Verdict): boolean => broken.some((each) => problem.test(each));
    const damage = (): Promise<void> => removeAcknowledgedCommits(store.path);
    if (await findsFault(store, random, isFound, damage)) forgotten++;
    else missed.push(`the ledger did not find the fault ${fault}`);
  }
  return {
    figures: [
      {
        what: 'planted unwritten actions at the desk that the ledger found',
        value: forgotten,
      },
      { what: 'planted losses that the ledger found', value: Number(isEarlyFound) + Number(isCutFound) },
      { what: 'planted wrong journals that the ledger found', value: Number(isBackFound) },
      { what: 'planted losses that the service itself refused', value: Number(isRefused) },
    ],
    missed,
  };
}

function isRefusal({ refusal }: Verdict): boolean {
  return refusal?.includes('STORE_CORRUPT') === true;
}

async function findsFault(
  store: KilledStore,
  random: Random,
  isFound: (verdict: Verdict) => boolean,
  damage: () => Promise<void>,
): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    await store.killUnderLoad(random.fork(), {}, { acknowledgements: ACKNOWLEDGEMENTS, withRound: true });
    await damage();
    if (isFound(await store.judge())) return true;
  }
  return false;
}

async function removeAcknowledgedCommits(store: string): Promise<void> {
  for (const name of ACKNOWLEDGED_FILES) await rm(join(store, name), { force: true });
}

async function truncateLog(store: string): Promise<void> {
  const logs = (await readdir(store)).filter((file) => file.endsWith('.log'));
  for (const log of logs) {
    const path = join(store, log);
    await writeFile(path, halve(await readFile(path)));
  }
}
