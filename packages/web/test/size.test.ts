import { readFileSync } from 'node:fs';
import { expect } from 'chai';

/** A file in the manifest. */
interface BuiltFile {
  readonly path: string;
  readonly bytes: number;
  readonly gz?: number;
}

interface Manifest {
  readonly files: readonly BuiltFile[];
}

/** Maximum bytes of all files that every user loads first, with gzip, including the languages. */
const FIRST = { '.js': 45_000, '.css': 10_000 };
/** Maximum of all files, for users who open every page. */
const ALL = { '.js': 110_000, '.css': 10_000 };
/** Maximum of one file that is loaded later, while a person waits. */
const LATER = 17_000;

describe('the built page', () => {
  const { files } = JSON.parse(
    readFileSync(new URL('../dist/files.json', import.meta.url), 'utf8'),
  ) as Manifest;

  const page = readFileSync(new URL('../dist/page/index.html', import.meta.url), 'utf8');
  const isFirst = ({ path }: BuiltFile): boolean => page.includes(`"./${path}"`);
  const sizeOf = (some: readonly BuiltFile[]): number =>
    some.reduce((sum, { gz, bytes }) => sum + (gz ?? bytes), 0);

  for (const [what, limits, some] of [
    ['loads at first', FIRST, files.filter(isFirst)],
    ['has', ALL, files],
  ] as const)
    for (const [suffix, most] of Object.entries(limits)) {
      it(`${what} at most ${most} bytes of ${suffix}, compressed`, () => {
        const found = some.filter(({ path }) => path.endsWith(suffix));
        expect(found).not.to.deep.equal([]);
        expect(sizeOf(found)).to.be.at.most(most);
      });
    }

  it(`is loaded later in few files, each of at most ${LATER} bytes, compressed`, () => {
    const later = files.filter((file) => file.path.endsWith('.js') && !isFirst(file));
    expect(later).to.have.length.within(1, 8);
    for (const file of later) expect(sizeOf([file]), file.path).to.be.at.most(LATER);
  });

  it('is published with the licenses of the packages in it', () => {
    const text = readFileSync(new URL('../dist/THIRD-PARTY-NOTICES.txt', import.meta.url), 'utf8');
    for (const name of ['preact', '@preact/signals', '@preact/signals-core'])
      expect(text).to.match(new RegExp(`^${name} \\d.*\n\nThe MIT License`, 'm'));
  });

  it('names nothing by an absolute path, so that it works below any', () => {
    const targets = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, target]) => target ?? '');
    expect(targets).not.to.deep.equal([]);
    for (const target of targets) expect(target).to.match(/^\.\//);
  });

  it('has no script and no style in its text, which would be refused', () => {
    expect(page).not.to.match(/<script(?![^>]* src=)|<style| style=| on[a-z]+=/);
  });
});
