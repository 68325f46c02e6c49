import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { findUntypedFiles } from './fixtures/untyped-files.js';

const root = resolve(fileURLToPath(new URL('../../', import.meta.url)));

describe('The rules of the linter that need types', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'tallybook-typed-')));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function plant(files: Readonly<Record<string, unknown>>): Promise<void> {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(join(folder, dirname(path)), { recursive: true });
      await writeFile(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
    }
  }

  it('see every TypeScript file', () => {
    expect(findUntypedFiles(root)).to.deep.equal([]);
  });

  it('do not see a file that is in no project, wherever it lies', async () => {
    await plant({
      'tsconfig.json': { include: ['src'] },
      'src/seen.ts': 'export {};',
      'src/page.tsx': 'export {};',
      'test/unseen.ts': 'export {};',
      'unseen.mts': 'export {};',
      'dist/compiled.d.ts': 'export {};',
      'node_modules/other/index.ts': 'export {};',
    });
    expect(findUntypedFiles(folder)).to.deep.equal(['test/unseen.ts', 'unseen.mts']);
  });

  it('see a file by the project of a folder above, and by one that it refers to', async () => {
    await plant({
      'tsconfig.json': { files: [], references: [{ path: './tsconfig.test.json' }, { path: './web' }] },
      'tsconfig.test.json': { include: ['core/test'], compilerOptions: { composite: true } },
      'core/tsconfig.json': { include: ['src'] },
      'web/tsconfig.json': { include: ['**/*'] },
      'core/src/a.ts': 'export {};',
      'core/test/a.ts': 'export {};',
      'core/bench/unseen.ts': 'export {};',
      'web/a.tsx': 'export {};',
    });
    expect(findUntypedFiles(folder)).to.deep.equal(['core/bench/unseen.ts']);
  });
});
