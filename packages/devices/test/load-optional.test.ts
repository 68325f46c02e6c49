import { isTallybookError } from '@tallybook/domain';
import { expect } from 'chai';
import { loadOptional } from '../src/index.js';

describe('loadOptional', () => {
  it('gives the loaded module', async () => {
    const loaded = { answer: 42 };
    expect(await loadOptional('a test', 'something@1', () => Promise.resolve(loaded))).to.equal(loaded);
  });

  for (const [specifier, name] of [
    ['serialport@13', 'serialport'],
    ['@scope/thing@^1.2', '@scope/thing'],
  ] as const) {
    it(`says to install ${specifier} when ${name} cannot be loaded, and keeps the cause`, async () => {
      const cause = new Error('Cannot find package');
      const error: unknown = await loadOptional('a lamp', specifier, () => Promise.reject(cause)).catch(
        (reason: unknown) => reason,
      );
      if (!isTallybookError(error, 'INVALID_OPTION')) throw new Error('another error', { cause: error });
      expect(error.cause).to.equal(cause);
      expect(error.message)
        .to.contain('a lamp')
        .and.contain(`the package ${name},`)
        .and.contain(`"npm install ${specifier}" (in a checkout: remove node_modules, then "npm start")`);
    });
  }
});
