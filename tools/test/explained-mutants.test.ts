import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { explained } from '../../mutation/explained.mjs';

const root = new URL('../../', import.meta.url);

/** The text of a source as the report of mutants shows it, on one line; `undefined` if there is no such file. */
function sourceOf(file: string): string | undefined {
  const source = new URL(`packages/${file.replace('/', '/src/')}`, root);
  return existsSync(source) ? readFileSync(source, 'utf8').replaceAll(/\s+/g, ' ') : undefined;
}

describe('Mutants that are explained', () => {
  const files = explained.flatMap((each) => Object.entries<string | readonly string[]>(each));

  it('are of sources that are there, and of what stands in them', () => {
    const gone = files.flatMap(([file, changes]) => {
      if (typeof changes === 'string') return [];
      const source = sourceOf(file);
      return changes
        .filter((change) => source?.includes(change.slice(0, change.indexOf(' -> '))) !== true)
        .map((change) => `${file}: ${change}`);
    });
    expect(gone).to.deep.equal([]);
  });
});
