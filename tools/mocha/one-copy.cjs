// Loaded before the tests, which mocha and tsx run as CommonJS. There, `import()` would load our code a second time, as ES
// modules with their own classes and coverage counters. So `import()` of our own code becomes `require`, which still loads it
// only when it is needed.
'use strict';
const Module = require('node:module');

const IS_OURS = /\/(?:packages|examples|reliability|tools)\/(?!.*\/node_modules\/).*\.ts$/;
const OWN_IMPORT = /\bimport\((["'](?:@tallybook\/|\.{1,2}\/)[^"'?]+["'])\)/g;

const { _compile } = Module.prototype;
Module.prototype._compile = function (code, filename, ...others) {
  const once = IS_OURS.test(filename)
    ? code.replace(OWN_IMPORT, 'Promise.resolve().then(() => require($1))')
    : code;
  return _compile.call(this, once, filename, ...others);
};
