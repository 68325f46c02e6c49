import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { triedCompilers, triedResolutions } from '../packages/compilers.mjs';
import { tableRows } from './fixtures/table-rows.js';

const root = new URL('../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, root), 'utf8');
const page = read('docs/reference/stable.md');
const rowOf = (part: string): readonly (string | undefined)[] =>
  tableRows(page).find(([name]) => name === part) ?? [];

describe('What is stable', () => {
  it('names the oldest and the newest TypeScript, and the ways to find modules, that are tried', () => {
    const [, oldest, newest] = rowOf('TypeScript');
    expect([oldest, newest]).to.deep.equal([triedCompilers()[0], triedCompilers().at(-1)]);
    const resolutions = rowOf('module resolution').join(' ');
    expect(triedResolutions.filter((each) => !resolutions.includes(`\`${each}\``))).to.be.empty;
  });
});
