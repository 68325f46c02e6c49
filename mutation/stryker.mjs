import { Stryker } from '@stryker-mutator/core';
import { createRequire } from 'node:module';
import { PACKAGES } from './packages.mjs';

export const { version: strykerVersion } = createRequire(import.meta.url)(
  '@stryker-mutator/core/package.json',
);

/**
 * Runs Stryker on a package of this copy of the project. Resolves with the result of each mutant.
 *
 * @param options Options of Stryker, in addition to those that are the same for every run.
 */
export function runStryker(name, { tests = '*', plugins = [], mutate, ...options }) {
  const { ignoredTests = [], ignoredTitles = [], ignoredSources = [], moreTests = [] } = PACKAGES[name];
  return new Stryker({
    mutate: [...mutate, ...ignoredSources.map((pattern) => `!packages/${name}/src/${pattern}`)],
    testRunner: 'mocha',
    testRunnerNodeArgs: ['--import=tsx', '--conditions=@tallybook/source'],
    mochaOptions: {
      spec: [`packages/${name}/test/**/${tests}.test.ts`, ...moreTests],
      ignore: ignoredTests,
      ...(ignoredTitles.length > 0 && { grep: `^(?!${ignoredTitles.join('|')})` }),
      require: ['./tools/fixed-seed.cjs', './mutation/active-mutant.cjs', './mutation/short-assertions.cjs'],
      'no-config': true,
      'no-package': true,
    },
    coverageAnalysis: 'perTest',
    plugins: ['@stryker-mutator/mocha-runner', './mutation/error-messages.mjs', ...plugins],
    ignorers: ['error-messages'],
    inPlace: true,
    reporters: [process.stdout.isTTY ? 'progress' : 'progress-append-only'],
    allowConsoleColors: false,
    logLevel: 'warn',
    timeoutMS: 5_000,
    dryRunTimeoutMinutes: 20,
    allowEmpty: true,
    disableTypeChecks: false,
    checkers: [],
    ...options,
  }).runMutationTest();
}
