#!/usr/bin/env node
// Starts the program that tools/bundle.mjs has made, with the code that V8 compiled at an earlier start if this Node can keep
// it (22.8 and later). It is a script, because the loader of ES modules takes 10 ms. It exists before the first build, so that
// package managers can link it.
'use strict';
const { existsSync, statSync } = require('node:fs');
const { enableCompileCache, flushCompileCache } = require('node:module');
const { join } = require('node:path');

const KEEP_AFTER_MS = 5_000;

const folder = join(__dirname, '../program');
const program = join(folder, 'command-line.js');

if (existsSync(program)) {
  enableCompileCache?.(compiledFolder());
  require(program);
  // Node also stores the code at the end, but after a power cut there is no end.
  setTimeout(() => flushCompileCache?.(), KEEP_AFTER_MS).unref();
} else {
  console.error(
    'tallybook: the program is not built yet; "npm start" or "npm run build" in the checkout builds it',
  );
  process.exitCode = 1;
}

/**
 * The folder is beside the program if this user owns that, else in the cache of this user: never where others may
 * write. A server has its own folder. It needs more code than a command, and the cache of a script is not extended
 * later.
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
  // systemd may list several folders.
  const [ofService] = CACHE_DIRECTORY.split(':');
  const cache = ofService || XDG_CACHE_HOME || (HOME && join(HOME, '.cache'));
  return cache ? join(cache, 'tallybook') : beside;
}
