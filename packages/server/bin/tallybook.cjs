// The program: runs the one file that bundle.mjs has made of it, with what V8 compiled of that then. If that is missing or
// damaged, or V8 does not take it because Node is another one, it is compiled anew. A script as well, so that a start does
// without the loader of ES modules.
'use strict';
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { Script } = require('node:vm');
const { crc32 } = require('node:zlib');

const filename = join(__dirname, 'command-line.js');
const script = load();
script.runInThisContext()(require, pathToFileURL(__filename).href);

/** For the tests: whether nothing that was compiled before could be taken. */
exports.isCompiledAnew = script.cachedDataRejected !== false;

/** For bundle.mjs: what V8 has compiled by now, after a checksum of it and of the code. */
exports.keepCompiled = () => {
  const compiled = script.createCachedData();
  return Buffer.concat([checksumOf(readFileSync(filename), compiled), compiled]);
};

/** The bytes that are read are let go when it returns. */
function load() {
  const code = readFileSync(filename);
  return new Script(code.toString('latin1'), { filename, cachedData: readCompiled(code) });
}

/** V8 looks at the first bytes only, and a process that runs damaged ones does not live to tell. */
function readCompiled(code) {
  try {
    const kept = readFileSync(join(__dirname, 'command-line.compiled'));
    const compiled = kept.subarray(4);
    return kept.subarray(0, 4).equals(checksumOf(code, compiled)) ? compiled : undefined;
  } catch {
    return undefined;
  }
}

function checksumOf(code, compiled) {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(compiled, crc32(code)));
  return checksum;
}
