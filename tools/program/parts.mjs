// The program is several files. What serves HTTP is in one of its own, which is loaded while LevelDB opens the files of the store on
// another thread: until then this one would have nothing to do, and a start waits for what is loaded before.
import { createRequire } from 'node:module';
import { lateModule } from '../trimming.mjs';

const LATE = '@tallybook/http-koa';
/** Of no use to the server, and large. */
const UNUSED = ['openApiDocument'];
/** There must be one copy of it only: `instanceof` compares its classes. */
const SHARED = '@tallybook/domain';

/**
 * @param folder Where packages are found from.
 * @param first The file of the program that is run first, which exports `domain`.
 * @param late The file that it loads late.
 */
export async function splitProgram(folder, { first, late }) {
  const { resolve } = createRequire(`${folder}/package.json`);
  const exportsOf = async (name) => Object.keys(await import(resolve(name)));
  const names = (await exportsOf(LATE)).filter((name) => !UNUSED.includes(name));
  return {
    /** A plugin of esbuild for the first file. */
    loadsLate: inPlaceOf(LATE, late, lateModule(late, names)),
    /** A plugin of esbuild for each other file. */
    sharesDomain: inPlaceOf(
      SHARED,
      first,
      `import { domain } from '${first}'; export const { ${(await exportsOf(SHARED)).join(', ')} } = domain;`,
    ),
    /** What the late file is made of. */
    lateEntry: {
      contents: `export { ${names.join(', ')} } from '${LATE}';`,
      resolveDir: folder,
      sourcefile: 'packages/server/late.js',
    },
  };
}

/** Puts something in the place of a package that takes it from another file of the program. */
function inPlaceOf(name, file, contents) {
  const exactly = (text) => new RegExp(`^${text.replaceAll('.', '\\.')}$`);
  return {
    name: `in place of ${name}`,
    setup({ onResolve, onLoad }) {
      onResolve({ filter: exactly(name) }, ({ path }) => ({ path, namespace: name }));
      onResolve({ filter: exactly(file), namespace: name }, ({ path }) => ({ path, external: true }));
      onLoad({ filter: /./, namespace: name }, () => ({ contents }));
    },
  };
}
