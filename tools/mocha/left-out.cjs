// Loaded before the tests: whoever leaves a test out says why, `this.skip(reason)`, and the report shows it.
'use strict';
const { Context } = require('mocha');

const { skip } = Context.prototype;

Context.prototype.skip = function (reason) {
  const runnable = this.runnable();
  // A hook leaves out the test before which it runs, or all of its suite.
  const isBeforeEach = runnable.type === 'hook' && runnable.title.startsWith('"before each"');
  const what = isBeforeEach ? this.currentTest : runnable.type === 'hook' ? runnable.parent : runnable;
  what.leftOutBecause = reason;
  return skip.call(this);
};

/** Why a test was left out; `undefined` if nobody said so. */
exports.reasonOf = (test) => {
  const [, deviation] = / \(deviates: (.*)\)$/.exec(test.title) ?? [];
  if (deviation !== undefined) return deviation;
  for (let each = test; each !== undefined; each = each.parent) {
    if (each.leftOutBecause !== undefined) return each.leftOutBecause;
  }
  return undefined;
};
