import { isTallybookError, type TallybookError } from '@tallybook/domain';
import { expect } from 'chai';
import { checkName } from '../src/index.js';

describe('The name of a device', () => {
  it('has 1 to 100 characters of any kind', () => {
    for (const name of ['a', 'a'.repeat(100), '😀'.repeat(100), '<\'&">'])
      expect(checkName(name)).to.equal(name);
  });

  for (const [what, name] of [
    ['nothing', ''],
    ['101 characters', 'a'.repeat(101)],
    ['a line end', 'a\nb'],
    ['a NUL', 'a\0'],
  ] as const) {
    it(`is refused if it is ${what}, with the name of its parameter`, () => {
      expect(() => checkName(name))
        .to.throw('name is 1 to 100 characters without control characters')
        .that.satisfies((error: TallybookError) => isTallybookError(error, 'INVALID_OPTION'))
        .and.has.deep.property('details', { parameter: 'name' });
    });
  }
});
