// Mutation testing: changes the sources of a package one small thing at a time, and shows which changes no test notices.
//
//   npm run mutation                                   both packages, an hour or two the first time
//   npm run mutation -- domain --file calendar.ts      a part; --tests 'calendar*' narrows the tests that are run
//   npm run mutation -- --force                        everything anew
//
// What became of a mutant is kept in results/, and it is not tried again until its source or a test that meets it changes.
// Constants are met while a file is loaded, and no test tells by which: after new tests they need --force.
//
// Works in a copy of the project: workspace packages resolve to the sources beside them, so the mutants have to be written
// where the sources are, and nobody wants them there.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const copy = mkdtempSync(join(tmpdir(), 'tallybook-mutation-'));
process.once('exit', removeCopy);
process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143));

const results = 'mutation/results';
for (const file of projectFiles()) cpSync(join(root, file), join(copy, file));
if (existsSync(join(root, results))) cpSync(join(root, results), join(copy, results), { recursive: true });
install(copy);
install(join(copy, 'mutation'));
// What tests leave behind in the temporary folder goes away with the copy.
const { status } = spawnSync(process.execPath, ['mutation/mutate.mjs', ...process.argv.slice(2)], {
  cwd: copy,
  stdio: 'inherit',
  env: { ...process.env, TMPDIR: mkdtempSync(join(copy, 'tmp-')) },
});
if (existsSync(join(copy, results))) cpSync(join(copy, results), join(root, results), { recursive: true });
process.exit(status ?? 1);

/** What is tracked, and what is new and not ignored. */
function projectFiles() {
  const { stdout, status, error } = spawnSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  if (status !== 0) fail(`git could not list the files: ${error?.message ?? `code ${status}`}`);
  return stdout.split('\0').filter((file) => file !== '' && existsSync(join(root, file)));
}

/** A test that is killed because its mutant hangs leaves its small disk mounted. */
function removeCopy() {
  const mounts = existsSync('/proc/mounts') ? readFileSync('/proc/mounts', 'utf8').split('\n') : [];
  for (const [, path = ''] of mounts.map((line) => line.split(' '))) {
    if (path.startsWith(`${copy}/`)) spawnSync('umount', [path]);
  }
  rmSync(copy, { recursive: true, force: true, maxRetries: 3 });
}

function install(folder) {
  const { packageManager } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const args = ['--prefer-offline', '--yes', packageManager, 'install', '--frozen-lockfile'];
  const { status, error } = spawnSync('npx', args, { cwd: folder, stdio: ['ignore', 2, 2] });
  if (status !== 0) fail(`npx ${args.join(' ')} failed: ${error?.message ?? `code ${status}`}`);
}

function fail(message) {
  console.error(`mutation: ${message}`);
  process.exit(1);
}
