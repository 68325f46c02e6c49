#!/usr/bin/env node
// Starts the program, which tools/bundle.mjs puts into one file, with what V8 compiled of it at an earlier start: that saves
// a fifth of the work. A script, because the loader of ES modules takes 10 ms. It exists before the first build, so that
// package managers can link it.
'use strict';
const { existsSync, statSync } = require('node:fs');
const { enableCompileCache, flushCompileCache } = require('node:module');
const { join } = require('node:path');

const KEEP_AFTER_MS = 5_000;

const folder = join(__dirname, '../program');
const program = join(folder, 'command-line.js');

if (!existsSync(program)) {
  console.error(
    'tallybook: the program is not built yet; "npm start" or "npm run build" in the checkout builds it',
  );
  process.exitCode = 1;
} else if (enableCompileCache === undefined) {
  const { runKept } = require('./run-kept.cjs');
  runKept(program, { folder: compiledFolder(), keepAfterMs: KEEP_AFTER_MS });
} else {
  enableCompileCache(compiledFolder());
  require(program);
  // It is kept at the end as well, which a device does not see whose power is cut.
  setTimeout(() => flushCompileCache?.(), KEEP_AFTER_MS).unref();
}

/**
 * Beside the program if that belongs to this user, else where this user keeps such things: never where others may write. What a
 * server needs is kept by itself, since a command compiles little of it, and nothing is added to what is kept.
 */
function compiledFolder() {
  const [, , command, ...options] = process.argv;
  const isServer = command === 'serve' && !options.some((option) => option === '--help' || option === '-h');
  return join(compiledPlace(), isServer ? 'serve' : 'commands');
}

function compiledPlace() {
  const beside = join(folder, 'compiled');
  if (statSync(folder).uid === process.getuid?.()) return beside;
  const { CACHE_DIRECTORY = '', XDG_CACHE_HOME, HOME } = process.env;
  // systemd may give several.
  const [ofService] = CACHE_DIRECTORY.split(':');
  const cache = ofService || XDG_CACHE_HOME || (HOME && join(HOME, '.cache'));
  return cache ? join(cache, 'tallybook') : beside;
}
