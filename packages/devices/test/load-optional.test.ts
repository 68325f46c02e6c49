import { expect } from 'chai';
import { rejectionOf } from '../../domain/test/fixtures/throws.js';
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
      const loading = loadOptional('a lamp', specifier, () => Promise.reject(cause));
      const error = await rejectionOf('INVALID_OPTION', loading);
      expect(error.cause).to.equal(cause);
      expect(error.message)
        .to.contain('a lamp')
        .and.contain(`the package ${name},`)
        .and.contain(`"npm install ${specifier}" (in a checkout: remove node_modules, then "npm start")`);
    });
  }
});
