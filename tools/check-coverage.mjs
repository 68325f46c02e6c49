// Fails when the tests of a package cover less of it than .ci/coverage.json says: lines and branches, from what V8 counted while
// all tests ran. With --write it writes that table anew, one percent below what is reached.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';

const root = new URL('../', import.meta.url);
const table = new URL('.ci/coverage.json', root);
const coverage = new URL('coverage/', root);
const collected = new URL('tmp/', coverage);
const ofProcesses = new URL('tmp-processes/', coverage);
/** Sources, and compiled code, whose source maps lead to them. */
const IS_OURS = /\/packages\/(?!.*\/(?:node_modules|program)\/)/;
const IS_PROGRAM = /\/packages\/server\/program\/command-line\.js$/;
/** Which lines of the sources the program was made of, from tools/bundle.mjs. */
const programMap = new URL('node_modules/.tallybook-command-line.js.map', root);

const reached = {
  ...(await measure('all', [[collected, IS_OURS]])),
  // The server is tested in processes of its own too, as the program that is shipped. What they ran of it comes beside what the
  // tests ran, and nothing of other packages.
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
 * Copies what V8 counted of the scripts that are asked for, a source map once: c8 takes long for what it is to leave out.
 *
 * @param {URL} destination A folder, made anew.
 * @param {readonly (readonly [URL, RegExp])[]} wanted Folders of what V8 wrote, with the URLs of scripts.
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

/** The source map of the program, in the form in which Node writes those of scripts that name theirs. */
function mapOfProgram(url) {
  const data = JSON.parse(readFileSync(programMap, 'utf8'));
  const lines = readFileSync(new URL(url), 'utf8').split('\n');
  const sources = data.sources.map((source) => {
    const found = new URL(source, url);
    // What `trimming.mjs` puts in the place of a module has no file.
    return found.protocol === 'file:' ? fileURLToPath(found) : source;
  });
  return { lineLengths: lines.map(({ length }) => length), data: { ...data, sources }, url: null };
}

/** The coverage of each package, which c8 computes from what V8 counted in some scripts. */
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

/** Per package, how many percent of the lines and of the branches are covered. */
async function readReached(report) {
  const summary = JSON.parse(readFileSync(report, 'utf8'));
  // A bundler names code of its own as if it were a file.
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

/** A file that compiles to nothing has no lines to cover, but c8 counts them when nobody loads it. */
async function isTypesOnly(file) {
  const tsconfigRaw = { compilerOptions: { verbatimModuleSyntax: true } };
  const { code } = await transform(readFileSync(file, 'utf8'), { loader: 'ts', tsconfigRaw });
  return code === '';
}
