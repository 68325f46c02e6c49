// Puts the command line and its dependencies into the few files of packages/server/program/. Otherwise most of the time of a
// start would be spent on finding, reading and compiling many small files. The checkout and the published package run the same
// program.
//
// Lazily imported packages are files of their own there, and so are the parts in `program/parts.mjs`. Packages that have native
// parts, or that are large and rarely used, stay outside, and are dependencies of the server.
import { mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { keepCompiled } from './keep-compiled.mjs';
import { splitProgram } from './program/parts.mjs';
import { shortenNames } from './program/short-names.mjs';
import { collectLicenses } from './third-party-licenses.mjs';
import { trimming } from './trimming.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const server = join(root, 'packages/server');
const program = join(server, 'program');
const manifest = JSON.parse(await readFile(join(server, 'package.json'), 'utf8'));

/**
 * Packages outside the program, each with the range that the server must require: the JavaScript of LevelDB in the
 * program fits only one native part.
 */
const outside = {
  name: 'outside',
  setup({ onResolve }) {
    onResolve({ filter: /^(?:serialport|mqtt|pcsc-mini|pg)$/ }, ({ path }) => {
      requireDependency(path);
      return { path, external: true };
    });
    onResolve({ filter: /^\.\/binding$/ }, ({ importer }) => {
      const [, folder] = /^(.*[\\/]classic-level[\\/])/.exec(importer) ?? [];
      if (folder === undefined) return undefined;
      requireDependency('classic-level', createRequire(importer)('./package.json').version);
      return { path: 'classic-level/binding.js', external: true };
    });
  },
};

function requireDependency(name, version) {
  const range = manifest.dependencies[name] ?? manifest.optionalDependencies[name];
  if (range !== undefined && (version === undefined || range === version)) return;
  throw new Error(
    `packages/server/package.json: the program needs ${name}${version ? ` ${version}, exactly` : ''}`,
  );
}

/** The entry of each lazily imported package, by its file beside the program. */
const lazyEntries = new Map();
const lazy = {
  name: 'lazy',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^[^./]/ }, async ({ kind, path, importer, resolveDir, pluginData }) => {
      if (kind !== 'dynamic-import' || path.startsWith('node:') || pluginData === 'found') return undefined;
      const found = await resolve(path, { kind, importer, resolveDir, pluginData: 'found' });
      if (found.errors.length > 0) return { errors: found.errors };
      const file = `${path.replace(/^@/, '').replaceAll(/[^\w.-]/g, '-')}.js`;
      lazyEntries.set(file, found.path);
      return { path: `./${file}`, external: true };
    });
  },
};

const common = {
  // Messages show paths from this folder, wherever the script is called.
  absWorkingDir: root,
  bundle: true,
  write: false,
  metafile: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20.20',
  minifyWhitespace: true,
  minifySyntax: true,
  // V8 needs two bytes for each character of a file with other characters.
  charset: 'ascii',
  banner: { js: 'const fileUrl=require("node:url").pathToFileURL(__filename).href;' },
  define: { 'import.meta.url': 'fileUrl' },
  // Before Node 22.8, run-kept.cjs runs the program, which can then only use `require`.
  supported: { 'dynamic-import': false },
  logLevel: 'warning',
};
const { loadsLate, sharesDomain, lateEntry } = await splitProgram(server, {
  first: './command-line.js',
  late: './http-koa.js',
});
const results = [
  await build({
    ...common,
    entryPoints: [join(server, 'dist/command-line/program.js')],
    outfile: join(program, 'command-line.js'),
    sourcemap: 'external',
    plugins: [outside, lazy, loadsLate, ...trimming],
  }),
  await build({
    ...common,
    stdin: lateEntry,
    outfile: join(program, 'http-koa.js'),
    // The whole file is loaded late, so no module inside it needs to be.
    plugins: [outside, lazy, sharesDomain, ...trimming.filter(({ name }) => name !== 'late')],
  }),
];
for (const [file, entry] of lazyEntries) {
  results.push(
    await build({
      ...common,
      entryPoints: [entry],
      outfile: join(program, file),
      plugins: [outside, sharesDomain, ...trimming],
    }),
  );
}

const files = {};
for (const { outputFiles } of results) {
  const { path, text: code } = outputFiles.find((file) => !isMap(file));
  const short = await shortenNames(basename(path), { code, map: outputFiles.find(isMap)?.text });
  // Before Node 22.8, run-kept.cjs reads it as latin1.
  const [character] = /[^\0-\x7F]/u.exec(short.code) ?? [];
  if (character !== undefined) throw new Error(`${basename(path)}: ${character} is not an ASCII character`);
  files[path] = short.code;
  // The source map is for the coverage of the program; installations do not need it.
  if (short.map !== undefined) {
    await writeFile(join(root, 'node_modules/.tallybook-command-line.js.map'), short.map);
  }
}
await writeProgram({
  ...files,
  [join(program, 'package.json')]: '{ "type": "commonjs" }\n',
  [join(program, 'THIRD-PARTY-NOTICES.txt')]: await collectLicenses(
    results.flatMap(({ metafile }) => Object.keys(metafile.inputs).map((file) => join(root, file))),
  ),
});
await keepCompiled(join(server, 'bin/tallybook.cjs'), join(program, 'command-line.js'));

function isMap({ path }) {
  return path.endsWith('.map');
}

/**
 * Writes the files so that each exists at every moment, old or new: other processes may run, pack or build the program
 * meanwhile.
 */
async function writeProgram(files) {
  await mkdir(program, { recursive: true });
  const scratch = await mkdtemp(join(root, 'node_modules/.tallybook-program-'));
  for (const [path, contents] of Object.entries(files)) {
    await writeFile(join(scratch, basename(path)), contents);
    await rename(join(scratch, basename(path)), path);
  }
  await rm(scratch, { recursive: true });
  for (const name of await readdir(program)) {
    const path = join(program, name);
    if (!(path in files) && name !== 'compiled') await rm(path, { recursive: true });
  }
}
