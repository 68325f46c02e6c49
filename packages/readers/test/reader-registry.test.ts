import { PassThrough } from 'node:stream';
import { ManualClock, Recorder } from '@tallybook/testing';
import { expect } from 'chai';
import {
  createReader,
  readerSchemes,
  SerialIdSource,
  SimulatedIdSource,
  StdinIdSource,
} from '../src/index.js';
import { itRefusesUrls } from './fixtures/refused-urls.js';
import { PluggableLine } from './serial/pluggable-line.js';
import { encodeFrame } from './serial/decoders/rdm6300-frame.js';

const clock = new ManualClock();
const ADA = '62E3086CED';

describe('createReader', () => {
  it('makes the reader of each scheme, named after its URL', () => {
    const stdin = createReader('stdin:', { clock });
    expect(stdin).to.be.instanceOf(StdinIdSource).with.property('name', 'stdin');
    const simulated = createReader('simulated:?every=500ms&tags=3', { clock });
    expect(simulated).to.be.instanceOf(SimulatedIdSource).with.property('name', 'simulated');
    const serial = createReader('serial:/dev/ttyUSB0', { clock });
    expect(serial).to.be.instanceOf(SerialIdSource).with.property('name', 'serial:/dev/ttyUSB0');
  });

  it('makes the reader of each shown usage', () => {
    expect(readerSchemes).to.include.keys('serial', 'wiegand', 'mqtt', 'mqtts', 'stdin', 'simulated');
    for (const [scheme, usage] of Object.entries(readerSchemes)) {
      expect(usage.startsWith(`${scheme}:`)).to.equal(true);
      const { status, kind } = createReader(usage, { clock });
      expect(status).to.equal('closed');
      expect(kind).to.equal(scheme.replace('mqtts', 'mqtt'));
    }
  });

  it('accepts a name with every scheme', () => {
    for (const url of ['serial:/dev/ttyUSB0?name=door', 'stdin:?name=door', 'simulated:?name=door']) {
      expect(createReader(url, { clock }).name).to.equal('door');
    }
  });

  it('accepts a path in percent encoding, and schemes in upper or lower case', () => {
    const reader = createReader('SERIAL:/dev/serial/by-path/pci-0%3A1%20%23%3F', { clock });
    expect(reader.name).to.equal('serial:/dev/serial/by-path/pci-0:1 #?');
    expect(createReader('serial:COM3', { clock }).name).to.equal('serial:COM3');
  });

  it('reads from the stream given as standard input', async () => {
    const stdin = new PassThrough();
    const reader = createReader('stdin:', { clock, stdin });
    const readings = new Recorder(reader.readings);
    await reader.open();
    stdin.write(`${ADA}\n`);
    const [reading] = await readings.count(1);
    await reader.close();
    expect(reading).to.include({ id: ADA, reader: 'stdin' });
  });

  it('reads a serial line by its parameters', async () => {
    const line = await PluggableLine.create();
    const url = `serial:${line.path}?protocol=rdm6300&baud=19200&confirm=3&checksum=keep&name=door`;
    const reader = createReader(url, { clock });
    const readings = new Recorder(reader.readings);
    await reader.open();
    const frame = encodeFrame(ADA);
    await line.send(frame, frame, frame, frame, frame, frame);
    const ids = (await readings.count(2)).map(({ id }) => id);
    await reader.close();
    await line.dispose();
    expect(ids).to.deep.equal([`${ADA}08`, `${ADA}08`]);
  });

  const allowedForSerial = 'allowed are baud, checksum, confirm, format, keep, name, order, protocol';
  itRefusesUrls([
    ['', undefined, 'the reader "": it is not a URL'],
    ['/dev/ttyUSB0', undefined, 'it is not a URL, such as serial:/dev/ttyUSB0 or stdin:'],
    [
      'seriall:/dev/ttyUSB0',
      undefined,
      `the scheme "seriall" is unknown; allowed are ${Object.keys(readerSchemes).join(', ')}`,
    ],
    ['serial:', 'path', 'a serial line is named by its path, such as /dev/ttyUSB0; got ""'],
    ['serial:/dev/a%00b', 'path', 'a serial line is named by its path'],
    ['serial:/dev/a?speed=1', 'speed', `the parameter "speed" is unknown; ${allowedForSerial}`],
    ['serial:/dev/a?Baud=9600', 'Baud', `the parameter "Baud" is unknown; ${allowedForSerial}`],
    ['serial:/dev/a?baud=109', 'baud', 'from 110 to 4000000; got "109"'],
    ['serial:/dev/a?confirm=0', 'confirm', 'confirm is a whole number from 1 to 5; got "0"'],
    ['serial:/dev/a?confirm=6', 'confirm', 'from 1 to 5; got "6"'],
    [
      'serial:/dev/a?protocol=rdm630',
      'protocol',
      'protocol is one of rdm6300, id12, em18, 7941d, parallax, pn532, lines; got "rdm630"',
    ],
    ['serial:/dev/a?checksum=on', 'checksum', 'checksum is one of drop, keep; got "on"'],
    ['serial:/dev/a?name=', 'name', 'name is 1 to 100 characters'],
    ['serial:/dev/a?protocol=parallax&checksum=keep', 'checksum', 'the parameter "checksum" is unknown'],
    ['serial:/dev/a?pattern=a', 'pattern', 'the parameter "pattern" is unknown'],
    ['serial:/dev/a?protocol=lines&pattern=(', 'pattern', 'pattern is a regular expression; got "("'],
    ['serial:/dev/a?format=dez10', 'format', 'format is one of hex, hex-xor,'],
    ['serial:/dev/a?order=lsb', 'order', 'order is one of straight, reversed; got "lsb"'],
    ['stdin:-', undefined, 'stdin: has no path; got "-"'],
    ['stdin:?every=5s', 'every', 'the parameter "every" is unknown; allowed are format, keep, name, order'],
    ['simulated:5s', undefined, 'simulated: has no path; got "5s"'],
    ['simulated:?every=99ms', 'every', 'every is 100ms to 1d; got 99 ms'],
    ['simulated:?every=25h', 'every', 'every is 100ms to 1d; got 90000000 ms'],
    ['simulated:?tags=0', 'tags', 'tags is a whole number from 1 to 1000; got "0"'],
    ['simulated:?tags=1001', 'tags', 'from 1 to 1000; got "1001"'],
    [`simulated:?name=${'a'.repeat(101)}`, 'name', 'name is 1 to 100 characters'],
  ]);
});
