// The program: runs the one file that bundle.mjs has made of it, with what V8 compiled of that then. If that is missing or
// damaged, or V8 does not take it because Node is another one, it is compiled anew.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

const { url } = import.meta;
const filename = fileURLToPath(new URL('command-line.js', url));
const code = readFileSync(filename);

const script = new Script(code.toString('latin1'), { filename, cachedData: readCompiled() });
script.runInThisContext()(createRequire(url), url);

/** For the tests: whether it runs what was compiled before. */
export const isCompiledAnew = script.cachedDataRejected !== false;

/** For bundle.mjs: what V8 has compiled by now, after a checksum of it and of the code. */
export function keepCompiled() {
  const compiled = script.createCachedData();
  return Buffer.concat([checksumOf(compiled), compiled]);
}

/** V8 looks at the first bytes only, and a process that runs damaged ones does not live to tell. */
function readCompiled() {
  try {
    const kept = readFileSync(new URL('command-line.compiled', url));
    const compiled = kept.subarray(4);
    return kept.subarray(0, 4).equals(checksumOf(compiled)) ? compiled : undefined;
  } catch {
    return undefined;
  }
}

function checksumOf(compiled) {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(compiled, crc32(code)));
  return checksum;
}
