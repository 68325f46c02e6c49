// Tallybook against its peers on this machine, as one table.
//
//   node bench/run.mjs                        everything, about a quarter of an hour
//   node bench/run.mjs reading --rounds 3     a part
//
// Installs and builds what is missing. The scenarios are the files of scenarios/.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('../', import.meta.url));
const bench = fileURLToPath(new URL('.', import.meta.url));
const ALL = [
  'reading',
  'large-answers',
  'writing',
  'sessions',
  'taps',
  'postgres',
  'stations',
  'answers',
  'events',
  'memory',
  'cold-start',
  'flatness',
  'card-wear',
  'week',
  'page',
  'people',
];

const { names, rounds } = readArguments();
if (process.platform !== 'linux') fail('the benchmark reads /proc, so it needs Linux');
install(root);
install(bench);
run(root, process.execPath, ['tools/run.mjs', 'prepare']);

const { Peer } = await import('./measure/peer.mjs');
const { Stores } = await import('./measure/stores.mjs');
const { formatTable, isMissed } = await import('./measure/table.mjs');
// So that no files are left, even after a failure: all scenarios make their folders here.
const scratch = mkdtempSync(join(tmpdir(), 'tallybook-bench-'));
process.env.TMPDIR = scratch;
process.once('exit', () => rmSync(scratch, { recursive: true, force: true, maxRetries: 3 }));
process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143));

const stores = new Stores();
const notes = [];
const rows = [];
const loads = [loadavg()[0]];
const begin = performance.now();
let failures = 0;
for (const name of names) {
  console.error(`${name} ...`);
  try {
    const scenario = await import(`./scenarios/${name}.mjs`);
    rows.push(...(await scenario.run({ rounds, stores, note: (text) => notes.push(text) })));
  } catch (error) {
    failures++;
    notes.push(`${name} FAILED: ${error.message}`);
    await Peer.stopAll();
  }
  loads.push(loadavg()[0]);
}

console.log(formatTable(rows));
console.log();
for (const note of notes) console.log(note);
console.log(
  `medians of ${rounds} rounds; ${cpus().length} cores, Node ${process.versions.node}; load average while it ran: ` +
    `${loads.map((load) => load.toFixed(1)).join(' ')}; took ${Math.round((performance.now() - begin) / 1_000)} s`,
);
const missed = rows.filter(isMissed).length;
if (failures > 0) console.log(`${failures} scenarios failed`);
console.log(missed === 0 ? 'every budget that was measured is kept' : `${missed} budgets are missed`);
process.exit(failures === 0 ? 0 : 1);

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { rounds: { type: 'string', default: '5' } },
    });
    const unknown = positionals.find((name) => !ALL.includes(name));
    if (unknown !== undefined) fail(`a scenario is one of ${ALL.join(', ')}; got ${unknown}`);
    const count = Number(values.rounds);
    if (!Number.isInteger(count) || count < 1)
      fail(`--rounds is a whole number from 1; got ${values.rounds}`);
    return { names: positionals.length > 0 ? positionals : ALL, rounds: count };
  } catch (error) {
    return fail(error.message);
  }
}

function install(folder) {
  if (existsSync(`${folder}node_modules/.modules.yaml`)) return;
  if (folder === bench) for (const tool of ['python3', 'make', 'cc']) requireTool(tool);
  const { packageManager } = JSON.parse(readFileSync(`${folder}package.json`, 'utf8'));
  run(folder, 'npx', ['--prefer-offline', '--yes', packageManager, 'install', '--frozen-lockfile']);
}

function requireTool(tool) {
  if (spawnSync(tool, ['--version']).error === undefined) return;
  fail(`better-sqlite3, a peer, is compiled here, and that needs ${tool}, which is missing`);
}

function run(folder, program, args) {
  const { status, error } = spawnSync(program, args, {
    cwd: folder,
    // Standard output is for the table.
    stdio: ['ignore', 2, 2],
    env: { ...process.env, npm_config_build_from_source: 'true' },
  });
  if (status !== 0) fail(`${program} ${args.join(' ')} failed: ${error?.message ?? `code ${status}`}`);
}

function fail(message) {
  console.error(`bench: ${message}`);
  process.exit(1);
}
