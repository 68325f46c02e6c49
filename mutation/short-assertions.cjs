// Loaded by mocha before the tests: Node reads the source of `assert.ok(…)` again for the words of its failure. In a source
// with all its mutants that takes minutes, and contracts that are to fail do so all the time.
const { strict } = require('node:assert');

const { ok } = strict;
strict.ok = (value, message = 'it is not so') => ok(value, message);
