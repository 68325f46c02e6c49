import { ManualClock, Recorder } from '@tallybook/testing';
import { expect } from 'chai';
import fc from 'fast-check';
import { createReader, frameDecoders, guessProtocol, SerialIdSource } from '../../../src/index.js';
import { encodeGwiotFrame } from './gwiot-frame.js';
import { PluggableLine } from '../pluggable-line.js';
import { encodeFrame, encodeLongFrame } from './rdm6300-frame.js';
import { idsOf } from '../../fixtures/recorded-source.js';

const ADA = '62E3086CED';
const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1');

/** The suggested parameters of the URL. */
function guess(bytes: Uint8Array): string | undefined {
  const { parameters } = guessProtocol(bytes) ?? {};
  return (
    parameters &&
    Object.entries(parameters)
      .map((each) => each.join('='))
      .join('&')
  );
}

describe('guessProtocol', () => {
  const guesses: readonly (readonly [what: string, bytes: Buffer, parameters: string | undefined])[] = [
    ['an RDM6300', encodeFrame(ADA), 'protocol=rdm6300'],
    ['an RDM6300 after noise', Buffer.concat([bytesOf('\xff\x02E3'), encodeFrame(ADA)]), 'protocol=rdm6300'],
    ['an ID-12', encodeLongFrame(ADA), 'protocol=id12'],
    ['a 7941D', bytesOf('\x02\x0a\x02\x2e\x00\xb6\xd7\xb5\xf2\x03'), 'protocol=7941d'],
    ['a 7941D with a MIFARE tag', encodeGwiotFrame(1, '04A1B2C3D4E580'), 'protocol=7941d'],
    ['a Parallax reader', bytesOf('\n0F0184F20B\r\n0F0184F20B\r'), 'protocol=parallax'],
    ['an EM-18', bytesOf('4B001122334B'), 'protocol=em18'],
    ['an EM-18, twice', bytesOf('62E3086CED0862E3086CED08'), 'protocol=em18'],
    ['lines of 12 digits with a checksum', bytesOf('62E3086CED08\r\n'), 'protocol=lines&format=hex-xor'],
    ['lines of 10 digits', bytesOf('886\r\n0006547886\r\n'), 'protocol=lines&format=dec10'],
    ['lines of 13 digits', bytesOf('0004301515182\r'), 'protocol=lines&format=dec13'],
    ['lines of 3 and 5 digits', bytesOf('099,59822\r\n'), 'protocol=lines&format=dec3-5'],
    ['lines of twice 5 digits', bytesOf('00099,59822\n'), 'protocol=lines&format=dec5-5'],
    ['lines of hex', bytesOf('04:A1:B2:C3\r\n04:A1'), 'protocol=lines'],
    [
      'lines with words around an id',
      bytesOf('UID: 04 4B 17 12 (x)\r\n'),
      'protocol=lines&pattern=^UID: ([0-9A-Fa-f]{2}(?:[ :-][0-9A-Fa-f]{2}){3}) \\(x\\)$',
    ],
    [
      'lines with words around an id without spaces',
      bytesOf('UID=044B1712A3B4C5;\r\n'),
      'protocol=lines&pattern=^UID=([0-9A-Fa-f]{14});$',
    ],
    ['lines of text', bytesOf('M-471\r\n'), 'protocol=lines&format=text'],
    [
      'a code after ESC',
      bytesOf('\x1b0006547886\r\n\x1b00065'),
      'protocol=lines&pattern=[0-9]{10}&match=part&format=dec10',
    ],
    [
      'a code before a Tab',
      bytesOf('0006547886\t'),
      'protocol=lines&pattern=[0-9]{10}&match=part&format=dec10',
    ],
    ['a code with nothing after it', bytesOf('04A1B2C3'), 'protocol=lines&pattern=[0-9A-Fa-f]{8}&match=part'],
    ['digits with a wrong checksum', bytesOf('62E3086CED09'), undefined],
    ['text without line ends', bytesOf('UID 04A1B2C3'), undefined],
  ];
  for (const [what, bytes, parameters] of guesses) {
    it(`recognises ${what}`, () => {
      expect(guessProtocol(bytes)?.what).to.be.a('string');
      expect(guess(bytes)).to.equal(parameters);
    });
  }

  const noise: Readonly<Record<string, Buffer>> = {
    nothing: Buffer.alloc(0),
    'a wrong baud rate': bytesOf('\x86\xfe\x00\x98\xe0\x06\x9e'),
    'a frame with a wrong checksum': bytesOf('\x0262E3086CED09\x03'),
    'digits of which one was lost': bytesOf('62E3086CED\x808'),
    'a 7941D with a wrong checksum': bytesOf('\x02\x0a\x02\x2e\x00\xb6\xd7\xb5\xf3\x03'),
  };
  for (const [what, bytes] of Object.entries(noise)) {
    it(`does not recognise ${what}`, () => {
      expect(guessProtocol(bytes)).to.equal(undefined);
    });
  }

  it('never throws, for all bytes', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.uint8Array({ maxLength: 80 }), fc.string({ maxLength: 80 }).map(bytesOf)),
        (bytes) => {
          guessProtocol(bytes);
        },
      ),
      { seed: 3, numRuns: 1_000 },
    );
  });

  it('names existing protocols', () => {
    for (const [, bytes, parameters] of guesses) {
      const protocol = guessProtocol(bytes)?.parameters?.['protocol'];
      if (parameters !== undefined) expect(frameDecoders).to.have.property(protocol ?? '');
    }
  });

  it('finds a pattern for the id that does not match an incomplete line', async () => {
    const line = await PluggableLine.create();
    const pattern = guessProtocol(bytesOf('UID: 04 4B 17 12\r\n'))?.parameters?.['pattern'] ?? '';
    const url = `serial:${line.path}?protocol=lines&pattern=${encodeURIComponent(pattern)}`;
    const reader = createReader(url, { clock: new ManualClock() });
    const ids = idsOf(reader);
    await reader.open();
    await line.send(bytesOf('UID: 04 A1 B2\r\nUID: 04 A1 B2 C\r\nUID: 04A1B2C3\r\nUID: 04 A1 B2 C3\r\n'));
    expect(await ids.count(1)).to.deep.equal(['04A1B2C3']);
    await reader.close();
    await line.dispose();
  });
});

describe('A reader on a serial line', () => {
  it('gives the received bytes and the baud rate', async () => {
    const line = await PluggableLine.create();
    const reader = createReader(`serial:${line.path}?protocol=parallax`, { clock: new ManualClock() });
    if (!(reader instanceof SerialIdSource)) throw new Error('it is another reader');
    expect(reader.baudRate).to.equal(2_400);
    let received = '';
    reader.received.subscribe((bytes) => (received += Buffer.from(bytes).toString('latin1')));
    const chunks = new Recorder(reader.received);
    await reader.open();
    await line.send(bytesOf('\xff\x00no frame'));
    await chunks.find('all bytes', () => received.length === 10);
    expect(received).to.equal('\xff\x00no frame');
    await reader.close();
    await line.dispose();
  });
});
