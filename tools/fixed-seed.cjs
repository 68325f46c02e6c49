// Loaded before the tests: properties are tried with the same values each time, so that a failure is one of the change.
// TALLYBOOK_TEST_SEED=random tries others, and a number those of that seed. CommonJS, as mocha loads the tests.
const fc = require('fast-check');

const { TALLYBOOK_TEST_SEED: seed = '20261121' } = process.env;
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) });
