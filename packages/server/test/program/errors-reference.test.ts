import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { errorCodes } from '@tallybook/domain';

describe('docs/reference/errors.md', () => {
  it('has sections for exactly the error codes', async () => {
    const text = await readFile(new URL('../../../../docs/reference/errors.md', import.meta.url), 'utf8');
    const documented = [...text.matchAll(/^### `([A-Z_]+)`$/gm)].map(([, code]) => code);
    expect([...documented].sort()).to.deep.equal([...errorCodes].sort());
  });
});
