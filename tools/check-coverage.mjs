// Fails when the tests of a package cover less of it than .ci/coverage.json says: lines and branches, from what c8 collected.
// With --write it writes that table anew, one percent below what is reached.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = new URL('../', import.meta.url);
const table = new URL('.ci/coverage.json', root);
const collected = new URL('coverage/tmp/', root);
const ofProcesses = new URL('coverage/tmp-processes/', root);

// Joined with that of processes, what is covered by none of them counts twice; so of that only the server is taken.
const alone = readReached();
joinProcesses();
const reached = { ...alone, server: readReached().server };
if (process.argv.includes('--write')) writeTable();
else compare(JSON.parse(readFileSync(table, 'utf8')));

/** The server is tested in processes of its own too, as it was built: adds what they ran of it, and of nothing else. */
function joinProcesses() {
  if (!existsSync(ofProcesses)) return;
  const isServer = (url) => url.includes('/packages/server/dist/');
  for (const name of readdirSync(ofProcesses)) {
    const all = JSON.parse(readFileSync(new URL(name, ofProcesses), 'utf8'));
    const maps = Object.entries(all['source-map-cache'] ?? {});
    const own = {
      result: all.result.filter(({ url }) => isServer(url)),
      'source-map-cache': Object.fromEntries(maps.filter(([url]) => isServer(url))),
    };
    writeFileSync(new URL(`process-${name}`, collected), JSON.stringify(own));
  }
  rmSync(ofProcesses, { recursive: true });
  const c8 = ['node_modules/c8/bin/c8.js', 'report', '--exclude-after-remap'];
  execFileSync('node', c8, { cwd: fileURLToPath(root), stdio: 'inherit' });
}

/** Per package, how many percent of the lines and of the branches are covered. */
function readReached() {
  const summary = JSON.parse(readFileSync(new URL('coverage/coverage-summary.json', root), 'utf8'));
  // A bundler names what it puts in by itself as if it were a file.
  const isSource = (file) => /\/packages\/[^/]+\/src\/.*\.ts$/.test(file);
  const files = Object.entries(summary).filter(([file]) => isSource(file) && !isTypesOnly(file));
  const totals = new Map();
  for (const [file, counts] of files) {
    const [, name] = /\/packages\/([^/]+)\/src\//.exec(file) ?? [];
    const total = totals.get(name) ?? { lines: [0, 0], branches: [0, 0] };
    for (const what of ['lines', 'branches']) {
      total[what][0] += counts[what].covered;
      total[what][1] += counts[what].total;
    }
    totals.set(name, total);
  }
  const percent = ([covered, total]) => (100 * covered) / total;
  const rows = [...totals].map(([name, { lines, branches }]) => [
    name,
    { lines: percent(lines), branches: percent(branches) },
  ]);
  return Object.fromEntries(rows.sort(([a], [b]) => a.localeCompare(b)));
}

function writeTable() {
  const floor = (percent) => Math.floor(10 * (percent - 0.9)) / 10;
  const rows = Object.entries(reached).map(([name, { lines, branches }]) => [
    name,
    { lines: floor(lines), branches: floor(branches) },
  ]);
  writeFileSync(table, `${JSON.stringify(Object.fromEntries(rows), undefined, 2)}\n`);
}

function compare(least) {
  for (const name of new Set([...Object.keys(least), ...Object.keys(reached)])) {
    const { lines = 0, branches = 0 } = reached[name] ?? {};
    const wanted = least[name] ?? { lines: 100, branches: 100 };
    const isEnough = lines >= wanted.lines && branches >= wanted.branches;
    if (!isEnough) process.exitCode = 1;
    const words = `${lines.toFixed(1)} % of lines, ${branches.toFixed(1)} % of branches`;
    const demand = isEnough ? '' : ` (at least ${wanted.lines} and ${wanted.branches})`;
    console.log(`${name.padEnd(14)} ${words}${demand}`);
  }
}

/** A file that compiles to nothing has no lines to cover, but c8 counts them when nobody loads it. */
function isTypesOnly(file) {
  const compilerOptions = {
    module: ts.ModuleKind.ESNext,
    target: ts.ScriptTarget.ES2023,
    verbatimModuleSyntax: true,
  };
  const { outputText } = ts.transpileModule(readFileSync(file, 'utf8'), { compilerOptions });
  return /^(?:\/\*\*.*?\*\/\s*)*export \{\};\s*$/s.test(outputText);
}
