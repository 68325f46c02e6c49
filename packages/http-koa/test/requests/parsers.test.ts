import { expect } from 'chai';
import { readerOf, type ReadRequest } from '../../src/requests/parsers.js';

describe('The reader of a number in a query', () => {
  it('compiles its pattern once, not with each request', () => {
    const schema = { format: 'digits', pattern: '^[0-9]{1,3}$' };
    const read = readerOf(schema, true);
    const { RegExp } = globalThis;
    let compiled = 0;
    globalThis.RegExp = new Proxy(RegExp, {
      construct(target, args: ConstructorParameters<RegExpConstructor>) {
        compiled++;
        return new target(...args);
      },
    });
    try {
      const field = { name: 'limit', schema, isOptional: false };
      expect(read('12', field, {} as ReadRequest)).to.equal(12);
    } finally {
      globalThis.RegExp = RegExp;
    }
    expect(compiled).to.equal(0);
  });
});
