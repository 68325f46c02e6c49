// `npm run check:advisories` asks npm about known vulnerabilities of all locked packages, also of those that only build or test. It
// fails at one that is not in packaging/advisories.json, and at an exception that has expired. An argument is another folder than this
// checkout.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { judgeAdvisories, readLocked } from './advisories.mjs';

const root = resolve(process.argv[2] ?? fileURLToPath(new URL('../', import.meta.url)));
const registry = process.env.npm_config_registry ?? 'https://registry.npmjs.org/';
const ANSWER_MS = 120_000;

const locked = readLocked(read('pnpm-lock.yaml'));
try {
  const { problems, accepted } = judgeAdvisories({
    locked,
    answer: await ask(),
    exceptions: JSON.parse(read('packaging/advisories.json')),
    today: new Date().toISOString().slice(0, 10),
  });
  for (const line of [...accepted, ...problems]) console.log(line);
  console.log(
    `${Object.keys(locked).length} packages: ${problems.length} problems, ${accepted.length} accepted`,
  );
  process.exitCode = problems.length > 0 ? 1 : 0;
} catch (error) {
  console.error(`The advisories are not known: ${error.cause?.message ?? error.message}`);
  process.exitCode = 1;
}

async function ask() {
  const address = new URL('-/npm/v1/security/advisories/bulk', registry);
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(locked),
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  if (!response.ok) throw new Error(`${address.origin} answers ${response.status}`);
  return response.json();
}

function read(file) {
  return readFileSync(join(root, file), 'utf8');
}
