import { expect } from 'chai';
import { LOG_NAME, numbered } from '../../src/leveldb-files/numbered-names.js';

describe('Numbered names', () => {
  it('are in the order of their numbers, not of their texts', () => {
    const names = ['1000000.log', '000003.log', '999999.log'];
    expect([...numbered(names, LOG_NAME)]).to.deep.equal([
      [3, '000003.log'],
      [999_999, '999999.log'],
      [1_000_000, '1000000.log'],
    ]);
  });

  it('are those that match the pattern completely', () => {
    const others = ['x5.log', '6.log.old', '7.ldb', '.log', 'LOG', '8-log'];
    expect(numbered(others, LOG_NAME)).to.be.empty;
  });
});
