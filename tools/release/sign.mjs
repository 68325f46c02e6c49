// `npm run release:sign -- FOLDER --key FILE` signs the checksums of a release with minisign or gpg, whichever the key is for.
// It is a step of its own: a signature has a time and would not be the same twice.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { key: { type: 'string' } } });
const [folder] = positionals;
if (folder === undefined || values.key === undefined) {
  console.error('Usage: npm run release:sign -- FOLDER --key FILE, a secret key of minisign or gpg');
  process.exit(2);
}
const key = resolve(values.key);
const cwd = resolve(folder);
// Not what somebody else has put there since.
run('sha256sum', ['--check', '--strict', '--quiet', 'SHA256SUMS']);
const name = readFileSync(key, 'latin1').startsWith('untrusted comment:') ? signByMinisign() : signByGpg();
console.log(`${join(folder, name)} is the signature of ${join(folder, 'SHA256SUMS')}`);

function signByMinisign() {
  run('minisign', ['-S', '-s', key, '-m', 'SHA256SUMS', '-t', 'Tallybook']);
  return 'SHA256SUMS.minisig';
}

function signByGpg() {
  // Only this key is in it.
  const home = mkdtempSync(join(tmpdir(), 'tallybook-gpg-'));
  try {
    run('gpg', ['--homedir', home, '--quiet', '--import', key]);
    const output = ['--yes', '--armor', '--output', 'SHA256SUMS.asc'];
    run('gpg', ['--homedir', home, '--quiet', ...output, '--detach-sign', 'SHA256SUMS']);
    run('gpg', ['--homedir', home, '--quiet', '--verify', 'SHA256SUMS.asc', 'SHA256SUMS']);
  } finally {
    run('gpgconf', ['--homedir', home, '--kill', 'all']);
    rmSync(home, { recursive: true, force: true });
  }
  return 'SHA256SUMS.asc';
}

function run(program, args) {
  try {
    execFileSync(program, args, { cwd, stdio: 'inherit' });
  } catch (error) {
    console.error(error.code === 'ENOENT' ? `${program} is not installed` : `${program} has failed`);
    process.exit(1);
  }
}
