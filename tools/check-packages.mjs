// Proves that what would be published works: looks at manifests and links, packs every public package, installs the tarballs with npm into an empty
// project, imports every entry point, checks that its types resolve, compiles the examples of READMEs and guides, and runs the
// command line.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkManifests } from './check-manifests.mjs';
import { readSnippets } from './read-snippets.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const project = mkdtempSync(join(tmpdir(), 'tallybook-packed-'));
const run = (program, args, cwd) =>
  execFileSync(program, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' });

try {
  const folders = readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name));
  const manifests = folders.map((folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
  const problems = checkManifests(root, folders);
  if (problems.length > 0) throw new Error(`\n${problems.join('\n')}`);
  // A package of files has nothing to import.
  const names = manifests
    .filter((manifest) => manifest.private !== true && '.' in manifest.exports)
    .map((manifest) => manifest.name);
  for (const folder of folders) {
    run('npx', ['--prefer-offline', '--yes', packageManager, 'pack', '--pack-destination', project], folder);
  }
  const tarballs = readdirSync(project).filter((file) => file.endsWith('.tgz'));
  for (const tarball of tarballs) {
    run('node', [join(root, 'node_modules/publint/src/cli.js'), '--strict', join(project, tarball)], root);
    if (!names.some((name) => tarball.startsWith(`${name.slice(1).replace('/', '-')}-`))) continue;
    run(
      'node',
      [
        join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js'),
        '--profile',
        'esm-only',
        join(project, tarball),
      ],
      root,
    );
  }

  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({ name: 'empty', private: true, type: 'module' }),
  );
  const typings = ['typescript', '@types/node', '@types/koa'].map((name) => `${name}@${versionOf(name)}`);
  run(
    'npm',
    [
      'install',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      ...tarballs.map((file) => `./${file}`),
      ...typings,
    ],
    project,
  );

  const program = names.map((name, index) => `import * as m${index} from '${name}';`).join('\n');
  const counts = names.map(
    (name, index) => `console.log('${name}:', Object.keys(m${index}).length, 'exports');`,
  );
  writeFileSync(join(project, 'index.ts'), `${program}\n${counts.join('\n')}\n`);
  const options = [
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--lib',
    'es2024,esnext.disposable',
    '--types',
    'node',
  ];
  run('npx', ['tsc', ...options, 'index.ts'], project);
  const readmes = folders.map((folder) => join(folder, 'README.md'));
  const snippets = readSnippets([...readmes, join(root, 'docs/how-to/use-the-client.md')]);
  for (const [file, code] of Object.entries(snippets)) writeFileSync(join(project, file), code);
  run('npx', ['tsc', ...options, '--noEmit', ...Object.keys(snippets)], project);
  process.stdout.write(run('node', ['index.js'], project));
  process.stdout.write(`tallybook --version: ${run('npx', ['tallybook', '--version'], project)}`);
  console.log(`${names.length} packages packed, installed and imported`);
} finally {
  rmSync(project, { recursive: true, force: true });
}

/** As it is installed here, for a package or for all of them. */
function versionOf(name) {
  const places = [root, join(root, 'packages/http-koa')].map((place) => join(place, 'node_modules', name));
  const folder = places.find((place) => existsSync(place));
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;
}
