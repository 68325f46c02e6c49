import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from 'chai';

const root = new URL('../../', import.meta.url);
const { forbidden } = createRequire(import.meta.url)('../../.dependency-cruiser.cjs') as {
  readonly forbidden: readonly { readonly from: { readonly path?: string } }[];
};
/** Patterns of the files to which an import rule applies, such as `^packages/domain/src/values/`. */
const ruled = forbidden.map(({ from }) => from.path);

interface Folder {
  readonly path: string;
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/** A folder and all folders below it. */
function foldersOf(path: string): Folder[] {
  const entries = readdirSync(new URL(`${path}/`, root), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const files = entries.filter(({ name }) => /\.(?:tsx?|[cm]js)$/.test(name)).map(({ name }) => name);
  return [{ path, files, folders }, ...folders.flatMap((each) => foldersOf(`${path}/${each}`))];
}

const hasCode = (path: string): boolean => foldersOf(path).some(({ files }) => files.length > 0);

const packages = readdirSync(new URL('packages/', root), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => `packages/${name}`);

describe('rooms', () => {
  for (const path of packages) {
    it(`of ${path} each have an import rule, where there are several`, () => {
      const rooms = foldersOf(`${path}/src`)
        .map((folder) =>
          folder.folders
            .filter((each) => hasCode(`${folder.path}/${each}`))
            .map((each) => `^${folder.path}/${each}/`),
        )
        .filter((each) => each.length > 1);
      expect(ruled).to.include.members(rooms.flat());
    });
  }

  it('with an import rule all exist', () => {
    const all = packages.flatMap((path) => foldersOf(`${path}/src`)).map((folder) => `^${folder.path}/`);
    const named = ruled.filter(
      (path) => path !== undefined && /^\^packages\/[\w-]+\/src\/[\w/-]+\/$/.test(path),
    );
    expect(named).to.have.length.above(100);
    expect(all).to.include.members(named);
  });
});
