// Runs Stryker on the sources of this copy of the project, and prints the results. Started by run.mjs.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { PACKAGES } from './packages.mjs';
import { LOWEST_SCORE, report } from './report.mjs';
import { runSample, scoreSample } from './sample.mjs';
import { runStryker, strykerVersion } from './stryker.mjs';

const { names, file, tests, force, sample, seed, minutes } = readArguments();
const begin = performance.now();
const rows = [];
for (const name of names) {
  const { results, sourceOf } = await mutate(name);
  if (results.length === 0) fail(`no source of ${name} is named ${file}, or no test ${tests}`);
  const { row, unexplained, timedOut } = report(name, results, sourceOf);
  for (const { file, line, change, status } of [...unexplained, ...(sample === undefined ? [] : timedOut)])
    console.log(`${status} ${file}:${line}  ${change}`);
  rows.push(sample === undefined ? row : ofSample(row));
}
console.table(rows);
console.log(
  `${sample === undefined ? '' : `${sample} mutants with the seed ${seed} of `}${file} of ${names.join(' and ')}, with the tests ${tests}; Stryker ${strykerVersion}, Node ${process.versions.node}; ` +
    `took ${Math.round((performance.now() - begin) / 1_000)} s`,
);
process.exit(rows.every((row) => row['score %'] >= LOWEST_SCORE) ? 0 : 1);

async function mutate(name) {
  const options = { tests, mutate: [`packages/${name}/src/**/${file}`], concurrency: 2 };
  try {
    if (sample !== undefined) {
      const tried = await runSample(name, { ...options, size: sample, seed, minutes });
      if (tried.isOver) console.log(`NOT RUN: the last files of ${name}: the time is over`);
      return tried;
    }
    const incrementalFile = `mutation/results/${name}.json`;
    const results = await runStryker(name, { ...options, incremental: true, incrementalFile, force });
    return { results, sourceOf: (path) => readFileSync(path, 'utf8') };
  } catch ({ message }) {
    return fail(message);
  }
}

function ofSample(row) {
  const { size, score, within } = scoreSample(row);
  return { ...row, 'score %': Number(score.toFixed(1)), '±': Number(within.toFixed(1)), of: size };
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        file: { type: 'string', default: '*.ts' },
        tests: { type: 'string', default: '*' },
        force: { type: 'boolean', default: false },
        sample: { type: 'string' },
        seed: { type: 'string', default: '20261122' },
        minutes: { type: 'string', default: '60' },
      },
    });
    const unknown = positionals.find((name) => !Object.hasOwn(PACKAGES, name));
    if (unknown !== undefined)
      fail(`a package is one of ${Object.keys(PACKAGES).join(', ')}; got ${unknown}`);
    return {
      ...values,
      sample: values.sample === undefined ? undefined : countOf('sample', values.sample),
      minutes: countOf('minutes', values.minutes),
      names: positionals.length > 0 ? positionals : Object.keys(PACKAGES),
    };
  } catch (error) {
    return fail(error.message);
  }
}

function countOf(option, text) {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) fail(`--${option} is a whole number from 1; got ${text}`);
  return count;
}

function fail(message) {
  console.error(`mutation: ${message}`);
  process.exit(2);
}
