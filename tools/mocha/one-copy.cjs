// Loaded before the tests, which mocha and tsx run as CommonJS: there `import()` would load what it names a second time, as ES
// modules, with classes and counters of coverage of their own. So our own code is required instead, when its turn comes.
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
