// Loaded before the tests. Properties are tried with the same values each time, so that a failure comes from a change
// of the code. TALLYBOOK_TEST_SEED=random tries other values, and prints the seed; a number tries the values of that
// seed.
'use strict';
const fc = require('fast-check');

const FIXED_SEED = 20261121;
const { TALLYBOOK_TEST_SEED: wanted = String(FIXED_SEED) } = process.env;
const seed = wanted === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(wanted);
if (!Number.isInteger(seed))
  throw new Error(`TALLYBOOK_TEST_SEED is a whole number or "random"; got ${wanted}`);
if (seed !== FIXED_SEED) console.log(`properties are tried with TALLYBOOK_TEST_SEED=${seed}`);
fc.configureGlobal({ seed });
