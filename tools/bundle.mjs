// Makes one file of the command line and what it needs, and has V8 compile it: most of a start goes into finding, reading
// and compiling many small files. It is for this checkout only; published packages stay as they are.
import { execFileSync } from 'node:child_process';
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const server = new URL('../packages/server/', import.meta.url);
const bin = fileURLToPath(new URL('bin/tallybook.js', server));
const program = new URL('program/', server);

/** What has native parts beside it, or is large and of use to few, stays where it is. The whole checkout may move. */
const outside = {
  name: 'outside',
  setup({ onResolve }) {
    onResolve({ filter: /^(?:serialport|mqtt|pcsc-mini)$/ }, ({ path, importer }) => {
      try {
        const file = createRequire(importer).resolve(path);
        return { path: relative(fileURLToPath(program), file), external: true };
      } catch {
        // It may be missing; then this is what is told when it is needed.
        return { path, external: true };
      }
    });
  },
};

/** LevelDB looks for its native part beside its own file; here it is copied beside the program. */
const leveldb = {
  name: 'leveldb',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]classic-level[\\/]binding\.js$/ }, ({ path }) => {
      const nativePart = createRequire(path)('node-gyp-build').path(dirname(path));
      return { contents: `module.exports = require(${JSON.stringify(nativePart)})` };
    });
  },
};

/** To programs on Node RxJS gives its CommonJS, of which nothing can be left out. */
const rxjs = {
  name: 'rxjs',
  setup({ onResolve }) {
    onResolve({ filter: /^rxjs$/ }, ({ path, importer }) => ({
      path: createRequire(importer)
        .resolve(path)
        .replace(/cjs(?=[\\/]index\.js$)/, 'esm'),
      sideEffects: false,
    }));
  },
};

/** Of the table of media types, which Koa brings twice: what it looks up by itself. Answers name their other types in full. */
const mediaTypes = {
  name: 'media-types',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]mime-db[\\/]db\.json$/ }, async ({ path }) => {
      const all = JSON.parse(await readFile(path, 'utf8'));
      const wanted = ['application/json', 'application/octet-stream', 'text/html', 'text/plain'];
      const missing = wanted.filter((type) => !(type in all));
      if (missing.length > 0) throw new Error(`${path} has no ${missing.join(', ')}`);
      const contents = JSON.stringify(Object.fromEntries(wanted.map((type) => [type, all[type]])));
      return { contents, loader: 'json' };
    });
  },
};

await rm(program, { recursive: true, force: true });
await build({
  // Its first line is for the shell, and has no place within a function.
  stdin: { contents: (await readFile(bin, 'utf8')).replace(/^#!.*/, ''), resolveDir: dirname(bin) },
  outfile: fileURLToPath(new URL('command-line.js', program)),
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20.20',
  minifyWhitespace: true,
  minifySyntax: true,
  banner: { js: '(function(require,url){' },
  footer: { js: '})' },
  define: { 'import.meta.url': 'url' },
  loader: { '.node': 'copy' },
  // What is imported when it is needed is required then: what V8 has kept of a script cannot import.
  supported: { 'dynamic-import': false },
  plugins: [outside, leveldb, rxjs, mediaTypes],
  logLevel: 'warning',
});
await copyFile(new URL('start-program.cjs', import.meta.url), new URL('tallybook.js', program));
// Above it is the one of a package of ES modules.
await writeFile(new URL('package.json', program), '{ "type": "commonjs" }\n');
keepCompiled();

/** Keeps what is compiled when the program says its version: nearly all that a start needs. */
function keepCompiled() {
  const [start, compiled] = ['tallybook.js', 'command-line.compiled'].map((name) =>
    JSON.stringify(fileURLToPath(new URL(name, program))),
  );
  const code = `const { keepCompiled } = require(${start}); fs.writeFileSync(${compiled}, keepCompiled())`;
  execFileSync(process.execPath, ['--eval', code, 'tallybook', '--version'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    // Without what npm has told this process: of options that it took, the program would complain.
    env: {},
  });
}
