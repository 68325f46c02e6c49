// Mutation testing: makes small changes in the sources of a package, one at a time, and shows which changes no test notices.
//
//   npm run mutation                                   all packages, many hours the first time
//   npm run mutation -- system outputs                some of them
//   npm run mutation -- domain --file calendar.ts      a part; --tests 'calendar*' runs only these tests
//   npm run mutation -- --force                        all mutants again
//   npm run mutation -- server --sample 120            a score within minutes, from mutants chosen at random; --seed 1 chooses
//                                                      others, --minutes 10 stops then, default 60: the last files are missing
//   npm run mutation -- --changed [REVISION]           lines that differ from it, default HEAD~1: two minutes at most;
//                                                      --seed 1 chooses other mutants
//
// The result of a mutant is kept in results/. The mutant is tried again only when its source, or a test that meets it, changes.
// A constant is evaluated while its file is loaded, so it is unknown which tests meet its mutants: after new tests they need
// --force.
//
// Works in a copy of the project. Workspace packages resolve to the sources beside them, so the mutants must be written into
// the sources, which must not happen in the project itself.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChangedLines } from './changed-lines.mjs';

/** The revision with which lines are compared, unless another one is given. */
const BEFORE = 'HEAD~1';
/** Time limit for a run of changed lines, in milliseconds. */
const SHORT_MS = 120_000;
/** The part of that time for ending the run, in milliseconds. */
const END_MS = 15_000;

const root = fileURLToPath(new URL('../', import.meta.url));
const results = 'mutation/results';
const command = readCommand(process.argv.slice(2));
const copy = mkdtempSync(join(tmpdir(), 'tallybook-mutation-'));
let mutating;
process.once('exit', removeCopy);
process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143));

for (const file of projectFiles()) cpSync(join(root, file), join(copy, file));
if (existsSync(join(root, results))) cpSync(join(root, results), join(copy, results), { recursive: true });
writeFileSync(join(copy, 'mutation/changed-lines.json'), JSON.stringify(command.changed ?? {}));
install(copy);
install(join(copy, 'mutation'));
bringBuilt();
// In a process group of its own: a mutant may leave processes that never end, and they are ended with the group. Files that
// tests leave in the temporary folder are removed with the copy.
mutating = spawn(process.execPath, command.args, {
  cwd: copy,
  detached: true,
  stdio: 'inherit',
  env: { ...process.env, TMPDIR: mkdtempSync(join(copy, 'tmp-')) },
});
const [status] = await once(mutating, 'exit');
if (existsSync(join(copy, results))) cpSync(join(copy, results), join(root, results), { recursive: true });
process.exit(status ?? 1);

/** The program to run in the copy, and the changed lines, if only these are mutated. */
function readCommand(args) {
  const at = args.indexOf('--changed');
  if (at === -1) return { args: ['mutation/mutate.mjs', ...args] };
  const rest = args.toSpliced(at, 1);
  const seedAt = rest.indexOf('--seed');
  const [, seed = '20261121'] = seedAt === -1 ? [] : rest.splice(seedAt, 2);
  const [revision = BEFORE, ...more] = rest;
  if (more.length > 0 || revision.startsWith('-'))
    fail(`--changed takes a revision, and --seed; got ${args.join(' ')}`);
  const changed = changedLines(revision);
  if (Object.keys(changed).length === 0) {
    console.log(`no line of a package's sources changed since ${revision}`);
    process.exit(0);
  }
  const until = String(Date.now() + SHORT_MS - END_MS);
  return { args: ['mutation/mutate-changed.mjs', 'mutation/changed-lines.json', until, seed], changed };
}

function changedLines(revision) {
  try {
    return findChangedLines(root, revision);
  } catch (error) {
    if (revision !== BEFORE)
      return fail(`git could not say what changed since ${revision}: ${error.message}`);
    // A clone may have no history.
    console.log(`NOT RUN: mutants of changed lines: this clone has no ${revision}`);
    process.exit(0);
  }
}

/** Tracked files, and new files that are not ignored. */
function projectFiles() {
  const { stdout, status, error } = spawnSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  if (status !== 0) fail(`git could not list the files: ${error?.message ?? `code ${status}`}`);
  return stdout.split('\0').filter((file) => file !== '' && existsSync(join(root, file)));
}

/** Removes the copy. A test that was killed because its mutant hung may have left a small disk mounted. */
function removeCopy() {
  endGroup();
  const mounts = existsSync('/proc/mounts') ? readFileSync('/proc/mounts', 'utf8').split('\n') : [];
  for (const [, path = ''] of mounts.map((line) => line.split(' '))) {
    if (path.startsWith(`${copy}/`)) spawnSync('umount', [path]);
  }
  rmSync(copy, { recursive: true, force: true, maxRetries: 3 });
}

function endGroup() {
  try {
    if (mutating?.pid !== undefined) process.kill(-mutating.pid, 'SIGKILL');
  } catch {
    // No process is left.
  }
}

function install(folder) {
  const { packageManager } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const args = ['--prefer-offline', '--yes', packageManager, 'install', '--frozen-lockfile'];
  const { status, error } = spawnSync('npx', args, { cwd: folder, stdio: ['ignore', 2, 2] });
  if (status !== 0) fail(`npx ${args.join(' ')} failed: ${error?.message ?? `code ${status}`}`);
}

/** Copies the built page and program, which tests use. They are neither tracked nor mutated. */
function bringBuilt() {
  const built = { 'packages/web/dist': 'files.json', 'packages/server/program': 'command-line.js' };
  if (Object.entries(built).every((path) => existsSync(join(root, ...path)))) {
    for (const folder of Object.keys(built))
      cpSync(join(root, folder), join(copy, folder), { recursive: true });
    return;
  }
  const args = ['tools/run.mjs', 'prepare'];
  const { status } = spawnSync(process.execPath, args, { cwd: copy, stdio: ['ignore', 2, 2] });
  if (status !== 0) fail(`${args.join(' ')} failed`);
}

function fail(message) {
  console.error(`mutation: ${message}`);
  process.exit(1);
}
