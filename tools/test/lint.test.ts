import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { ScratchFolder } from '../../reliability/scratch-folder.js';
import {
  faultsInPlaces,
  faultsOfScripts,
  faultsOfTypes,
  faultsOfTypeScript,
} from './fixtures/planted-faults.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const settings = ['.oxlintrc.json', 'tools/lint'];
/** The place of the program that finds types: the linter would look for it below its working folder. */
const variables = { OXLINT_TSGOLINT_PATH: join(root, 'node_modules/.bin/tsgolint') };
const project = { compilerOptions: { strict: true, target: 'ES2023', types: [] } };

/** Files with a fault, named after the rule that the fault breaks. */
const files: readonly (readonly [path: string, code: string])[] = [
  ...Object.entries(faultsOfScripts).map(([rule, code]) => [`${rule}.mjs`, code] as const),
  ...Object.entries({ ...faultsOfTypeScript, ...faultsOfTypes }).map(
    ([rule, code]) => [`${rule}.ts`, code] as const,
  ),
  ...Object.entries(faultsInPlaces).map(([rule, { place, code }]) => [`${place}/${rule}.ts`, code] as const),
];
const ruleOf = (path: string): string => basename(path, extname(path));

/** The rules that find a fault in each of the files. */
async function findFaults(): Promise<Map<string, string[]>> {
  await using scratch = new ScratchFolder('tallybook-lint-');
  const folder = scratch.path;
  for (const name of settings) await cp(join(root, name), join(folder, name), { recursive: true });
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(project));
  for (const [path, code] of files) {
    await mkdir(join(folder, dirname(path)), { recursive: true });
    await writeFile(join(folder, path), code);
  }
  const options = { cwd: folder, env: { ...process.env, ...variables }, maxBuffer: 2 ** 24 };
  const output = await new Promise<string>((resolve) => {
    // The linter ends with 1, because it finds faults.
    execFile(join(root, 'node_modules/.bin/oxlint'), ['--format', 'json'], options, (_error, stdout) => {
      resolve(stdout);
    });
  });
  const { diagnostics } = JSON.parse(output) as { diagnostics: { filename: string; code: string }[] };
  const found = new Map<string, string[]>();
  for (const { filename, code = '' } of diagnostics) {
    const rule = /\((.*)\)/.exec(code)?.[1] ?? code;
    found.set(filename, [...(found.get(filename) ?? []), rule]);
  }
  return found;
}

describe('The linter', () => {
  let found: Map<string, string[]>;
  before(async () => {
    found = await findFaults();
  });

  for (const [path] of files) {
    it(`finds a fault against ${ruleOf(path)}`, () => {
      expect(found.get(path)).to.include(ruleOf(path));
    });
  }

  it('has a planted fault for each of its rules', async () => {
    const text = await readFile(join(root, '.oxlintrc.json'), 'utf8');
    const [, ...parts] = text.split('"rules": {');
    const rules = [...parts.join().matchAll(/"(?:\w+\/)?([\w-]+)": (?:"error"|\[\s*"error")/g)];
    const planted = files.map(([path]) => ruleOf(path));
    const missing = rules.flatMap(([, rule = '']) => (planted.includes(rule) ? [] : [rule]));
    expect(missing).to.deep.equal([]);
  });
});
