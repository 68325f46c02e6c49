import { readFileSync } from 'node:fs';
import { expect } from 'chai';

interface Manifest {
  readonly files: readonly { readonly path: string; readonly bytes: number; readonly gz?: number }[];
}

/** Bytes over the air, with gzip: of all files, those of the languages too. */
const MOST = { '.js': 45_000, '.css': 10_000 };

describe('the built page', () => {
  const { files } = JSON.parse(
    readFileSync(new URL('../dist/files.json', import.meta.url), 'utf8'),
  ) as Manifest;

  for (const [suffix, most] of Object.entries(MOST)) {
    it(`has at most ${most} bytes of ${suffix}, compressed`, () => {
      const sizes = files.filter(({ path }) => path.endsWith(suffix)).map(({ gz, bytes }) => gz ?? bytes);
      expect(sizes).not.to.deep.equal([]);
      expect(sizes.reduce((sum, size) => sum + size)).to.be.at.most(most);
    });
  }

  it('names nothing by an absolute path, so that it works below any', () => {
    const page = readFileSync(new URL('../dist/page/index.html', import.meta.url), 'utf8');
    const targets = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, target]) => target ?? '');
    expect(targets).not.to.deep.equal([]);
    for (const target of targets) expect(target).to.match(/^\.\//);
  });

  it('has no script and no style in its text, which would be refused', () => {
    const page = readFileSync(new URL('../dist/page/index.html', import.meta.url), 'utf8');
    expect(page).not.to.match(/<script(?![^>]* src=)|<style| style=| on[a-z]+=/);
  });
});
