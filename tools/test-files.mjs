// Which files of tests there are, and which of them the words after `npm test --` mean.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path/posix';

const root = new URL('../', import.meta.url);

/** Slow tests that cover what no quick ones do: damaged files, contracts on PostgreSQL, and the fakes of each contract. */
const COVERED_BY_SLOW = [
  ...['repair/damaged-files', 'repair/fatal-damage', 'stores/erased-bytes'].map(
    (name) => `packages/store-level/test/${name}.`,
  ),
  'packages/store-postgres/',
  'packages/testing/',
];

/**
 * All tests: those whose coverage counts, and others, which would add nothing to it. Tests in the browser, and those of
 * programs that are watched from outside, run most of their code in processes in which nothing is counted. Most slow tests run
 * code that quick ones run too, with more values or with whole programs: to count it again takes a quarter longer.
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

/**
 * Splits the words after `--` into files or patterns of files, which come first, and options of mocha. `slow` means tests that
 * take long, the page in a browser, and the harnesses of reliability; `quick` means all others; `properties` means tests of
 * random values; and a name is a package, an example, `reliability` or `tools`, or the path of a folder of tests.
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
 * The tests of a list that is kept somewhere, whose names nobody may mistype. A file may be in any room below the folder that
 * is named, if there is but one of its name.
 *
 * @param {readonly string[]} names
 * @returns {string[]}
 * @throws {Error} if one names no tests, as after a file was renamed, or could mean several files.
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

/** Whether it is a folder below that of the tests of a package. */
function isRoom(name) {
  return /^packages\/[^/]+\/test\/[a-z/-]+$/.test(name) && existsSync(new URL(name, root));
}

function isFile(name) {
  return name.endsWith('.test.ts');
}

/** Where a file is; `undefined` if it is none that is named. */
function findInRooms(name) {
  if (!isFile(name)) return undefined;
  if (existsSync(new URL(name, root))) return [name];
  return listTests().filter(
    (file) => file.startsWith(`${dirname(name)}/`) && basename(file) === basename(name),
  );
}

function findTests(arg) {
  if (arg === 'quick') return listTests().filter((file) => !isSlow(file));
  if (arg === 'slow') return listTests().filter(isSlow);
  if (arg === 'properties') return listTests().filter((file) => !isSlow(file) && isProperty(file));
  if (isFile(arg)) return [arg];
  if (isRoom(arg)) return [`${arg}/**/*.test.ts`];
  if (!/^[a-z][a-z0-9-]*$/.test(arg)) return undefined;
  const folders = [`packages/${arg}/test`, `examples/${arg}/test`, `${arg}/test`];
  const folder = folders.find((each) => existsSync(new URL(each, root)));
  return folder === undefined ? undefined : [`${folder}/**/*.test.ts`];
}

/** In the order of their names. */
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

function isOfBrowser(file) {
  return file.includes('/test/browser/');
}

function isSlow(file) {
  return file.endsWith('.slow.test.ts') || file.startsWith('reliability/') || isOfBrowser(file);
}

/** Whether fast-check gives it random values. */
function isProperty(file) {
  return /from 'fast-check'/.test(readFileSync(new URL(file, root), 'utf8'));
}
