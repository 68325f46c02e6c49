import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ledger } from '../ledger/ledger.js';
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
  if (failures.length === 0 && store.killsUnderLoad > 0) failures.push(...findUnchecked(store.ledger));
  const bite = await proveBite(folder, random);
  return {
    figures: [
      { what: 'kills under load', value: store.killsUnderLoad },
      { what: 'kills while the store opens', value: store.killsAtStart },
      { what: 'answered names that were checked', value: store.ledger.answers },
      { what: 'scans announced by an event that were checked', value: store.ledger.attendances },
      { what: 'provisional scans that were checked', value: store.ledger.holdings },
      { what: 'indicated taps that were checked', value: store.ledger.indications },
      { what: 'removed days that were checked', value: store.ledger.removals },
      { what: 'corrections that were checked', value: store.ledger.corrections.acknowledged },
      { what: 'changes of users, sessions and tokens that were checked', value: store.ledger.access.changes },
      { what: 'sessions that were checked', value: store.ledger.access.sessions },
      { what: 'erased tags that were checked', value: store.ledger.erasures.acknowledged },
      { what: 'changes from the journal that were checked', value: store.ledger.told },
      ...bite.figures,
    ],
    failures: [...failures, ...bite.missed],
  };
};

/** The kinds of data of which nothing was acknowledged, so that nothing was checked. */
function findUnchecked({ erasures, corrections, access }: Ledger): readonly string[] {
  const counts = {
    erasures: erasures.acknowledged,
    corrections: corrections.acknowledged,
    sessions: access.sessions,
  };
  return Object.entries(counts).flatMap(([what, count]) =>
    count > 0 ? [] : `no ${what} were checked: there were none`,
  );
}
