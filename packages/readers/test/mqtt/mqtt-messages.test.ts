import { expect } from 'chai';
import { PluggableBroker } from '../../../devices/test/mqtt/pluggable-broker.js';
import { END, readMessages } from './read-messages.js';

/** Events of a SmartReader of Impinj: tags, and the state of the reader. */
const IMPINJ = {
  tags: '{"readerName":"impinj-1","mac":"00:16:25:13:F9:0B","tag_reads":[{"epc":"E28011606000020934D6FAF7","antennaPort":1},{"epc":"E28011606000020934D6FAF8","antennaPort":2}]}',
  state: '{"smartreader-status":"connected","readerName":"impinj-1"}',
};
/** A message of a hub for model railways: a tag that arrives, and one that leaves. */
const STARFISH =
  '[{"S":"082","E":"R","U":"082B278907"},{"S":"083","E":"U","U":"0415148F26"},{"S":"084","E":"R","U":"0F0184F07A"}]';

describe('the messages at a topic', () => {
  let broker: PluggableBroker;

  before(async () => {
    broker = await PluggableBroker.create();
  });

  after(() => broker.dispose());

  const read = (parameters: string, payloads: readonly string[], end?: string): Promise<readonly string[]> =>
    readMessages(broker, parameters, payloads, ({ message }) => message, end);

  const TWO = ['door 0063E9AE', 'door 0012D687'];
  const messages: readonly (readonly [
    what: string,
    parameters: string,
    payloads: readonly string[],
    results: readonly string[],
  ])[] = [
    ['are an id in quotes, as a text in JSON', 'spelling=dec10', ['"0006547886"', ' "0001234567"\n'], TWO],
    [
      'are an id in quotes of ESPHome',
      'format=esphome',
      ['"74-10-37-94"', '"6547886"'],
      ['door 74103794', TWO[0] ?? ''],
    ],
    ['are a list of texts in JSON', 'spelling=dec10', ['["0006547886","0001234567"]', '[]'], TWO],
    ['are one id a line', 'spelling=dec10', ['0006547886\r\n0001234567\r\n'], TWO],
    [
      'are ids of text, with or without quotes',
      'spelling=text',
      ['"M-004711"', 'M-004711'],
      Array(2).fill('door 9263E6C9228C4B4E188C') as string[],
    ],
    [
      'are not tags when a device says that there is none',
      'spelling=text',
      ['0', '"0"', 'null', '(null)', 'None', 'unknown', 'unavailable', 'offline', '""'],
      [],
    ],
    ['say that there is no tag in every format', 'format=esphome', ['0', '(null)', 'Offline'], []],
    [
      'say that there is no tag in JSON',
      'format=json&field=tag&spelling=text',
      ['{"tag":0}', '{"tag":"0"}', '{"tag":"none"}', '{"tag":"M-004711"}'],
      ['door 9263E6C9228C4B4E188C'],
    ],
    [
      'are no text of only 0 or only F',
      'spelling=text',
      ['00000000', 'ffffffffff'],
      [
        'the reader says "no tag": 00000000 is only 0 or only F digits',
        'the reader says "no tag": FFFFFFFFFF is only 0 or only F digits',
      ],
    ],
    [
      'are a fault that names the right setting when they have more than the id',
      'spelling=dec10',
      ['0006547886,1583253000'],
      [
        'an id in this format is 10 decimal digits up to 4294967295; got 21 characters; if the message has more than the id, set format=csv or format=json, and field',
      ],
    ],
    [
      'are values with commas between',
      'format=csv&field=0&spelling=dec10',
      ['0006547886,1583253000', '"0001234567";1583253001', '0006547886\t1583253002', '0,1583253003'],
      [...TWO, TWO[0] ?? ''],
    ],
    [
      'are a fault without a value at the index',
      'format=csv&field=2',
      ['0006547886,1583253000'],
      ['the message has no text and no whole number at "2"; got 21 other characters'],
    ],
    [
      'give one reading for each item of a list on the path',
      'format=json&field=tag_reads.epc&where=tag_reads&reader-field=tag_reads.antennaPort&spelling=text',
      [IMPINJ.tags, IMPINJ.state],
      ['door/1 FD0DC6BA69C961707FE0', 'door/2 44A8AF173374E84D1978'],
    ],
    [
      'are a list of which the condition selects items',
      'format=json&field=U&where=E:R&reader-field=S',
      [STARFISH, '[]'],
      ['door/082 082B278907', 'door/084 0F0184F07A'],
    ],
    [
      'have lists within lists on the path, and a bad item does not hide the others',
      'format=json&field=antennas.tags.uid',
      ['{"antennas":[{"tags":[{"uid":"04A2B3C4"},{}]},{"tags":[]},{"tags":[{"uid":"6B3D12D6"}]}]}'],
      [
        'door 04A2B3C4',
        'the message has no text and no whole number at "antennas.tags.uid"; got 89 other characters',
        'door 6B3D12D6',
      ],
    ],
  ];
  for (const [what, parameters, payloads, results] of messages) {
    it(what, async () => {
      expect(await read(parameters, payloads)).to.deep.equal(results);
    });
  }

  it('are lines of values, with a condition and the name of the device', async () => {
    const parameters = 'format=csv&field=1&where=2:in&reader-field=0&spelling=dec10';
    const lines = 'front|0006547886|in\nback|0001234567|out\nback|0001234567|in\n';
    expect(await read(parameters, [lines], `front|${END}|in`)).to.deep.equal([
      'door/front 0063E9AE',
      'door/back 0012D687',
    ]);
  });

  it('have at most 256 items', async () => {
    const ids = Array.from({ length: 257 }, (_, index) => `04A2${(index + 1).toString(16).padStart(4, '0')}`);
    const results = await read('format=json&field=ids', [JSON.stringify({ ids })]);
    expect(results).to.have.length(257);
    expect(results.at(-1)).to.contain('the message has more than 256 items; the others were not read');
  });
});
