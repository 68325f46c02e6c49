import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { cruise, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser';
import { namesOf, withoutKnown } from '../packages/api-names.mjs';

const { forbidden } = createRequire(import.meta.url)('../../.dependency-cruiser.cjs') as {
  readonly forbidden: IForbiddenRuleType[];
};
/** A folder of each entrance of the domain, the first one first. */
const folders = ['values', 'record/values', 'access/audit', 'personal', 'sync/items'];
const BARREL = 'index.ts';

describe('entrances of the domain', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tallybook-entrances-'));
  const domain = join(folder, 'packages/domain/src');
  /** Each import that breaks a rule, as `from -> to`. */
  let broken: readonly string[];

  function write(file: string, imported: readonly string[]): void {
    mkdirSync(dirname(join(domain, file)), { recursive: true });
    const lines = imported.map((each) => `export * from '${join(domain, each)}';`);
    writeFileSync(join(domain, file), `${lines.join('\n')}\nexport const value = 1;\n`);
  }

  before(async () => {
    for (const each of folders) {
      write(`${each}/value.ts`, []);
      write(`${each}/importing.ts`, [BARREL, ...folders.map((other) => `${other}/value.ts`)]);
    }
    write(
      BARREL,
      folders.map((each) => `${each}/value.ts`),
    );
    const options = { baseDir: folder, ruleSet: { forbidden }, validate: true };
    const { output } = await cruise(['packages'], options);
    const { violations } = (output as ICruiseResult).summary;
    broken = violations.map(({ from, to }) => `${from} -> ${to}`.replaceAll('packages/domain/src/', ''));
  });

  after(() => rmSync(folder, { recursive: true }));

  for (const [index, each] of folders.entries()) {
    it(`let ${each} import what is in it and before it, and nothing else`, () => {
      const after = folders.slice(index + 1).map((other) => `${other}/value.ts`);
      expect(broken.filter((line) => line.startsWith(`${each}/importing.ts`))).to.have.members(
        [BARREL, ...after].map((to) => `${each}/importing.ts -> ${to}`),
      );
    });
  }

  it('do not let the first one export what is in another', () => {
    expect(broken.filter((line) => line.startsWith(BARREL))).to.have.members(
      folders.slice(1).map((each) => `${BARREL} -> ${each}/value.ts`),
    );
  });
});

describe('reports of public interfaces', () => {
  const report = [
    '## API Report File for "example"',
    '```ts',
    '// @public\nexport function open(port: number): void;',
    '// @public\nexport function open(path: string): void;',
    '// @public (undocumented)\ninterface Hidden {\n    readonly port: number;\n}',
    '// @public\nexport abstract class Listener {\n}',
    '// (No @packageDocumentation comment for this package)\n\n```\n',
  ].join('\n\n');

  it('count each exported name once', () => {
    expect(namesOf(report)).to.deep.equal(['open', 'Listener']);
  });

  it('show an unexported type unless another entrance exports it', () => {
    expect(withoutKnown(report, new Set(['Listener']))).to.equal(report);
    expect(withoutKnown(report, new Set(['Hidden']))).not.to.include('Hidden');
  });
});
