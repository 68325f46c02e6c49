// Prepares a release: writes versions and changelogs from the changesets, and the date into the one file that holds it.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const file = new URL('packages/server/src/config/released-at.ts', root);
const DATE = /\d{4}-\d{2}-\d{2}(?=T00:00:00Z)/;

const source = readFileSync(file, 'utf8');
if (!DATE.test(source)) throw new Error(`${fileURLToPath(file)} holds no date`);
execFileSync('node', ['node_modules/@changesets/cli/bin.js', 'version'], {
  cwd: fileURLToPath(root),
  stdio: 'inherit',
});
writeFileSync(file, source.replace(DATE, new Date().toISOString().slice(0, 10)));
