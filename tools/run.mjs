// The commands `npm start`, `npm run build`, `npm test`, `npm run test:all`, `npm run reliability` and `npm run uml`. All of them begin with `prepare`. It
// needs only Node and npm: first it installs and builds missing parts. The server then runs in this process, so that
// signals reach it; the other commands run as child processes.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describeEnd, FailedProgram, Preparation } from './preparing.mjs';
import { parseTestArguments } from './test-files.mjs';
import { allTests, CHECKS, properties, quickTests, runInLanes } from './test-lanes.mjs';

const root = new URL('../', import.meta.url);
const [command, ...args] = process.argv.slice(2);

requireNode(20, 20);
await prepare();

if (command === 'start') {
  const isCommand = args.length > 0 && !args[0].startsWith('-');
  process.argv.splice(2, Infinity, ...(isCommand ? args : ['serve', ...args]));
  await import(new URL('packages/server/bin/tallybook.cjs', root).href);
} else if (command === 'reliability') {
  run('node', ['--import=tsx', '--conditions=@tallybook/source', 'reliability/run.ts', ...args]);
} else if (command === 'uml') {
  run('node', ['uml/run.mjs', ...args]);
} else if (command === 'test' || command === 'test:all') {
  await runTests(args, { isAll: command === 'test:all' });
}

/** Runs the named tests; otherwise the quick tests or all tests, with types and import rules. */
async function runTests(words, { isAll }) {
  const { files, options } = parseTestArguments(words);
  const mocha = ['node', 'node_modules/mocha/bin/mocha.js', ...options];
  if (files.length > 0) return run(mocha[0], [...mocha.slice(1), ...files]);
  // Running steps are ended at the exit.
  process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143));
  const parts = isAll ? allTests(mocha) : quickTests(mocha);
  process.exitCode = (await runInLanes(parts, [...CHECKS, ...(isAll ? [properties(mocha)] : [])])) ? 0 : 1;
}

async function prepare() {
  const preparation = new Preparation(fileURLToPath(root));
  try {
    await installIfStale(preparation);
    await buildIfStale(preparation);
    preparation.finish();
  } catch (error) {
    if (!(error instanceof FailedProgram)) throw error;
    process.exit(error.code);
  }
}

/** Installs if the lockfile or a package.json has changed since the last installation. */
async function installIfStale(preparation) {
  const { packageManager } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
  const hash = createHash('sha256').update(process.versions.modules);
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json', ...packageFiles()]) {
    hash.update(file).update(readFileSync(new URL(file, root)));
  }
  // Without --prefer-offline, npx asks the registry every time, and waits a minute if there is no network.
  const npx = ['--prefer-offline', '--yes', packageManager];
  const args = [...npx, 'install', '--frozen-lockfile', '--config.confirmModulesPurge=false'];
  await unlessStamped('installed', hash, () =>
    preparation.run('Installing the packages that Tallybook needs', 'npx', args),
  );
}

/**
 * Compiles and bundles if a source has changed since the last build. The check is done here, because even without
 * changes the compiler takes a second.
 */
async function buildIfStale(preparation) {
  const hash = createHash('sha256');
  const files = sourceFolders().flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true }).map((file) => `${folder}/${file}`),
  );
  for (const file of [...files, ...configFiles()]) {
    const { mtimeMs, size } = statSync(new URL(file, root));
    hash.update(`${file} ${mtimeMs} ${size}\n`);
  }
  const results = [
    ...sourceFolders().map((folder) => `${folder}/../dist`),
    'packages/web/dist/files.json',
    'packages/server/program/command-line.js',
    'node_modules/.tallybook-program-maps.json',
  ];
  const isBuilt = results.every((folder) => existsSync(new URL(folder, root)));
  const build = async () => {
    await preparation.compile('Compiling');
    await preparation.run('Building the page', 'node', ['packages/web/build/build.mjs']);
    await preparation.run('Putting the program into one file', 'node', ['tools/bundle.mjs']);
  };
  // If a result was removed, it is built again.
  await unlessStamped('built', hash, build, isBuilt && command !== 'build');
}

/** Does the work, unless it was done for the same fingerprint before. */
async function unlessStamped(name, hash, work, isThere = true) {
  const stamp = new URL(`node_modules/.tallybook-${name}`, root);
  const fingerprint = hash.digest('hex');
  if (isThere && existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint) return;
  await work();
  writeFileSync(stamp, fingerprint);
}

function sourceFolders() {
  return packageFiles().map((file) => file.replace(/package\.json$/, 'src'));
}

function configFiles() {
  const all = [
    'tsconfig.json',
    'tsconfig.base.json',
    ...packageFiles().map((file) => file.replace(/package\.json$/, 'tsconfig.json')),
  ];
  return [
    ...all,
    'packages/server/package.json',
    'packages/web/index.html',
    'packages/web/public/icon.svg',
    'packages/web/vite.config.mjs',
    'packages/web/build/build.mjs',
    'packages/web/build/describe-files.mjs',
    'tools/bundle.mjs',
    'tools/media-types.json',
    'tools/third-party-licenses.mjs',
    'pnpm-lock.yaml',
  ];
}

function packageFiles() {
  return ['packages', 'examples'].flatMap((folder) =>
    readdirSync(new URL(folder, root), { withFileTypes: true })
      .map((entry) => `${folder}/${entry.name}/package.json`)
      .filter((file) => existsSync(new URL(file, root))),
  );
}

function run(program, programArgs) {
  const { status, signal, error } = spawnSync(program, programArgs, {
    cwd: fileURLToPath(root),
    stdio: 'inherit',
  });
  if (error) console.error(`${program} could not be started: ${error.message}`);
  else if (signal) console.error(describeEnd(program, signal));
  if (status !== 0) process.exit(status ?? 1);
}

function requireNode(major, minor) {
  const [actualMajor, actualMinor] = process.versions.node.split('.').map(Number);
  if (actualMajor > major || (actualMajor === major && actualMinor >= minor)) return;
  console.error(`Tallybook needs Node ${major}.${minor} or newer; this is ${process.versions.node}`);
  process.exit(1);
}
