// For Node before 22.8, which keeps nothing of what it has compiled: runs a script with what V8 compiled of it at an earlier
// start. If that is missing or damaged, or of another Node, the script is compiled anew, and what comes of it is kept.
'use strict';
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { createRequire, wrap } = require('node:module');
const { dirname, join } = require('node:path');
const { Script } = require('node:vm');
const { crc32 } = require('node:zlib');

/**
 * @param filename A script of ASCII characters.
 * @param folder Where what was compiled is kept. If that is not possible, each start compiles anew.
 * @param keepAfterMs How long after the start it is kept; at the end of the process if that is earlier.
 */
exports.runKept = (filename, { folder, keepAfterMs }) => {
  const file = join(folder, 'command-line.compiled');
  // In a function, so that the bytes that are read are let go.
  const script = load(filename, file);
  if (script.cachedDataRejected !== false) keepLater(script, { filename, file, keepAfterMs });
  const module_ = { exports: {} };
  const run = script.runInThisContext();
  run(module_.exports, createRequire(filename), module_, filename, dirname(filename));
};

function load(filename, file) {
  const code = readFileSync(filename);
  return new Script(wrap(code.toString('latin1')), { filename, cachedData: readCompiled(file, code) });
}

/** V8 looks at the first bytes only, and a process that runs damaged ones does not live to tell. */
function readCompiled(file, code) {
  try {
    const kept = readFileSync(file);
    const compiled = kept.subarray(4);
    return kept.subarray(0, 4).equals(checksumOf(code, compiled)) ? compiled : undefined;
  } catch {
    return undefined;
  }
}

/** Not at once: by then V8 has compiled what a start needs. */
function keepLater(script, { filename, file, keepAfterMs }) {
  const keep = () => {
    clearTimeout(timer);
    process.off('exit', keep);
    const compiled = script.createCachedData();
    const scratch = `${file}.${process.pid}`;
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(scratch, Buffer.concat([checksumOf(readFileSync(filename), compiled), compiled]), {
        mode: 0o600,
      });
      renameSync(scratch, file);
    } catch {
      // A folder that is read-only is no fault.
    }
  };
  const timer = setTimeout(keep, keepAfterMs).unref();
  process.once('exit', keep);
}

function checksumOf(code, compiled) {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(compiled, crc32(code)));
  return checksum;
}
