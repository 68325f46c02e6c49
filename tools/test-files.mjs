// Which files of tests there are, and which of them the words behind `npm test --` mean.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const QUICK = ['packages/*/test/**/*.test.ts', 'examples/*/test/**/*.test.ts', 'tools/test/**/*.test.ts'];

/** For mocha: patterns of all tests. */
export const ALL_TESTS = [...QUICK, 'reliability/test/**/*.test.ts'];

/**
 * Splits what is behind `--` into patterns of files, which come first, and options of mocha. `quick` is everything but the
 * harnesses of reliability, `properties` is what tries random values, and a name is a package, an example, `reliability`
 * or `tools`.
 *
 * @param {readonly string[]} args
 * @returns {{ files: string[], options: string[] }}
 */
export function parseTestArguments(args) {
  const isOption = (arg) => findTests(arg) === undefined;
  const end = args.some(isOption) ? args.findIndex(isOption) : args.length;
  return { files: args.slice(0, end).flatMap(findTests), options: args.slice(end) };
}

function findTests(arg) {
  if (arg === 'quick') return QUICK;
  if (arg === 'properties') return findProperties();
  if (arg.endsWith('.test.ts')) return [arg];
  if (!/^[a-z][a-z0-9-]*$/.test(arg)) return undefined;
  const folders = [`packages/${arg}/test`, `examples/${arg}/test`, `${arg}/test`];
  const folder = folders.find((each) => existsSync(new URL(each, root)));
  return folder === undefined ? undefined : [`${folder}/**/*.test.ts`];
}

/** The tests that fast-check gives random values. */
function findProperties() {
  const names = readdirSync(new URL('packages', root)).map((name) => `packages/${name}/test`);
  const folders = names.filter((folder) => existsSync(new URL(folder, root)));
  const files = folders.flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true }).map((file) => `${folder}/${file}`),
  );
  const isProperty = (file) =>
    /from 'fast-check'/.test(readFileSync(fileURLToPath(new URL(file, root)), 'utf8'));
  return files.filter((file) => file.endsWith('.test.ts') && isProperty(file));
}
