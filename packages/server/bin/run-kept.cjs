// For Node before 22.8, which keeps nothing of what it has compiled: runs a script with what V8 compiled of it at an earlier
// start. If that is missing or damaged, or of another Node, the script is compiled anew, and what comes of it is kept.
'use strict';
const { closeSync, fstatSync, mkdirSync, openSync, readSync, renameSync, writeFileSync } = require('node:fs');
const { createRequire, wrapper } = require('node:module');
const { basename, dirname, join } = require('node:path');
const { Script } = require('node:vm');
const { crc32 } = require('node:zlib');

/**
 * @param filename A script of ASCII characters. It may require others that lie beside it, which are run in the same way.
 * @param folder Where what was compiled is kept, of each script by itself. If that is not possible, each start compiles anew.
 * @param keepAfterMs How long after a script has begun it is kept; at the end of the process if that is earlier.
 */
exports.runKept = (filename, keeping) => new Program(keeping).require(filename);

class Program {
  #keeping;
  /** By their files, as soon as they begin: a script may require one that required it. */
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
      // The next one who requires it hears why, too.
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
  // Later the file may be that of an update.
  const checksum = crc32(code.bytes.subarray(before.length, -after.length));
  const compiled = readCompiled(file, checksum);
  try {
    // Of bytes in one piece V8 makes a text outside its heap.
    const options = { filename, cachedData: compiled?.bytes.subarray(4) };
    return { script: new Script(code.bytes.toString('latin1'), options), checksum };
  } finally {
    code.letGo();
    compiled?.letGo();
  }
}

/** V8 looks at the first bytes only, and a process that runs damaged ones does not live to tell. */
function readCompiled(file, checksum) {
  try {
    const kept = new FileBytes(file);
    if (kept.bytes.subarray(0, 4).equals(checksumWith(checksum, kept.bytes.subarray(4)))) return kept;
    kept.letGo();
  } catch {
    // It is compiled anew.
  }
  return undefined;
}

/** What is in a file. Its memory can be let go at once: the next collection of a process that has little to do may be hours away. */
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

/** Not at once: by then V8 has compiled what a start needs. */
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
      // A folder that is read-only is no fault.
    }
  };
  // What failed has not come far.
  const keepAtEnd = (exitCode) => exitCode === 0 && keep();
  const timer = setTimeout(keep, keepAfterMs).unref();
  process.once('exit', keepAtEnd);
}

/** The checksum of a program, and of what was compiled of it, together. */
function checksumWith(checksum, compiled) {
  const both = Buffer.alloc(4);
  both.writeUInt32BE(crc32(compiled, checksum));
  return both;
}
