// Loaded before the tests: properties are tried with the same values each time, so that a failure is one of the change.
// TALLYBOOK_TEST_SEED=random tries others and says how to try them again; a number tries those of that seed.
'use strict';
const fc = require('fast-check');

const FIXED_SEED = 20261121;
const { TALLYBOOK_TEST_SEED: wanted = String(FIXED_SEED) } = process.env;
const seed = wanted === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(wanted);
if (!Number.isInteger(seed))
  throw new Error(`TALLYBOOK_TEST_SEED is a whole number or "random"; got ${wanted}`);
if (seed !== FIXED_SEED) console.log(`properties are tried with TALLYBOOK_TEST_SEED=${seed}`);
fc.configureGlobal({ seed });
