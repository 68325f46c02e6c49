// Names that nobody sees become short: those of variables and parameters inside functions. What V8 compiled of a program has all names
// in it, and a start looks each one up. Functions and classes keep theirs, which stacks, logs and messages show.
import remapping from '@jridgewell/remapping';
import { transform } from 'esbuild';
import { minify } from 'rolldown/utils';

const mangle = { toplevel: false, keepNames: { function: true, class: true } };

/**
 * @param code A script.
 * @param map Its source map; `undefined` if nobody wants one.
 */
export async function shortenNames(name, { code, map }) {
  const short = await minify(name, code, {
    module: false,
    compress: false,
    mangle,
    codegen: { removeWhitespace: true },
    sourcemap: map !== undefined,
  });
  if (short.errors.length > 0) throw new Error(`${name}: ${short.errors[0].message}`);
  // It writes other characters as they are.
  const plain = await transform(withMap(short), {
    charset: 'ascii',
    minifyWhitespace: true,
    sourcefile: name,
    sourcemap: map === undefined ? false : 'external',
  });
  if (map === undefined) return { code: plain.code };
  return { code: plain.code, map: remapping([plain.map, map], () => null).toString() };
}

function withMap({ code, map }) {
  if (map === undefined || map === null) return code;
  const data = Buffer.from(JSON.stringify(map)).toString('base64');
  return `${code}\n//# sourceMappingURL=data:application/json;base64,${data}`;
}
