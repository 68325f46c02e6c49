// Shortens names that nobody sees: variables and parameters inside functions. The compiled code of V8 contains all
// names, and a start looks each one up. Functions and classes keep their names, because stacks, logs and messages show
// them.
import remapping from '@jridgewell/remapping';
import { transform } from 'esbuild';
import { minify } from 'rolldown/utils';

const mangle = { toplevel: false, keepNames: { function: true, class: true } };

/**
 * @param code A script.
 * @param map Its source map; `undefined` if none is needed.
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
  // The minifier does not escape other characters.
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
