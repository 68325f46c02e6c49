// Lists the test files, and finds those that the words after `npm test --` name.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path/posix';

const root = new URL('../', import.meta.url);

/** Slow tests that cover code which no quick test covers, or that cover much without much time of their own. */
const COVERED_BY_SLOW = [
  ...['repair/damaged-files', 'repair/fatal-damage', 'stores/erased-bytes', 'stores/snapshot'].map(
    (name) => `packages/store-level/test/${name}.`,
  ),
  ...['access/', 'events/', 'requests/guard-requests.', 'requests/hostile-input.'].map(
    (name) => `packages/http-koa/test/${name}`,
  ),
  ...['access-commands', 'audit-commands', 'invocation', 'serve'].map(
    (name) => `packages/server/test/command-line/${name}.`,
  ),
  ...['health/supervision', 'scenarios/passkeys'].map((name) => `packages/server/test/${name}.`),
  ...['database-away', 'moved-store', 'postgres-store'].map((name) => `packages/server/test/stores/${name}.`),
  'packages/devices/',
  'packages/outputs/test/gpio/',
  'packages/store-postgres/',
  'packages/testing/',
];

/**
 * All tests: those whose coverage counts, and others, which would add nothing. Tests in the browser, and tests of whole
 * programs, run most of their code in processes without coverage. Most slow tests run the code of quick tests with more values
 * or with whole programs; counting it again would take a quarter longer.
 *
 * @returns {{ covering: string[], others: string[] }}
 */
export function listAllTests() {
  const all = listTests();
  const isCovering = (file) =>
    file.startsWith('packages/') &&
    (!isSlow(file) || COVERED_BY_SLOW.some((beginning) => file.startsWith(beginning)));
  return { covering: all.filter(isCovering), others: all.filter((file) => !isCovering(file)) };
}

/** The tests that are not slow. */
export function listQuickTests() {
  return listTests().filter((file) => !isSlow(file));
}

/**
 * Splits the words after `--` into files or patterns of files, which come first, and options of mocha. `slow` means the files
 * `*.slow.test.ts`. `properties` means tests with random values. A name is a package, an example, `reliability` or `tools`, or the path of a folder of tests.
 *
 * @param {readonly string[]} args
 * @returns {{ files: string[], options: string[] }}
 */
export function parseTestArguments(args) {
  const isOption = (arg) => findTests(arg) === undefined;
  const end = args.some(isOption) ? args.findIndex(isOption) : args.length;
  return { files: args.slice(0, end).flatMap(findTests), options: args.slice(end) };
}

/**
 * Finds the test files of a list of names. A wrong name is an error. A file may be in any room below the named folder, if only
 * one file has its name.
 *
 * @param {readonly string[]} names
 * @returns {string[]}
 * @throws {Error} if a name finds no tests, for example after a file was renamed, or finds several files.
 */
export function findTestFiles(names) {
  const found = names.map((name) => ({ name, files: findInRooms(name) ?? findTests(name) }));
  const several = found.filter(({ name, files }) => isFile(name) && files.length > 1);
  if (several.length > 0)
    throw new Error(several.map(({ files }) => `one of ${files.join(', ')}?`).join('\n'));
  const missing = found.filter(({ files }) => files === undefined || files.length === 0);
  if (missing.length > 0) throw new Error(`there are no tests ${missing.map(({ name }) => name).join(', ')}`);
  return found.flatMap(({ files }) => files);
}

/** Whether a name is a folder below the tests of a package. */
function isRoom(name) {
  return /^packages\/[^/]+\/test\/[a-z/-]+$/.test(name) && existsSync(new URL(name, root));
}

function isFile(name) {
  return name.endsWith('.test.ts');
}

/** The places of a file in rooms; `undefined` if the name is not of this form. */
function findInRooms(name) {
  if (!isFile(name)) return undefined;
  if (existsSync(new URL(name, root))) return [name];
  return listTests().filter(
    (file) => file.startsWith(`${dirname(name)}/`) && basename(file) === basename(name),
  );
}

function findTests(arg) {
  if (arg === 'slow') return listTests().filter(isSlow);
  if (arg === 'properties') return listQuickTests().filter(isProperty);
  if (isFile(arg)) return [arg];
  if (isRoom(arg)) return [`${arg}/**/*.test.ts`];
  if (!/^[a-z][a-z0-9-]*$/.test(arg)) return undefined;
  const folders = [`packages/${arg}/test`, `examples/${arg}/test`, `${arg}/test`];
  const folder = folders.find((each) => existsSync(new URL(each, root)));
  return folder === undefined ? undefined : [`${folder}/**/*.test.ts`];
}

/** All test files in the order of their names. */
function listTests() {
  const parents = ['packages', 'examples'].flatMap((parent) =>
    readdirSync(new URL(parent, root)).map((name) => `${parent}/${name}`),
  );
  const folders = [...parents, 'tools', 'reliability'].map((parent) => `${parent}/test`);
  return folders
    .filter((folder) => existsSync(new URL(folder, root)))
    .flatMap((folder) =>
      readdirSync(new URL(folder, root), { recursive: true }).map((file) => `${folder}/${file}`),
    )
    .filter((file) => file.endsWith('.test.ts'))
    .sort();
}

function isSlow(file) {
  return file.endsWith('.slow.test.ts');
}

/** Whether fast-check gives it random values. */
function isProperty(file) {
  return /from 'fast-check'/.test(readFileSync(new URL(file, root), 'utf8'));
}
