import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { readConfigFile, loadConfig } from '@tallybook/server';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

const docs = new URL('../../../../docs/', import.meta.url);

/** Pieces of a configuration file in a page: blocks of TOML, written files, and added lines. */
function piecesOf(page: string): string[] {
  const text = readFileSync(new URL(page, docs), 'utf8');
  return [
    /```toml\n(.*?)```/gs,
    /\/etc\/tallybook\/tallybook\.toml <<'END'\n(.*?)END$/gms,
    /^echo '(.*)' \| sudo tee -a \/etc\/tallybook\/tallybook\.toml$/gm,
    /`([a-z-]+ = [^`]+)`/g,
  ].flatMap((pattern) => [...text.matchAll(pattern)].map(([, piece = '']) => piece));
}

describe('the settings in documents', () => {
  const folder = temporaryFolder();
  const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter((page) =>
    page.endsWith('.md'),
  );

  for (const page of pages.filter((each) => /^(?:how-to|reference)\//.test(each))) {
    piecesOf(page).forEach((piece, at) => {
      it(`are valid in ${page}, piece ${at + 1}`, async () => {
        await writeFile(folder.path('tallybook.toml'), piece);
        const file = await readConfigFile(folder.path('tallybook.toml'));
        expect(() => loadConfig({}, {}, { file })).to.not.throw();
      });
    });
  }

  it('are in at least ten pages', () => {
    expect(pages.filter((page) => piecesOf(page).length > 0)).to.have.length.above(9);
  });
});
