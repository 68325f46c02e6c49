import { TallybookError } from '@tallybook/domain';
import { expect } from 'chai';
import { composeStorage, MemoryStorage, type StorageParts } from '../src/index.js';

describe('composeStorage', () => {
  it('names the stores without which there is no record', () => {
    const { mapping, days } = new MemoryStorage();
    const compose = (parts: Partial<StorageParts>) => (): unknown => composeStorage(parts as StorageParts);
    expect(compose({})).to.throw(TallybookError, /^composeStorage needs mapping, days$/);
    expect(compose({ mapping })).to.throw(TallybookError, /^composeStorage needs days$/);
    expect(compose({ mapping, days })).not.to.throw();
  });
});
