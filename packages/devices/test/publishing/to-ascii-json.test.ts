import { expect } from 'chai';
import { toAsciiJson } from '../../src/index.js';

describe('toAsciiJson', () => {
  it('writes each character beyond ASCII, and DEL, as its code of four digits', () => {
    expect(toAsciiJson({ name: 'Zoë ~\u007F\u0100￿' })).to.equal(
      '{"name":"Zo\\u00eb ~\\u007f\\u0100\\uffff"}',
    );
  });

  it('writes a character of two units as both', () => {
    expect(toAsciiJson(['😀'])).to.equal('["\\ud83d\\ude00"]');
  });

  it('is read back as it was', () => {
    const value = { text: 'Zoë 😀 "\\\n\u0000', numbers: [1, null], Grün: true };
    expect(JSON.parse(toAsciiJson(value))).to.deep.equal(value);
  });
});
