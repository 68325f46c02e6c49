// Proves that the packages work after publishing. It checks manifests and links, packs every public package, and installs the
// tarballs with npm into an empty project. There it imports every entry point, checks that the types resolve, compiles the
// examples of READMEs and guides, also with other compilers, and runs the command line. It compares the sizes with docs/reference/packages.md; with --write,
// it writes the sizes there.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findUnsupported, triedCompilers } from './compilers.mjs';
import { checkManifests } from './manifests.mjs';
import {
  entrancesOf,
  installPacked,
  isLibrary,
  packAll,
  publicFolders,
  readManifest,
  root,
  run,
} from './packing.mjs';
import { findWrongFiles } from './published-files.mjs';
import { serveOnce } from './serve-once.mjs';
import { compareSizes, measureSizes, writeSizes } from './sizes.mjs';
import { readSnippets } from './snippets.mjs';
import { findWrongTypes } from './types.mjs';

const COMPILER = [
  ...['--strict', '--module', 'nodenext', '--target', 'es2023'],
  ...['--lib', 'es2024,esnext.disposable', '--types', 'node'],
];

const scratch = mkdtempSync(join(tmpdir(), 'tallybook-packed-'));
try {
  await check();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function check() {
  const folders = publicFolders();
  failIfAny(checkManifests(root, folders));
  const packed = join(scratch, 'tarballs');
  mkdirSync(packed);
  const tarballs = packAll(packed);
  const libraries = folders.filter(isLibrary).map((folder) => readManifest(folder).name);
  for (const [name, tarball] of tarballs) {
    failIfAny(await findWrongFiles(name, tarball));
    if (libraries.includes(name)) failIfAny(await findWrongTypes(name, tarball));
  }

  const project = join(scratch, 'project');
  const names = [...tarballs.keys()];
  // Installed together with the compiler of the examples: a second installation would take npm as long again. The sizes of our
  // packages are measured without it. `npm run check:unused` checks that our packages import only declared dependencies.
  const others = ['typescript', '@types/node', '@types/koa'].map((name) => `${name}@${versionOf(name)}`);
  installPacked(project, { tarballs, names, others });
  const sizes = measureSizes(tarballs, project);
  await runProgram(project, names);
  const entrances = folders
    .filter(isLibrary)
    .flatMap((folder) => entrancesOf(folder).map((entrance) => join(readManifest(folder).name, entrance)));
  compile(project, entrances, folders);
  failIfAny(findUnsupported(project, 'index.ts'));
  console.log(`${names.length} packages packed, installed and imported`);
  console.log(`their types are accepted by TypeScript ${triedCompilers().join(', ')}`);

  if (process.argv.includes('--write')) await writeSizes(sizes);
  else failIfAny(compareSizes(sizes));
}

async function runProgram(project, names) {
  const program = join(project, 'node_modules/.bin/tallybook');
  console.log(`tallybook --version: ${run(program, ['--version'], project).trim()}`);
  await serveOnce(program, join(project, 'store'), names.includes('@tallybook/web') ? ['/'] : []);
}

/** Compiles a program that imports all entrances of all libraries, and the examples of the READMEs. Then runs that program. */
function compile(project, names, folders) {
  const program = names.map((name, index) => `import * as m${index} from '${name}';`).join('\n');
  const counts = names.map(
    (name, index) => `console.log('${name}:', Object.keys(m${index}).length, 'exports');`,
  );
  writeFileSync(join(project, 'index.ts'), `${program}\n${counts.join('\n')}\n`);
  const readmes = folders.map((folder) => join(folder, 'README.md'));
  const snippets = readSnippets([...readmes, join(root, 'docs/how-to/use-the-client.md')]);
  for (const [file, code] of Object.entries(snippets)) writeFileSync(join(project, file), code);
  // Compiled together: most of the time goes into reading and checking the types of their imports.
  const compiler = join(project, 'node_modules/.bin/tsc');
  run(compiler, [...COMPILER, 'index.ts', ...Object.keys(snippets)], project);
  process.stdout.write(run('node', ['index.js'], project));
}

function failIfAny(problems) {
  if (problems.length > 0) throw new Error(`\n${problems.join('\n')}`);
}

/** The version of an installed package, here or in the workspace of a package. */
function versionOf(name) {
  const places = [root, join(root, 'packages/http-koa')].map((place) => join(place, 'node_modules', name));
  return readManifest(places.find((place) => existsSync(place))).version;
}
