import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Part } from '../part.js';
import { Random } from '../random.js';
import { problemsOf } from '../verdict.js';
import { KilledStore } from './killed-store.js';
import { proveBite } from './prove-bite.js';

const COUNT = 300;
const SHORT_COUNT = 24;

/**
 * Kills the service with SIGKILL at random moments, under load and while it opens its store. The folder is always the
 * same. Judges the data of the service when it runs again.
 */
export const runKills: Part = async ({ seed, count, isShort }) => {
  const folder = await mkdtemp(join(tmpdir(), 'kills-'));
  const random = new Random(seed);
  const store = new KilledStore(join(folder, 'store'));
  const total = count ?? (isShort ? SHORT_COUNT : COUNT);
  const failures: string[] = [];
  for (let kill = 1; kill <= total + 1 && failures.length === 0; kill++) {
    const problems = problemsOf(kill > total ? await store.judge() : await store.killOnce(random.fork()));
    if (problems.length > 0) {
      failures.push(
        `after kill ${kill - 1}: ${problems.slice(0, 5).join('\n  ')}\n` +
          `  the same kills again: npm run reliability -- kills --count ${kill - 1} --seed ${seed}`,
      );
    }
    if (kill % 50 === 0) console.error(`  ${kill} kills`);
  }
  const { counts } = store.ledger;
  for (const what of ['erased tags', 'corrections', 'sessions']) {
    if (failures.length > 0 || store.killsUnderLoad === 0 || counts[what] !== 0) continue;
    failures.push(`no ${what} were checked: there were none`);
  }
  const bite = await proveBite(folder, random);
  return {
    figures: [
      { what: 'kills under load', value: store.killsUnderLoad },
      { what: 'kills while the store opens', value: store.killsAtStart },
      ...Object.entries(counts).map(([what, value]) => ({ what: `${what} that were checked`, value })),
      ...bite.figures,
    ],
    failures: [...failures, ...bite.missed],
  };
};
