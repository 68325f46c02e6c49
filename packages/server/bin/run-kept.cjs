// For Node before 22.8, which has no cache of compiled code: runs a script with the code that V8 compiled at an earlier
// start. If that code is missing, damaged or of another Node, the script is compiled again, and the new code is stored.
'use strict';
const { closeSync, fstatSync, mkdirSync, openSync, readSync, renameSync, writeFileSync } = require('node:fs');
const { createRequire, wrapper } = require('node:module');
const { basename, dirname, join } = require('node:path');
const { Script } = require('node:vm');
const { crc32 } = require('node:zlib');

/**
 * @param filename A script of ASCII characters. It may require scripts beside it, which are run in the same way.
 * @param folder Folder for the compiled code, one file for each script. If it cannot be used, each start compiles
 * again.
 * @param keepAfterMs Milliseconds from the start of a script until its compiled code is stored; at the end of the
 * process if that is earlier.
 */
exports.runKept = (filename, keeping) => new Program(keeping).require(filename);

class Program {
  #keeping;
  /** Modules by file, added before their scripts run: scripts may require each other. */
  #modules = new Map();

  constructor(keeping) {
    this.#keeping = keeping;
  }

  require(filename) {
    const known = this.#modules.get(filename);
    if (known !== undefined) return known.exports;
    const begun = { exports: {} };
    this.#modules.set(filename, begun);
    try {
      this.#run(filename, begun);
      return begun.exports;
    } catch (error) {
      // The next `require` of it runs it again, and throws the same error.
      this.#modules.delete(filename);
      throw error;
    }
  }

  #run(filename, begun) {
    const { folder, keepAfterMs } = this.#keeping;
    const file = join(folder, `${basename(filename, '.js')}.compiled`);
    const { script, checksum } = load(filename, file);
    if (script.cachedDataRejected !== false) keepLater(script, { checksum, file, keepAfterMs });
    const place = dirname(filename);
    const requireOther = createRequire(filename);
    const requireAny = (id) => (id.startsWith('./') ? this.require(join(place, id)) : requireOther(id));
    Object.assign(requireAny, requireOther);
    script.runInThisContext()(begun.exports, requireAny, begun, filename, place);
  }
}

function load(filename, file) {
  const [before, after] = wrapper.map((text) => Buffer.from(text));
  const code = new FileBytes(filename, { before, after });
  // Calculated now: an update may replace the file later.
  const checksum = crc32(code.bytes.subarray(before.length, -after.length));
  const compiled = readCompiled(file, checksum);
  try {
    // From bytes in one piece, V8 makes a text outside its heap.
    const options = { filename, cachedData: compiled?.bytes.subarray(4) };
    return { script: new Script(code.bytes.toString('latin1'), options), checksum };
  } finally {
    code.letGo();
    compiled?.letGo();
  }
}

/**
 * The compiled code, if its checksum is right. V8 checks only the first bytes, and damaged code crashes the process.
 */
function readCompiled(file, checksum) {
  try {
    const kept = new FileBytes(file);
    if (kept.bytes.subarray(0, 4).equals(checksumWith(checksum, kept.bytes.subarray(4)))) return kept;
    kept.letGo();
  } catch {
    // The script is compiled again.
  }
  return undefined;
}

/** Content of a file. Its memory can be freed at once: in an idle process, garbage collection may come hours later. */
class FileBytes {
  #room;

  constructor(path, { before = Buffer.alloc(0), after = Buffer.alloc(0) } = {}) {
    const file = openSync(path);
    try {
      const { size } = fstatSync(file);
      const all = before.length + size + after.length;
      this.#room = new ArrayBuffer(all, { maxByteLength: all });
      this.bytes = Buffer.from(this.#room, 0, all);
      before.copy(this.bytes);
      after.copy(this.bytes, before.length + size);
      readSync(file, this.bytes, before.length, size, 0);
    } finally {
      closeSync(file);
    }
  }

  letGo() {
    this.#room.resize(0);
  }
}

/** Stores the compiled code later: by then V8 has compiled all code that a start needs. */
function keepLater(script, { checksum, file, keepAfterMs }) {
  const keep = () => {
    clearTimeout(timer);
    process.off('exit', keepAtEnd);
    const compiled = script.createCachedData();
    const scratch = `${file}.${process.pid}`;
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(scratch, Buffer.concat([checksumWith(checksum, compiled), compiled]), { mode: 0o600 });
      renameSync(scratch, file);
    } catch {
      // A read-only folder is no fault.
    }
  };
  // A failed run has compiled too little.
  const keepAtEnd = (exitCode) => exitCode === 0 && keep();
  const timer = setTimeout(keep, keepAfterMs).unref();
  process.once('exit', keepAtEnd);
}

/** The common checksum of a script and its compiled code. */
function checksumWith(checksum, compiled) {
  const both = Buffer.alloc(4);
  both.writeUInt32BE(crc32(compiled, checksum));
  return both;
}
