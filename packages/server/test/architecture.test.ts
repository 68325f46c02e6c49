import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

const root = new URL('../../../', import.meta.url);

/** Which package imports which, `server --> domain`, by the sources. */
function importsOfSources(): string[] {
  const edges = new Set<string>();
  for (const entry of readdirSync(new URL('packages', root), { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const { name } = entry;
    const sources = new URL(`packages/${name}/src/`, root);
    for (const file of readdirSync(sources, { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts')) continue;
      const text = readFileSync(new URL(file, sources), 'utf8');
      for (const [, imported] of text.matchAll(/(?:from |import\()'@tallybook\/([a-z-]+)'/g)) {
        edges.add(`${name} --> ${imported}`);
      }
    }
  }
  return [...edges].sort();
}

/** The arrows of the picture in a page, one by one. */
function arrowsOf(page: string): string[] {
  const text = readFileSync(new URL(page, root), 'utf8');
  const picture = /```mermaid\nflowchart(.*?)```/s.exec(text)?.[1] ?? '';
  return picture
    .split('\n')
    .filter((line) => line.includes('-->'))
    .flatMap((line) => {
      const [from = [], to = []] = line
        .split('-->')
        .map((side) => side.split('&').map((name) => name.trim()));
      return from.flatMap((each) => to.map((other) => `${each} --> ${other}`));
    })
    .sort();
}

describe('the picture of the packages', () => {
  for (const page of ['README.md', 'docs/explanation/why-ports.md']) {
    it(`shows in ${page} each import between packages, and no other`, () => {
      expect(arrowsOf(page)).to.deep.equal(importsOfSources());
    });
  }
});
