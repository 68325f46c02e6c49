// `npm run release:test` installs what `npm run release` makes in fresh roots of Debian, and uses it there as people do.
//
//   npm run release:test                                      all roots
//   npm run release:test -- --root bookworm-amd64             this one
//   npm run release:test -- --release FOLDER                  what was made before
//   npm run release:test -- --optional                        where a root cannot be had, says why and succeeds
//
// It needs root, mmdebstrap, and for arm64 qemu-user-static. Roots have a network of their own, without a way out.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../packages/packing.mjs';
import { makeBareRoot, makeDeviceRoot } from './debian-root.mjs';
import { NoRoot } from './no-root.mjs';

/** Each root: what is made of it, and what is tried there. */
const ROOTS = {
  ...Object.fromEntries(
    ['bookworm-amd64', 'trixie-amd64', 'bookworm-arm64', 'trixie-arm64'].map((name) => [
      name,
      { make: makeDeviceRoot, test: 'debian-package' },
    ]),
  ),
  'bare-bookworm-amd64': { make: makeBareRoot, test: 'archive' },
  'bare-bookworm-arm64': { make: makeBareRoot, test: 'archive' },
};
const CPUS = { amd64: 'x64', arm64: 'arm64' };
const OWN_NAMESPACES = ['--mount', '--net', '--pid', '--fork', '--kill-child', '--mount-proc'];
/** The first process of a namespace has to wait for processes that lost their parents; a shell does. */
const SHELL = ['sh', '-c', '"$@"; exit $?', 'sh'];

const { values } = parseArgs({
  options: {
    root: { type: 'string', multiple: true, default: Object.keys(ROOTS) },
    release: { type: 'string' },
    optional: { type: 'boolean', default: false },
  },
});
const unknown = values.root.find((name) => ROOTS[name] === undefined);
if (unknown !== undefined) {
  console.error(`A root is one of ${Object.keys(ROOTS).join(', ')}; got ${unknown}`);
  process.exit(2);
}

const scratch = mkdtempSync(join(tmpdir(), 'tallybook-roots-'));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));
process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143));

const totals = { passed: 0, failed: 0 };
const leftOut = [];
let release = values.release && resolve(values.release);
for (const name of values.root) {
  try {
    await tryIn(name);
  } catch (error) {
    if (!(error instanceof NoRoot)) throw error;
    leftOut.push(`${name} is NOT RUN: ${error.message}`);
  }
}
for (const each of leftOut) console.log(each);
console.log(`${totals.passed} passed, ${totals.failed} failed`);
process.exit(totals.failed > 0 || (leftOut.length > 0 && !values.optional) ? 1 : 0);

async function tryIn(name) {
  if (process.getuid?.() !== 0) throw new NoRoot('only root can make it');
  const { make, test } = ROOTS[name];
  const [suite, architecture] = name.split('-').slice(-2);
  const folder = join(scratch, name);
  make(suite, architecture, folder);
  release ??= makeRelease();
  const results = join(scratch, `${name}.json`);
  const mocha = [
    join(root, 'node_modules/mocha/bin/mocha.js'),
    '--bail',
    `tools/release-test/${test}.test.ts`,
  ];
  // Each test goes on where the test before it ended, so none can pass after a failure.
  const child = spawn('unshare', [...OWN_NAMESPACES, ...SHELL, process.execPath, ...mocha], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      TALLYBOOK_TEST_ROOT: folder,
      TALLYBOOK_TEST_ROOT_NAME: name,
      TALLYBOOK_TEST_RELEASE: release,
      TALLYBOOK_TEST_RESULTS: results,
    },
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  await once(child, 'exit');
  process.off('exit', kill);
  const { passed, failed } = readResults(results);
  totals.passed += passed;
  totals.failed += failed;
  rmSync(folder, { recursive: true, force: true });
}

/** Packs little, because only the contents count here. */
function makeRelease() {
  const out = join(scratch, 'release');
  const cpus = new Set(values.root.map((name) => CPUS[name.split('-').at(-1)]));
  const options = ['--out', out, '--compression', '0', ...[...cpus].flatMap((cpu) => ['--cpu', cpu])];
  const made = spawnSync('node', ['tools/release/release.mjs', ...options], { cwd: root, stdio: 'inherit' });
  if (made.status !== 0) process.exit(1);
  return out;
}

/** If a run ended before its last test, it wrote no results, and that counts as a failure. */
function readResults(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { passed: 0, failed: 1 };
  }
}
