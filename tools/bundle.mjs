// Puts the command line and its dependencies into the few files of packages/server/program/. Otherwise most of the time of a
// start would be spent on finding, reading and compiling many small files. The checkout and the published package run the same
// program. A lazily imported package is a file of its own there.
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { collectLicenses } from './third-party-licenses.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const server = join(root, 'packages/server');
const program = join(server, 'program');
/** Packages with native parts: they are dependencies of the server. */
const OUTSIDE = ['@serialport/bindings-cpp', 'pcsc-mini'];
/** What the program never uses: each package, and what is in its place. */
const ALIASES = {
  // On Node, RxJS gives programs its CommonJS code, and no part of that can be left out.
  rxjs: createRequire(join(root, 'packages/readers/package.json'))
    .resolve('rxjs')
    .replace(/cjs(?=[\\/]index\.js$)/, 'esm'),
  // Koa looks up only these types itself, and brings the table of all types twice.
  'mime-db': join(root, 'tools/media-types.json'),
  // The reader of forms in koa-body.
  formidable: false,
  // The tables of charsets: bodies are bytes or UTF-8.
  './dbcs-data': false,
  './sbcs-data-generated': false,
  // Attestations by the makers of devices are not requested. If one comes nevertheless, it is refused.
  '@peculiar/x509': false,
};

/** The native part of LevelDB stays outside. Its JavaScript is in the program, which saves a tenth of a start. */
const nativePart = {
  name: 'native part',
  resolveId: {
    filter: { id: /^\.\/binding$/ },
    handler: (_id, importer) =>
      /[\\/]classic-level[\\/][^\\/]+$/.test(importer)
        ? { id: 'classic-level/binding.js', external: true }
        : undefined,
  },
};

const { output } = await build({
  cwd: root,
  input: { 'command-line': join(server, 'src/command-line/program.ts') },
  platform: 'node',
  external: OUTSIDE,
  resolve: { alias: ALIASES, conditionNames: ['@tallybook/source', 'node', 'default'] },
  transform: { target: 'node20.20' },
  plugins: [nativePart],
  // A library evaluates a constant text.
  checks: { eval: false },
  write: false,
  output: {
    dir: program,
    format: 'cjs',
    entryFileNames: '[name].js',
    chunkFileNames: fileNameOf,
    codeSplitting: { groups: [{ name: 'command-line', tags: ['$initial'] }] },
    minifyInternalExports: false,
    sourcemap: 'hidden',
    minify: {
      // Functions and classes keep their names, because stacks, logs and messages show them.
      mangle: { toplevel: false, keepNames: { function: true, class: true } },
      // V8 needs two bytes for each character of a file with other characters.
      codegen: { removeWhitespace: true, asciiOnly: true },
    },
  },
});
const chunks = output.filter(({ type }) => type === 'chunk');
const modules = chunks.flatMap(({ moduleIds }) => moduleIds);
await requireDependencies();
// The source maps are for the coverage of the program; installations do not need them.
const maps = Object.fromEntries(
  chunks.map(({ fileName, map }) => [fileName, map && JSON.parse(map.toString())]),
);
await writeFile(join(root, 'node_modules/.tallybook-program-maps.json'), JSON.stringify(maps));
await writeProgram({
  ...Object.fromEntries(chunks.map(({ fileName, code }) => [fileName, code])),
  'package.json': '{ "type": "commonjs" }\n',
  'THIRD-PARTY-NOTICES.txt': await collectLicenses(modules),
});

/** The name of a lazily imported file: that of its package, or of its only module. */
function fileNameOf({ name, moduleIds }) {
  const [, folder] =
    /.*[\\/]node_modules[\\/]@?((?<=@).+?[\\/].+?|.+?)[\\/]/.exec(moduleIds.at(-1)) ??
    /[\\/]packages[\\/](.+?)[\\/]src[\\/]index\.ts$/.exec(moduleIds.at(-1)) ??
    [];
  return `${folder?.replace(/[\\/]/, '-') ?? name}.js`;
}

/** The server must require all packages outside, and exactly the LevelDB whose JavaScript is in the program. */
async function requireDependencies() {
  const { dependencies, optionalDependencies } = await readJson(join(server, 'package.json'));
  const required = { ...dependencies, ...optionalDependencies };
  const level = modules.find((module) => /[\\/]classic-level[\\/]index\.js$/.test(module));
  const { version } = await readJson(createRequire(level).resolve('./package.json'));
  const missing = OUTSIDE.filter((name) => required[name] === undefined);
  if (required['classic-level'] !== version) missing.push(`classic-level ${version}, exactly`);
  if (missing.length > 0)
    throw new Error(`packages/server/package.json: the program needs ${missing.join(', ')}`);
}

async function readJson(file) {
  return JSON.parse(await readFile(file, 'utf8'));
}

/**
 * Writes the files so that each exists at every moment, old or new: other processes may run, pack or build the program
 * meanwhile.
 */
async function writeProgram(files) {
  await mkdir(program, { recursive: true });
  const scratch = await mkdtemp(join(root, 'node_modules/.tallybook-program-'));
  for (const [name, contents] of Object.entries(files)) {
    await writeFile(join(scratch, name), contents);
    await rename(join(scratch, name), join(program, name));
  }
  await rm(scratch, { recursive: true });
  for (const name of await readdir(program)) {
    if (!(name in files) && name !== 'compiled') await rm(join(program, name), { recursive: true });
  }
}
