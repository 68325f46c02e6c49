import { expect } from 'chai';
import { createPcscFault } from '../../src/pcsc/pcsc-fault.js';

describe('The fault of a PC/SC reader', () => {
  it('names the wanted reader, if a name was set', () => {
    const any = createPcscFault('', 'lost');
    expect(any.message).to.equal('a PC/SC reader was lost; plug the reader in again');
    const named = createPcscFault('ACR122', 'lost');
    expect(named.message).to.equal('the PC/SC reader "ACR122" was lost; plug the reader in again');
    expect([any.details, named.details]).to.deep.equal([
      { match: '', reason: 'lost' },
      { match: 'ACR122', reason: 'lost' },
    ]);
  });

  it('repeats an unknown error', () => {
    for (const cause of [new Error('odd'), 'odd']) {
      const fault = createPcscFault('', 'other', cause);
      expect(fault.message).to.equal('a PC/SC reader cannot be used: odd');
      expect(fault.cause).to.equal(cause);
    }
  });
});
