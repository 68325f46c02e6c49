// Fails if the tests of a package cover fewer lines or branches than .ci/coverage.json requires, by the counts of V8 from a run
// of all tests. With --write, it writes that table again, one percent below the reached values.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';

const root = new URL('../', import.meta.url);
const table = new URL('.ci/coverage.json', root);
const coverage = new URL('coverage/', root);
const collected = new URL('tmp/', coverage);
const ofProcesses = new URL('tmp-processes/', coverage);
/** Sources, and compiled code with source maps of them. */
const IS_OURS = /\/packages\/(?!.*\/(?:node_modules|program)\/)/;
/** The files of the program with code of the server: the one that starts, and those that it imports when they are needed. */
const IS_PROGRAM =
  /\/packages\/server\/program\/(?:command-line|other-definitions|load-adapters|measure)\.js$/;
/** Source maps of the files of the program by name, from tools/bundle.mjs. */
const programMaps = new URL('node_modules/.tallybook-program-maps.json', root);

const reached = {
  ...(await measure('all', [[collected, IS_OURS]])),
  // Some tests of the server run the shipped program in its own process. The coverage from these processes counts too, but only
  // for the server.
  ...(await measure(
    'server',
    [
      [collected, /\/packages\/server\/src\//],
      [ofProcesses, IS_PROGRAM],
    ],
    'server',
  )),
};
if (process.argv.includes('--write')) writeTable();
else compare(JSON.parse(readFileSync(table, 'utf8')));

/**
 * Copies the counts of V8 for the wanted scripts, each source map once: c8 takes long for scripts that it must exclude.
 *
 * @param {URL} destination A folder, which is emptied first.
 * @param {readonly (readonly [URL, RegExp])[]} wanted Folders with the output of V8, each with a pattern for URLs of scripts.
 */
function selectScripts(destination, wanted) {
  rmSync(destination, { recursive: true, force: true });
  mkdirSync(destination, { recursive: true });
  const mapped = new Set();
  for (const [folder, pattern] of wanted) {
    for (const name of readdirSync(folder)) {
      const { result, 'source-map-cache': maps = {} } = JSON.parse(
        readFileSync(new URL(name, folder), 'utf8'),
      );
      const own = result.filter(({ url }) => pattern.test(url));
      const ownMaps = own
        .filter(({ url }) => !mapped.has(url))
        .map(({ url }) => [url, maps[url] ?? (IS_PROGRAM.test(url) ? mapOfProgram(url) : undefined)])
        .filter(([, map]) => map !== undefined);
      for (const [url] of ownMaps) mapped.add(url);
      const selected = { result: own, 'source-map-cache': Object.fromEntries(ownMaps) };
      writeFileSync(new URL(name, destination), JSON.stringify(selected));
    }
  }
}

/** The source map of the program, in the form in which Node writes source maps. */
function mapOfProgram(url) {
  const [, name] = /([^/]+)$/.exec(url);
  const { [name]: data } = JSON.parse(readFileSync(programMaps, 'utf8'));
  const lines = readFileSync(new URL(url), 'utf8').split('\n');
  const sources = data.sources.map((source) => {
    const found = new URL(source, url);
    // The bundler gives names of files to its own code.
    return found.protocol === 'file:' ? fileURLToPath(found) : source;
  });
  return { lineLengths: lines.map(({ length }) => length), data: { ...data, sources }, url: null };
}

/** The coverage of each package, which c8 computes from the counts of V8 in some scripts. */
function measure(name, wanted, ...packages) {
  const folder = new URL(`tmp-${name}/`, coverage);
  const reports = `coverage/${name}`;
  selectScripts(folder, wanted);
  const c8 = ['node_modules/c8/bin/c8.js', 'report', '--exclude-after-remap', '--reports-dir', reports];
  const sources = packages.flatMap((name) => ['--include', `packages/${name}/src/**/*.ts`]);
  const args = [...c8, '--temp-directory', fileURLToPath(folder), ...sources];
  execFileSync('node', args, { cwd: fileURLToPath(root), stdio: 'inherit' });
  return readReached(new URL(`${reports}/coverage-summary.json`, root));
}

/** The percentages of covered lines and branches of each package. */
async function readReached(report) {
  const summary = JSON.parse(readFileSync(report, 'utf8'));
  // A bundler gives names of files to its own code.
  const isSource = (file) => /\/packages\/[^/]+\/src\/.*\.ts$/.test(file);
  const files = Object.keys(summary).filter(isSource);
  const typesOnly = await Promise.all(files.map(isTypesOnly));
  const totals = new Map();
  for (const file of files.filter((_file, index) => !typesOnly[index])) {
    const counts = summary[file];
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

/** Whether a file has only types. It has no lines to cover, but c8 counts lines if no test loads it. */
async function isTypesOnly(file) {
  const tsconfigRaw = { compilerOptions: { verbatimModuleSyntax: true } };
  const { code } = await transform(readFileSync(file, 'utf8'), { loader: 'ts', tsconfigRaw });
  return code === '';
}
