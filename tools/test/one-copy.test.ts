import { expect } from 'chai';
import { runMocha } from './mocha-run.js';

describe('What a test imports', () => {
  it('is there once, whether it is named at the top or when its turn comes', async () => {
    const later = await import('./mocha-run.js');
    expect(later.runMocha).to.equal(runMocha);
  });
});
