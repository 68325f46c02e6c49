import { expect } from 'chai';
import { decodeText as decode } from '../src/decode-text.js';
import { decodeAs, encodings } from '../src/encodings.js';

const decodeText = (bytes: Uint8Array): string => decode(bytes).text;

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
    const text = decodeAs(
      Uint8Array.from({ length: 256 }, (_each, byte) => byte),
      'windows-1252',
    );
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

  /** The bytes of a text in an encoding of single bytes. */
  function encode(text: string, encoding: (typeof encodings)[number]): Buffer {
    const all = decodeAs(
      Uint8Array.from({ length: 256 }, (_each, byte) => byte),
      encoding,
    );
    return Buffer.from(Array.from(text, (letter) => all.indexOf(letter)));
  }

  const german = 'Jürgen Größe, Bärbel Müller, Zoé Schröder';
  const polish = 'Łukasz Wąsik, Michał Żak, Jędrzej Poznański';
  const czech = 'Jiří Dvořák, Zdeněk Černý, Tomáš Novák';
  const french = 'Hélène Lefèvre, François Benoît, Noël';
  for (const [encoding, lists] of [
    ['windows-1252', [german, french, 'Muñoz Peña, José', 'Søren Ærø, Åse']],
    ['windows-1250', [polish, czech, 'Đurđa Jurčić', 'Erdős Ödön, Szőke László']],
    ['macintosh', [german, french, 'Muñoz Peña, José']],
    ['ibm850', [german, french, 'Muñoz Peña, José']],
    ['iso-8859-2', ['Łukasz Wąsik, Stanisław Świątek']],
  ] as const)
    for (const list of lists) {
      it(`guesses ${encoding} from the letters of ${list}, and says that it is a guess`, () => {
        const { text, guesses, doubtful, ...found } = decode(encode(list, encoding));
        expect([found.encoding, text]).to.deep.equal([encoding, list]);
        expect(guesses.map((guess) => guess.encoding)).to.include.members(['windows-1250', 'macintosh']);
        expect(guesses[0]?.words[0]).to.equal(/[A-Z]?[a-z]*[^ -~][^ ,]*/.exec(list)?.[0]);
        expect(doubtful).to.deep.equal([]);
      });
    }

  it('takes lines that end as on old Macs for those of a Mac', () => {
    expect(decode(encode('0A0A0A;Jürgen\r', 'macintosh')).text).to.equal('0A0A0A;Jürgen\r');
  });

  it('does not guess what is certain or was chosen', () => {
    for (const bytes of [Buffer.from(zoe), Buffer.from(`\uFEFF${zoe}`, 'utf16le'), Buffer.from('Ada')]) {
      expect(decode(bytes))
        .to.include({ text: bytes.length === 3 ? 'Ada' : zoe })
        .and.deep.include({ guesses: [] });
    }
    for (const encoding of encodings.filter((each) => !each.startsWith('utf'))) {
      const bytes = Buffer.from([0x41, 0xe9]);
      expect(decode(bytes, encoding)).to.deep.include({
        encoding,
        guesses: [],
        text: decodeAs(bytes, encoding),
      });
    }
  });

  it('reads UTF-16 without a mark', () => {
    const littleEndian = Buffer.from('ID;Zoë', 'utf16le');
    expect(decodeText(littleEndian)).to.equal('ID;Zoë');
    expect(decodeText(Buffer.from(littleEndian).swap16())).to.equal('ID;Zoë');
  });

  it('doubts words whose letters do not stand together', () => {
    const { encoding, doubtful } = decode(Buffer.from('Gra×e, Müller, Größe', 'latin1'));
    expect([encoding, doubtful]).to.deep.equal(['windows-1252', ['Gra×e']]);
  });

  it('doubts UTF-8 that was taken for another encoding, and letters that were lost', () => {
    expect(decode(Buffer.from('JÃ¼rgen;M\uFFFDller;João;Zoë')).doubtful).to.deep.equal([
      'JÃ¼rgen',
      'M\uFFFDller',
    ]);
  });
});
