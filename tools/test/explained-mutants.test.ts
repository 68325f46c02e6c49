import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { countPlaces } from '../../mutation/explained-change.mjs';
import { explained } from '../../mutation/explained.mjs';
import { report } from '../../mutation/report.mjs';

const root = new URL('../../', import.meta.url);

/** The text of a source; empty if there is no such file. */
function sourceOf(file: string): string {
  const source = new URL(`packages/${file.replace('/', '/src/')}`, root);
  return existsSync(source) ? readFileSync(source, 'utf8') : '';
}

interface Report {
  readonly row: { readonly explained: number };
  readonly unexplained: readonly { readonly line: number; readonly change: string }[];
}

describe('Mutants that are explained', () => {
  const files = Object.values(explained).flatMap((each) => Object.entries<readonly string[]>(each));

  it('are of sources that are there, each of one place in them', () => {
    const inexact = files.flatMap(([file, changes]) => {
      const source = sourceOf(file);
      return changes
        .map((change) => ({ file, change, places: countPlaces(change, source) }))
        .filter(({ places }) => places !== 1);
    });
    expect(inexact).to.deep.equal([]);
  });

  it('are excused in the place that is meant, and nowhere else', () => {
    const source = sourceOf('testing/contracts/devices/id-source.ts');
    const mutants = [...source.matchAll(/value === bob/g)].map(({ 0: text, index }) => ({
      fileName: 'packages/testing/src/contracts/devices/id-source.ts',
      location: { start: placeOf(source, index), end: placeOf(source, index + text.length) },
      replacement: 'true',
      status: 'Survived',
    }));
    const other = { ...mutants.at(-1), replacement: 'false' };
    const { row, unexplained } = report('testing', [...mutants, other], () => source) as Report;
    expect(row.explained).to.equal(1);
    expect(unexplained.map(({ line, change }) => [line, change])).to.deep.equal([
      [mutants[0]?.location.start.line, 'value === bob -> true'],
      [mutants[1]?.location.start.line, 'value === bob -> false'],
    ]);
  });
});

function placeOf(source: string, offset: number): { readonly line: number; readonly column: number } {
  const lines = source.slice(0, offset).split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
