// Prepares a release: takes the next version and the changelog from the changesets, which it removes, and writes the version and the
// date of the release into the sources. An argument is another folder than this checkout.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeVersion, listManifests, nextVersion, readChangesets, readManifest } from './changesets.mjs';

const root = resolve(process.argv[2] ?? fileURLToPath(new URL('../', import.meta.url)));

const changesets = readChangesets(root);
if (changesets.length === 0) {
  console.error('There is no changeset, so there is nothing to release.');
  process.exit(1);
}
const { version: present } = readManifest(root, 'packages/server/package.json');
const version = nextVersion(
  present,
  changesets.map(({ bump }) => bump),
);
const date = new Date().toISOString().slice(0, 10);

for (const file of listManifests(root)) replace(file, /(?<="version": ")[^"]+/, version);
replace('packages/http-koa/src/version.ts', /(?<=VERSION: string = ')[^']+/, version);
replace('packages/server/src/config/released-at.ts', /\d{4}-\d{2}-\d{2}(?=T00:00:00Z)/, date);
replace('CHANGELOG.md', /^(?=## )/m, `${describeVersion(version, date, changesets)}\n`);
for (const { file } of changesets) rmSync(join(root, '.changeset', file));
console.log(`${present} becomes ${version}, from ${changesets.length} changesets`);

function replace(file, pattern, text) {
  const before = readFileSync(join(root, file), 'utf8');
  if (!pattern.test(before)) throw new Error(`${file} does not hold what is to be written there`);
  writeFileSync(
    join(root, file),
    before.replace(pattern, () => text),
  );
}
