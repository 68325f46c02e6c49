// The program: runs the one file that bundle.mjs has made of it, with what V8 compiled of that then. If V8 does not take
// that, because Node is another one or the file is missing, it compiles anew.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

const { url } = import.meta;
const code = fileURLToPath(new URL('command-line.js', url));

/** For bundle.mjs, which asks it what V8 has compiled. */
export const script = new Script(readFileSync(code, 'latin1'), {
  filename: code,
  cachedData: readCompiled(),
});
script.runInThisContext()(createRequire(url), url);

function readCompiled() {
  try {
    return readFileSync(new URL('command-line.compiled', url));
  } catch {
    return undefined;
  }
}
