// Fails when a package that must be covered by tests is not: reads what c8 wrote and compares line coverage per package.
// The server is left out: its tests run it as processes of their own, which c8 does not see.
import { readFileSync } from 'node:fs';

const LEAST_PERCENT = 95;
const packages = [
  'domain',
  'testing',
  'store-memory',
  'store-level',
  'clock-system',
  'devices',
  'readers',
  'indicators',
  'publisher-mqtt',
  'http-koa',
];

const summary = JSON.parse(
  readFileSync(new URL('../coverage/coverage-summary.json', import.meta.url), 'utf8'),
);
let failures = 0;
for (const name of packages) {
  const files = Object.entries(summary).filter(
    ([file]) => file.includes(`/packages/${name}/src/`) && !isTypesOnly(file),
  );
  const total = files.reduce((sum, [, { lines }]) => sum + lines.total, 0);
  const covered = files.reduce((sum, [, { lines }]) => sum + lines.covered, 0);
  const percent = (100 * covered) / total;
  const isEnough = percent >= LEAST_PERCENT;
  if (!isEnough) failures++;
  console.log(
    `${name.padEnd(14)} ${percent.toFixed(1)} % of ${total} lines${isEnough ? '' : ` (at least ${LEAST_PERCENT} %)`}`,
  );
}
process.exitCode = failures > 0 ? 1 : 0;

/** A file that compiles to nothing has no lines to cover, but c8 counts them when nobody loads it. */
function isTypesOnly(file) {
  const compiled = readFileSync(file.replace('/src/', '/dist/').replace(/\.ts$/, '.js'), 'utf8');
  return /^export \{\};\s*(\/\/#.*\s*)?$/.test(compiled);
}
