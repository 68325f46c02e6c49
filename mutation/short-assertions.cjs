// Loaded by mocha before the tests. For the message of a failure, Node reads the source of `assert.ok(…)` again. In a source
// with all its mutants that takes minutes, and contracts that must fail do so very often.
const { strict } = require('node:assert');

const { ok } = strict;
strict.ok = (value, message = 'it is not so') => ok(value, message);
