import { expect } from 'chai';
import { triedCompilers, triedResolutions } from '../packages/compilers.mjs';
import { tableRows } from './fixtures/table-rows.js';
import { read } from './fixtures/read-project.js';

const page = read('docs/reference/stable.md');
const rowOf = (part: string): readonly (string | undefined)[] =>
  tableRows(page).find(([name]) => name === part) ?? [];

describe('What is stable', () => {
  it('names the oldest and the newest Node that are tried', () => {
    const [, versions = ''] = /NODE_VERSIONS = \[([^\]]+)\]/.exec(read('tools/ci/run.mjs')) ?? [];
    const tried = versions.split(',').map(Number);
    const [, oldest, newest] = rowOf('Node');
    expect(Number.parseInt(String(oldest), 10)).to.equal(Math.min(...tried));
    expect(Number(newest)).to.equal(Math.max(...tried));
    const { engines } = JSON.parse(read('package.json')) as { readonly engines: { readonly node: string } };
    expect(engines.node).to.equal(`>=${oldest}`);
  });

  it('names the oldest and the newest TypeScript, and the ways to find modules, that are tried', () => {
    const [, oldest, newest] = rowOf('TypeScript');
    expect([oldest, newest]).to.deep.equal([triedCompilers()[0], triedCompilers().at(-1)]);
    const resolutions = rowOf('module resolution').join(' ');
    expect(triedResolutions.filter((each) => !resolutions.includes(`\`${each}\``))).to.be.empty;
  });
});
