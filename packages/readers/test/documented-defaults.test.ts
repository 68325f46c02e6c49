import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { DeviceUrl, parseDuration } from '@tallybook/devices';
import { Recorder } from '@tallybook/testing';
import { expect } from 'chai';
import { watchAppointments, type Appointments } from '../../testing/test/fixtures/watch-appointments.js';
import { createReader, HidIdSource, SerialIdSource, WiegandIdSource } from '../src/index.js';
import { readProtocol } from '../src/serial/serial-protocols.js';
import { RunningClock } from './fixtures/running-clock.js';
import { EvtestStandIn } from './hid/evtest-stand-in.js';
import { GpiomonStandIn } from './wiegand/gpiomon-stand-in.js';
import { PluggableLine } from './serial/pluggable-line.js';
import { encodeFrame } from './serial/decoders/rdm6300-frame.js';
import { bitsOf, encodeBits } from './wiegand/wiegand-frames.js';

const reference = readFileSync(new URL('../../../docs/reference/configuration.md', import.meta.url), 'utf8');

/** Default of a parameter: in the reference, below the line that begins with this heading. */
function defaultOf(heading: string, parameter: string): string {
  const [, section = ''] = reference.split(`Parameters of \`${heading}`);
  const [, value = ''] = new RegExp(`\\| \`${parameter}\` +\\| \`([^\`]+)\``).exec(section) ?? [];
  return value;
}

const delaysOf = ({ asked }: Appointments): ReadonlySet<number> => new Set(asked.map(([delayMs]) => delayMs));

const rows = [...reference.matchAll(/^\| `(\w+)` +\|.*\| +(\d+) +\| +(\d) +\|$/gm)];
const protocols = rows.map(([, name = '', baud, confirm]) => ({ name, baud, confirm: Number(confirm) }));
const [, em18, lines, others] =
  /after\s+(\d+) ms\s+with `em18`,\s+(\d+)\s+ms\s+with lines,\s+(\d+)\s+ms\s+with\s+the\s+others/.exec(
    reference,
  ) ?? [];
const silences: Readonly<Record<string, string | undefined>> = { em18, lines, parallax: lines };

describe('The defaults that the reference names', () => {
  it('are those of each protocol', () => {
    const names = ['rdm6300', 'id12', 'em18', '7941d', 'parallax', 'pn532', 'lines'];
    expect(protocols.map(({ name }) => name)).to.deep.equal(names);
  });

  for (const { name, baud, confirm } of protocols) {
    it(`are the ${baud} baud of a line that speaks ${name}, and ${confirm} equal frames`, async () => {
      const line = await PluggableLine.create();
      const source = createReader(`serial:${line.path}?protocol=${name}`, { clock: new RunningClock() });
      await source.open();
      expect(source).to.include({ confirm });
      const { stdout } = await promisify(execFile)('stty', ['-F', line.path, 'speed']);
      expect(stdout).to.equal(`${baud}\n`);
      await source.close();
      await line.dispose();
    });

    const silenceMs = silences[name] ?? others;
    it(`are the ${silenceMs} ms of silence that end a frame of ${name}`, () => {
      const { createDecoder } = readProtocol(new DeviceUrl(`serial:?protocol=${name}`));
      expect(createDecoder().silenceMs).to.equal(Number(silenceMs));
    });
  }

  it('are those of a serial line that a program makes without options', async () => {
    const line = await PluggableLine.create();
    const clock = new RunningClock();
    const appointments = watchAppointments(clock);
    const source = new SerialIdSource({ path: line.path }, clock);
    await source.open();
    expect(source.confirm).to.equal(2);
    const { stdout } = await promisify(execFile)('stty', ['-F', line.path, 'speed']);
    expect(stdout).to.equal('9600\n');
    const [, within = ''] = /each within (\d+) ms of the one before/.exec(reference) ?? [];
    const readings = new Recorder(source.readings);
    await line.send(encodeFrame('62E3086CED'), encodeFrame('62E3086CED'));
    await readings.count(1);
    expect(delaysOf(appointments)).to.include(Number(within));
    await source.close();
    expect(clock.pending).to.equal(0);
    await line.dispose();
  });

  it('are the silence that ends a Wiegand frame', async () => {
    const gpiomon = new GpiomonStandIn('2.2.1');
    const clock = new RunningClock();
    const appointments = watchAppointments(clock);
    const source = new WiegandIdSource({ chip: '/dev/gpiochip0', d0: 17, d1: 18 }, clock);
    const readings = new Recorder(source.readings);
    await source.open();
    gpiomon.send(encodeBits(bitsOf('63E9AE')));
    await readings.count(1);
    expect(delaysOf(appointments)).to.deep.equal(new Set([parseDuration(defaultOf('wiegand', 'silence'))]));
    await source.close();
    expect(clock.pending).to.equal(0);
    gpiomon.dispose();
  });

  it('are the silence that ends the input of a keyboard reader, and its number of characters', async () => {
    const evtest = new EvtestStandIn();
    const clock = new RunningClock();
    const appointments = watchAppointments(clock);
    const source = new HidIdSource({ path: '/dev/input/by-id/usb-READER-event-kbd' }, clock);
    const readings = new Recorder(source.readings);
    const faults = new Recorder(source.faults);
    await source.open();
    const length = Number(defaultOf('hid', 'length'));
    evtest.type(`${'6'.repeat(length)}\n${'6'.repeat(length - 1)}\n`);
    await Promise.all([readings.count(1), faults.count(1)]);
    expect(readings.values[0]?.id).to.have.length(length);
    expect(faults.values[0]?.error.details).to.include({ length: length - 1 });
    expect(delaysOf(appointments)).to.deep.equal(new Set([parseDuration(defaultOf('hid', 'silence'))]));
    await source.close();
    expect(clock.pending).to.equal(0);
    evtest.dispose();
  });
});
