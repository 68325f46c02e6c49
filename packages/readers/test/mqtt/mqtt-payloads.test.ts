import { expect } from 'chai';
import type { ReadTag } from '../../src/mqtt/message-texts.js';
import { payloadReaders } from '../../src/mqtt/mqtt-payloads.js';

/** The bytes in hex, with `uid:` before a UID, the text in quotes, or the problem. */
function summarise(tags: readonly ReadTag[]): string[] {
  return tags.map((tag) => {
    if ('fault' in tag) return String(tag.fault.details['problem']);
    if ('text' in tag) return JSON.stringify(tag.text);
    return `${tag.isUid ? 'uid:' : ''}${Buffer.from(tag.bytes).toString('hex').toUpperCase()}`;
  });
}

describe('the messages of Tasmota', () => {
  const read = (payload: string): string[] => summarise(payloadReaders.tasmota(payload));

  /** Messages from users and from the documentation of Tasmota. */
  const tags: readonly (readonly [what: string, payload: string, tags: readonly string[]])[] = [
    ['RDM6300', '{"Time":"2020-06-24T16:39:51","RDM6300":{"UID":"008EC793"}}', ['008EC793']],
    [
      'PN532',
      '{"Time":"1970-01-01T00:00:12","PN532":{"UID":"1C8A9E4B","Data":"Hello","Auth":"None"}}',
      ['uid:1C8A9E4B'],
    ],
    [
      'PN532 with 7 bytes',
      '{"Time":"2019-02-15T18:36:31","PN532":{"UID":"04A1B2C3D4E580"}}',
      ['uid:04A1B2C3D4E580'],
    ],
    [
      'RC522',
      '{"Time":"2021-01-25T15:50:32","RC522":{"UID":"BA839D07","Data":"","Type":"MIFARE 1KB"}}',
      ['uid:BA839D07'],
    ],
    ['Wiegand, 26 bits', '{"Time":"2021-01-22T12:03:55","Wiegand":{"UID":7748328,"Size":26}}', ['763AE8']],
    [
      'Wiegand, 26 bits in hex',
      '{"Time":"2021-01-22T12:03:55","Wiegand":{"UID":"763AE8h","Size":26}}',
      ['763AE8'],
    ],
    ['Wiegand, 24 bits', '{"Wiegand":{"UID":255,"Size":24}}', ['0000FF']],
    ['Wiegand, 34 bits', '{"Time":"2021-01-22T12:03:55","Wiegand":{"UID":4302564,"Size":34}}', ['0041A6E4']],
    ['Wiegand, 32 bits in hex', '{"Wiegand":{"UID":"FFFFFFFEh","Size":32}}', ['FFFFFFFE']],
    ['Wiegand, whose parity is wrong', '{"Wiegand":{"UID":0,"Size":26}}', ['000000']],
    ['a serial bridge', '{"SSerialReceived":"0006547886"}', ['"0006547886"']],
    [
      'a serial bridge that has heard several frames',
      '{"SSerialReceived":"\\u000262E3086CED08\\u0003\\u0002010063E9AE25\\r\\n\\u0003"}',
      ['"62E3086CED08"', '"010063E9AE25"'],
    ],
    ['a serial bridge that has heard line ends', '{"SSerialReceived":"\\r\\n \\r\\n"}', []],
  ];
  for (const [what, payload, expected] of tags) {
    it(`hold the tag of ${what}`, () => {
      expect(read(payload)).to.deep.equal(expected);
    });
  }

  for (const [what, payload, expected] of tags.filter(([, text]) => !text.includes('SSerial'))) {
    it(`hold the tag of ${what} also after reformatting`, () => {
      const formatted = JSON.stringify(JSON.parse(payload), undefined, 2);
      expect(read(formatted)).to.deep.equal(expected);
      expect(read(formatted.replaceAll('": ', '" :\t').replaceAll('\n', '\r\n'))).to.deep.equal(expected);
    });
  }

  it('are a fault when they name a reader without a UID at the place where Tasmota writes it', () => {
    for (const tag of [
      '{"Data":"","UID":"04A1B2C3"}',
      '{"uid":"04A1B2C3"}',
      '"04A1B2C3"',
      '{"UID":null}',
      '{}',
    ])
      expect(read(`{"Time":"-","RC522":${tag}}`)).to.deep.equal([
        'the message names a reader, but no UID comes first',
      ]);
  });

  it('hold keys of a keypad, which give no tags', () => {
    for (const size of [4, 8]) expect(read(`{"Wiegand":{"UID":7,"Size":${size}}}`)).to.be.empty;
  });

  it('hold telemetry, which gives no fault', () => {
    const telemetry = [
      '{"Time":"2020-06-24T16:39:51","ANALOG":{"Temperature":21.5},"TempUnit":"C"}',
      '{"Time":"2020-06-24T16:39:51","Uptime":"0T00:10:13","Wifi":{"AP":1,"SSId":"home"}}',
      '{"POWER":"ON"}',
      '{"SSerialReceived":{"a":1}}',
      '{}',
      '[]',
    ];
    for (const payload of telemetry) expect(read(payload)).to.be.empty;
  });

  it('give the UID regardless of the data on the card', () => {
    const uid = ['uid:04A1B2C3'];
    expect(read('{"Time":"-","PN532":{"UID":"04A1B2C3","Data":"a "quote"","Auth":"None"}}')).to.deep.equal(
      uid,
    );
    expect(read('{"PN532":{"UID":"04A1B2C3","Data":"","UID":"DEADBEEF","Auth":"None"}}')).to.deep.equal(uid);
  });

  it('give the first UID, and a further one is a fault, because a card can forge it', () => {
    const further = ['uid:04A1B2C3', 'the message has a further tag, which was not read'];
    expect(read('{"PN532":{"UID":"04A1B2C3","Data":""},"RDM6300":{"UID":"00DEADBEEF"}}')).to.deep.equal(
      further,
    );
    expect(read('{"RC522":{"UID":"04A1B2C3"},"Wiegand":{"UID":7748328,"Size":26}}')).to.deep.equal(further);
  });

  it('are a fault without their content when they are no JSON or hold an invalid UID', () => {
    expect(read('Ada Lovelace')).to.deep.equal(['the message is not JSON']);
    for (const payload of ['12', 'null', '"04A1B2C3"']) {
      expect(read(payload)).to.deep.equal(['the message is JSON, but neither an object nor a list']);
    }
    for (const uid of ['""', '"Ada"', '"04A"'])
      expect(read(`{"PN532":{"UID":${uid}}}`)).to.deep.equal(['the UID is not hex']);
    expect(read('{"Wiegand":{"UID":"xyzh","Size":26}}')).to.deep.equal(['the UID is not hex']);
    expect(read('{"Wiegand":{"UID":8589934592,"Size":37}}')).to.deep.equal(['the UID is not hex']);
    const [fault] = payloadReaders.tasmota('Ada Lovelace');
    expect(fault).to.have.nested.property(
      'fault.message',
      'the message is not JSON; got 12 other characters',
    );
  });
});

describe('the messages of ESPHome', () => {
  const read = (payload: string): string[] => summarise(payloadReaders.esphome(payload));

  it('hold a UID with hyphens', () => {
    expect(read('74-10-37-94')).to.deep.equal(['uid:74103794']);
    expect(read('04-a1-b2-c3-d4-e5-80')).to.deep.equal(['uid:04A1B2C3D4E580']);
  });

  it('hold the number of a card, of 4 bytes, or of 5 if it does not fit', () => {
    expect(read('6547886')).to.deep.equal(['0063E9AE']);
    expect(read('4294967295')).to.deep.equal(['FFFFFFFF']);
    expect(read('4294967296')).to.deep.equal(['0100000000']);
    expect(read('1099511627775')).to.deep.equal(['FFFFFFFFFF']);
  });

  it('are a fault with all other content', () => {
    const problem = ['the message is neither a UID such as 74-10-37-94 nor a number'];
    for (const payload of [
      '1099511627776',
      '10995116277750',
      '74103794ab',
      '74-1-37',
      '-5',
      '1e3',
      'Ada',
      '{}',
    ])
      expect(read(payload)).to.deep.equal(problem);
  });
});

describe('plain messages', () => {
  it('hold only the id', () => {
    expect(summarise(payloadReaders.plain('04:A2:B3'))).to.deep.equal(['"04:A2:B3"']);
  });
});
