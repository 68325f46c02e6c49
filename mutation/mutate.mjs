// Runs Stryker over the sources of this copy of the project and prints what came of it. Started by run.mjs.
import { Stryker } from '@stryker-mutator/core';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { PACKAGES } from './packages.mjs';
import { report } from './report.mjs';

/** Lowest share of the mutants of a package that its tests must notice, in per cent. */
const LOWEST_SCORE = 85;

const { names, file, tests, concurrency, force } = readArguments();
const { version: strykerVersion } = createRequire(import.meta.url)('@stryker-mutator/core/package.json');
const begin = performance.now();
const rows = [];
for (const name of names) {
  const results = await mutate(name);
  if (results.length === 0) fail(`no source of ${name} is named ${file}, or no test ${tests}`);
  const { row, unexplained } = report(name, results, (path) => readFileSync(path, 'utf8'));
  for (const { file, line, change, status } of unexplained)
    console.log(`${status} ${file}:${line}  ${change}`);
  rows.push(row);
}
console.table(rows);
console.log(
  `${file} of ${names.join(' and ')}, with the tests ${tests}; Stryker ${strykerVersion}, Node ${process.versions.node}; ` +
    `took ${Math.round((performance.now() - begin) / 1_000)} s`,
);
process.exit(rows.every((row) => row['score %'] >= LOWEST_SCORE) ? 0 : 1);

function mutate(name) {
  const { ignoredTests = [], moreTests = [] } = PACKAGES[name];
  return new Stryker({
    mutate: [`packages/${name}/src/**/${file}`],
    testRunner: 'mocha',
    testRunnerNodeArgs: ['--import=tsx', '--conditions=@tallybook/source'],
    mochaOptions: {
      spec: [`packages/${name}/test/**/${tests}.test.ts`, ...moreTests],
      ignore: ignoredTests,
      require: ['./tools/fixed-seed.cjs', './mutation/active-mutant.cjs'],
      'no-config': true,
      'no-package': true,
    },
    coverageAnalysis: 'perTest',
    plugins: ['@stryker-mutator/mocha-runner', './mutation/error-messages.mjs'],
    ignorers: ['error-messages'],
    inPlace: true,
    incremental: true,
    incrementalFile: `mutation/results/${name}.json`,
    force,
    concurrency,
    reporters: [process.stdout.isTTY ? 'progress' : 'progress-append-only'],
    allowConsoleColors: false,
    logLevel: 'warn',
    timeoutMS: 5_000,
    dryRunTimeoutMinutes: 20,
    allowEmpty: true,
    disableTypeChecks: false,
    checkers: [],
  })
    .runMutationTest()
    .catch(({ message }) => fail(message));
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        file: { type: 'string', default: '*.ts' },
        tests: { type: 'string', default: '*' },
        concurrency: { type: 'string', default: '2' },
        force: { type: 'boolean', default: false },
      },
    });
    const unknown = positionals.find((name) => !Object.hasOwn(PACKAGES, name));
    if (unknown !== undefined)
      fail(`a package is one of ${Object.keys(PACKAGES).join(', ')}; got ${unknown}`);
    const count = Number(values.concurrency);
    if (!Number.isInteger(count) || count < 1)
      fail(`--concurrency is a whole number from 1; got ${values.concurrency}`);
    return {
      ...values,
      concurrency: count,
      names: positionals.length > 0 ? positionals : Object.keys(PACKAGES),
    };
  } catch (error) {
    return fail(error.message);
  }
}

function fail(message) {
  console.error(`mutation: ${message}`);
  process.exit(2);
}
