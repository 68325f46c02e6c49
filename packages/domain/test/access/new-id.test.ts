import { expect } from 'chai';
import { newId } from '../../src/access/ids-and-labels.js';

describe('the id of a session, a token or a passkey', () => {
  it('has 16 characters and does not begin with a hyphen, as options of commands do', () => {
    const idOf = (random: string): string => newId({ random: () => random.padEnd(43, 'xyz') });
    expect(idOf('a-b_c')).to.equal('a-b_cxyzxyzxyzxy');
    expect(idOf('-a-b')).to.equal('a-bxyzxyzxyzxyzx');
    expect(idOf('---_a')).to.equal('_axyzxyzxyzxyzxy');
  });
});
