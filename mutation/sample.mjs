// A random part of a package's mutants, for a score within minutes: all of them would take hours.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { tried } from './choice.mjs';
import { runStryker } from './stryker.mjs';

/**
 * Tries mutants of a package that a seed chooses. Resolves with their results, the
 * sources by path, and whether the time was over before the end.
 *
 * @param options `size`: number of chosen mutants. `minutes`: time limit; only mutants that were tried by then count, file
 * by file. All other options are for Stryker.
 */
export async function runSample(name, { size, seed, minutes, ...options }) {
  process.env.TALLYBOOK_MUTATION_SEED = seed;
  process.env.TALLYBOOK_MUTATION_MOST = String(size);
  // Read before: while Stryker works, the files do not have the original sources.
  const sources = readSources(`packages/${name}/src`);
  tried.length = 0;
  const run = runStryker(name, {
    plugins: ['./mutation/choice.mjs'],
    checkers: ['choice'],
    reporters: ['tried', 'progress-append-only'],
    // A constant is evaluated while its file is loaded, so each of its mutants would need all tests.
    ignoreStatic: true,
    // On a busy machine, slow tests are slower. A hanging mutant hangs longer than this.
    timeoutMS: 10_000,
    ...options,
  });
  const end = await Promise.race([run, delay(minutes * 60_000, 'over', { ref: false })]);
  const results = tried.filter(({ status }) => status !== 'CompileError');
  return {
    results,
    isOver: end === 'over',
    sourceOf: (path) => sources.get(path.replace(/^.*?(?=packages\/)/, '')),
  };
}

/**
 * The score of a sample: the per cent of killed mutants among the finished ones, and the largest difference from the score
 * of all mutants in 19 of 20 samples. A mutant that timed out may hang or be slow, so it does not count.
 */
export function scoreSample({ killed, survived, 'without a test': untested }) {
  const size = killed + survived + untested;
  if (size === 0) return { size, score: 0, within: 100 };
  const share = killed / size;
  return { size, score: 100 * share, within: 196 * Math.sqrt((share * (1 - share)) / size) };
}

function readSources(folder) {
  const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.ts'));
  return new Map(files.map((file) => [`${folder}/${file}`, readFileSync(join(folder, file), 'utf8')]));
}
