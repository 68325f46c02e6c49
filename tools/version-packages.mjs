// Prepares a release: writes versions and changelogs from the changesets, and the version and the date of the release into
// the sources.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);

/** Places in files, and the text for each after the new versions are set. */
const places = [
  {
    file: 'packages/server/src/config/released-at.ts',
    pattern: /\d{4}-\d{2}-\d{2}(?=T00:00:00Z)/,
    write: () => new Date().toISOString().slice(0, 10),
  },
  {
    file: 'packages/http-koa/src/version.ts',
    pattern: /(?<=VERSION: string = ')[^']+/,
    write: () => JSON.parse(read('packages/http-koa/package.json')).version,
  },
];

for (const { file, pattern } of places) {
  if (!pattern.test(read(file))) throw new Error(`${file} does not hold what is to be written there`);
}
execFileSync('node', ['node_modules/@changesets/cli/bin.js', 'version'], {
  cwd: fileURLToPath(root),
  stdio: 'inherit',
});
for (const { file, pattern, write } of places) {
  writeFileSync(new URL(file, root), read(file).replace(pattern, write()));
}

function read(file) {
  return readFileSync(new URL(file, root), 'utf8');
}
