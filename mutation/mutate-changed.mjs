// Mutates changed lines in this copy of the project, as many as a short time allows. Started by run.mjs.
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { tried } from './choice.mjs';
import { PACKAGES } from './packages.mjs';
import { LOWEST_SCORE, report } from './report.mjs';
import { runStryker } from './stryker.mjs';

/** With fewer mutants the share is not significant: they are shown, but the run does not fail. */
const FEWEST = 20;
/** Number of chosen mutants. Each changed package gets an equal share. */
const MOST = 48;

const [rangesFile, untilEpochMs, seed] = process.argv.slice(2);
const ranges = JSON.parse(readFileSync(rangesFile, 'utf8'));
// Quick packages come first, as in the table.
const names = Object.keys(PACKAGES).filter((name) => ranges[name] !== undefined);
const share = Math.ceil(MOST / names.length);
process.env.TALLYBOOK_MUTATION_SEED = seed;
process.env.TALLYBOOK_MUTATION_MOST = String(share);

const isOver = delay(Math.max(Number(untilEpochMs) - Date.now(), 1), 'over');
const rows = [];
const counts = { noticed: 0, missed: 0 };
const left = [...names];
while (left.length > 0 && (await mutate(left[0])) !== 'over') left.shift();
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

/** Resolves with `over` when the time is over. */
async function mutate(name) {
  // Read before: while Stryker works, the files do not have the original sources.
  const files = new Set(ranges[name].map((range) => range.replace(/:[^:]*$/, '')));
  const sources = new Map([...files].map((file) => [file, readFileSync(file, 'utf8')]));
  tried.length = 0;
  const run = runStryker(name, {
    mutate: ranges[name],
    plugins: ['./mutation/choice.mjs'],
    checkers: ['choice'],
    reporters: ['tried'],
    // A constant is evaluated while its file is loaded, so each of its mutants would need all tests.
    ignoreStatic: true,
    concurrency: 2,
  });
  const end = await Promise.race([run, isOver]).catch(({ message }) => fail(`${name}: ${message}`));
  const sourceOf = (path) => sources.get(path.replace(/^.*?(?=packages\/)/, ''));
  const { row, unexplained } = report(name, [...tried], sourceOf);
  for (const { file, line, change, status } of unexplained)
    console.log(`${status} ${file}:${line}  ${change}`);
  rows.push(row);
  counts.noticed += row.killed + row['timed out'];
  counts.missed += unexplained.length;
  return end;
}

function fail(message) {
  console.error(`mutation: ${message}`);
  process.exit(2);
}
