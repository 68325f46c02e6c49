// Mutates changed lines in this copy of the project, as many as a short time allows. Started by run.mjs.
import { readFileSync } from 'node:fs';
import { PACKAGES } from './packages.mjs';
import { LOWEST_SCORE, report } from './report.mjs';
import { runSample } from './sample.mjs';

/** With fewer mutants the share is not significant: they are shown, but the run does not fail. */
const FEWEST = 20;
/** Number of chosen mutants. Each changed package gets an equal share. */
const MOST = 48;

const [rangesFile, untilEpochMs, seed] = process.argv.slice(2);
const ranges = JSON.parse(readFileSync(rangesFile, 'utf8'));
// Quick packages come first, as in the table.
const names = Object.keys(PACKAGES).filter((name) => ranges[name] !== undefined);
const share = Math.ceil(MOST / names.length);

const rows = [];
const counts = { noticed: 0, missed: 0 };
const left = [...names];
while (left.length > 0 && !(await mutate(left[0]))) left.shift();
for (const name of left)
  console.log(`NOT RUN: mutants of changed lines of ${name}, all or some: the time is over`);
console.table(rows);
const { noticed, missed } = counts;
const score = noticed + missed === 0 ? 100 : (100 * noticed) / (noticed + missed);
console.log(
  `${noticed} of ${noticed + missed} mutants of changed lines were noticed, ${score.toFixed(1)} %, at least ` +
    `${LOWEST_SCORE} % must be of ${FEWEST} or more; at most ${share} of a package were chosen, seed ${seed}`,
);
process.exit(score >= LOWEST_SCORE || noticed + missed < FEWEST ? 0 : 1);

/** Resolves with whether the time was over before the end. */
async function mutate(name) {
  const { results, sourceOf, isOver } = await runSample(name, {
    ...{ size: share, seed, minutes: Math.max(Number(untilEpochMs) - Date.now(), 1) / 60_000 },
    ...{ mutate: ranges[name], reporters: ['tried'], timeoutMS: 5_000, concurrency: 2 },
  }).catch(({ message }) => fail(`${name}: ${message}`));
  const { row, unexplained } = report(name, results, sourceOf);
  for (const { file, line, change, status } of unexplained)
    console.log(`${status} ${file}:${line}  ${change}`);
  rows.push(row);
  counts.noticed += row.killed + row['timed out'];
  counts.missed += unexplained.length;
  return isOver;
}

function fail(message) {
  console.error(`mutation: ${message}`);
  process.exit(2);
}
