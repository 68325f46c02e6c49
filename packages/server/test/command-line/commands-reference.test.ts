import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { call } from '../fixtures/processes/called.js';

describe('docs/reference/configuration.md', () => {
  it('has a section for each command, and for no other one', async () => {
    const { output } = await call('help');
    const [, listed = ''] = /^Commands:\n((?: {2}.*\n?)+)/m.exec(output) ?? [];
    const commands = [...listed.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name = '']) => name);
    const text = await readFile(
      new URL('../../../../docs/reference/configuration.md', import.meta.url),
      'utf8',
    );
    const documented = [...text.matchAll(/^## `tallybook ([a-z-]+)/gm)].map(([, name = '']) => name);
    expect([...new Set(documented)].sort()).to.deep.equal(commands.filter((name) => name !== 'help').sort());
  });
});
