// A random part of a package's mutants, for a score within minutes where all of them would take hours.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { tried } from './choice.mjs';
import { runStryker } from './stryker.mjs';

/**
 * Tries mutants of a package that a seed chooses, and resolves with what came of them, and the sources by path.
 *
 * @param options `size`: how many are chosen. `minutes`: when they take longer, only those tried by then count, file by file. The rest is
 * for Stryker.
 */
export async function runSample(name, { size, seed, minutes, ...options }) {
  process.env.TALLYBOOK_MUTATION_SEED = seed;
  process.env.TALLYBOOK_MUTATION_MOST = String(size);
  // While Stryker works, what stands in the files is not the source.
  const sources = readSources(`packages/${name}/src`);
  tried.length = 0;
  const run = runStryker(name, {
    plugins: ['./mutation/choice.mjs'],
    checkers: ['choice'],
    reporters: ['tried', 'progress-append-only'],
    // Constants are met while a file is loaded, so each would need all tests.
    ignoreStatic: true,
    // A busy machine makes slow tests slower. What hangs, hangs longer.
    timeoutMS: 10_000,
    ...options,
  });
  const end = await Promise.race([run, delay(minutes * 60_000, 'over', { ref: false })]);
  if (end === 'over') console.log(`NOT RUN: the last files of ${name}: the time is over`);
  const results = tried.filter(({ status }) => status !== 'CompileError');
  return { results, sourceOf: (path) => sources.get(path.replace(/^.*?(?=packages\/)/, '')) };
}

/**
 * The score of a sample: of those that came to an end, how many per cent were killed, and how far the score of all mutants
 * may be from that, 19 times of 20. A mutant that timed out hangs, or was only slow, so it does not count.
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
