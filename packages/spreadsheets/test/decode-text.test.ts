import { expect } from 'chai';
import { decodeText } from '../src/decode-text.js';

const zoe = 'Zoë;Łukasz';

describe('decodeText', () => {
  it('reads UTF-8 with and without a byte order mark, which is no part of the text', () => {
    expect(decodeText(Buffer.from(zoe))).to.equal(zoe);
    expect(decodeText(Buffer.from(`\uFEFF${zoe}`))).to.equal(zoe);
  });

  it('reads UTF-16 in both orders of bytes by its mark', () => {
    const littleEndian = Buffer.from(`\uFEFF${zoe}`, 'utf16le');
    expect(decodeText(littleEndian)).to.equal(zoe);
    expect(decodeText(Buffer.from(littleEndian).swap16())).to.equal(zoe);
  });

  it('reads other bytes than UTF-8 as Windows-1252', () => {
    expect(decodeText(Buffer.from([0x5a, 0x6f, 0xeb, 0x20, 0x80, 0x9f]))).to.equal('Zoë €Ÿ');
  });

  it('reads every byte of Windows-1252 as one character', () => {
    const text = decodeText(Uint8Array.from({ length: 256 }, (_each, byte) => byte));
    expect(new Set(text).size).to.equal(256);
    expect(text.slice(0x7e, 0xa2)).to.equal(
      '~\u007F€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ\u00A0¡',
    );
  });

  it('shows a replacement character for a broken byte in a text with a byte order mark', () => {
    expect(decodeText(Buffer.from([0xef, 0xbb, 0xbf, 0x5a, 0xff]))).to.equal('Z\uFFFD');
  });

  it('reads an empty file', () => {
    expect(decodeText(new Uint8Array())).to.equal('');
  });
});
