// Loaded before the tests. Code that leaves out a test gives the reason, `this.skip(reason)`, and the report shows it.
'use strict';
const { Context } = require('mocha');

const { skip } = Context.prototype;

Context.prototype.skip = function (reason) {
  const runnable = this.runnable();
  // A hook leaves out the test before which it runs, or its whole suite.
  const isBeforeEach = runnable.type === 'hook' && runnable.title.startsWith('"before each"');
  const what = isBeforeEach ? this.currentTest : runnable.type === 'hook' ? runnable.parent : runnable;
  what.leftOutBecause = reason;
  return skip.call(this);
};

/** The reason why a test was left out; `undefined` if none was given. */
exports.reasonOf = (test) => {
  const [, deviation] = / \(deviates: (.*)\)$/.exec(test.title) ?? [];
  if (deviation !== undefined) return deviation;
  for (let each = test; each !== undefined; each = each.parent) {
    if (each.leftOutBecause !== undefined) return each.leftOutBecause;
  }
  return undefined;
};
