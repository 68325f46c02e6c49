// Splits the program into several files. The code that serves HTTP is in its own file. That file is loaded while
// LevelDB opens the store on another thread, when this thread would otherwise be idle. Code that is loaded earlier
// delays the start.
import { createRequire } from 'node:module';
import { lateModule } from '../trimming.mjs';

const LATE = '@tallybook/http-koa';
/** Exports that are large, and that the server does not use. */
const UNUSED = ['openApiDocument'];
/** There must be only one copy of this package: `instanceof` compares its classes. */
const SHARED = '@tallybook/domain';
/** Its other entrances. */
const ENTRANCES = ['record', 'access', 'personal', 'sync'];

/**
 * @param folder Folder from which packages are resolved.
 * @param first The first file of the program, which exports `domain` and its other entrances by their names.
 * @param late The file that the first one loads late.
 */
export async function splitProgram(folder, { first, late }) {
  const { resolve } = createRequire(`${folder}/package.json`);
  const exportsOf = async (name) => Object.keys(await import(resolve(name)));
  const names = (await exportsOf(LATE)).filter((name) => !UNUSED.includes(name));
  const shared = await Promise.all(
    ['', ...ENTRANCES].map(async (entrance) => {
      const path = entrance === '' ? SHARED : `${SHARED}/${entrance}`;
      const from = entrance === '' ? 'domain' : entrance;
      const exported = (await exportsOf(path)).join(', ');
      return [path, `import { ${from} } from '${first}'; export const { ${exported} } = ${from};`];
    }),
  );
  return {
    /** A plugin of esbuild for the first file. */
    loadsLate: inPlaceOf(LATE, late, lateModule(late, names)),
    /** A plugin of esbuild for each other file. */
    sharesDomain: {
      name: `in place of ${SHARED}`,
      setup(build) {
        for (const [path, contents] of shared) inPlaceOf(path, first, contents).setup(build);
      },
    },
    /** The entry of the late file. */
    lateEntry: {
      contents: `export { ${names.join(', ')} } from '${LATE}';`,
      resolveDir: folder,
      sourcefile: 'packages/server/late.js',
    },
  };
}

/** Replaces a package by code that takes its exports from another file of the program. */
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
