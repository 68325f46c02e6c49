import { existsSync } from 'node:fs';
import { idSourceContract } from '@tallybook/testing';
import { expect } from 'chai';
import { createIdFormat, createReader, WiegandIdSource, type WiegandOptions } from '../../src/index.js';
import { GpiomonStandIn } from './gpiomon-stand-in.js';
import { RecordedTimers } from '../../../testing/test/fixtures/recorded-timers.js';
import { RecordedSource, until } from '../fixtures/recorded-source.js';
import { itRefusesUrls } from '../fixtures/refused-urls.js';
import { RunningClock } from '../fixtures/running-clock.js';
import { bitsOf, encodeBits } from './wiegand-frames.js';

const CHIP = '/dev/gpiochip0';
/** A frame of 26 bits with the id 63E9AE. */
const ADA = encodeBits(bitsOf('63E9AE'));
const BOB = encodeBits(bitsOf('D41B81'));
const BUSY = 'gpiomon: error waiting for events: Device or resource busy';

const clock = new RunningClock();
type Subject = RecordedSource<WiegandIdSource>;
const record = (options: Partial<WiegandOptions> = {}): Subject =>
  new RecordedSource((retryDelayMs) => {
    const usual = { chip: CHIP, d0: 17, d1: 18, silenceMs: 25, retryDelayMs };
    return new WiegandIdSource({ ...usual, ...options }, clock);
  });

idSourceContract(
  { describe, it },
  {
    name: 'WiegandIdSource',
    clock,
    pluggable: true,
    make: () => {
      const gpiomon = new GpiomonStandIn('2.2.1');
      const options = { chip: CHIP, d0: 17, d1: 18, bits: [42], silenceMs: 25, retryDelayMs: () => 1 };
      const source = new WiegandIdSource(options, clock);
      return {
        source,
        present: (id) => gpiomon.send(encodeBits(bitsOf(id))),
        garble: () => gpiomon.send('0'.repeat(41)),
        unplug: () => gpiomon.refuse(),
        plug: () => gpiomon.accept(),
        cleanup: async () => {
          await source.close();
          gpiomon.dispose();
        },
      };
    },
  },
);

describe('WiegandIdSource', () => {
  let gpiomon: GpiomonStandIn;
  let subject: Subject;

  afterEach(async () => {
    await subject.source.close();
    gpiomon.dispose();
  });

  async function open(version: string, options?: Partial<WiegandOptions>): Promise<void> {
    gpiomon = new GpiomonStandIn(version);
    subject = record(options);
    await subject.source.open();
    // Version 1.x does not report that it is ready.
    await until('gpiomon', () => gpiomon.isRunning);
  }

  for (const version of ['1.6.3', '2.2.1']) {
    describe(`with libgpiod ${version}`, () => {
      beforeEach(() => open(version));

      it('reads frames of 26, 34 and 37 bits', async () => {
        gpiomon.send(ADA, encodeBits(bitsOf('89D41B81')), bitsOf('0584A2B940', 37));
        expect(await subject.ids.count(3)).to.deep.equal(['63E9AE', '89D41B81', '02C2515CA0']);
        expect(subject.problems.values).to.be.empty;
      });

      it('reports a frame with a wrong parity and continues', async () => {
        gpiomon.send(
          ADA.replace(/^./, (bit) => (bit === '0' ? '1' : '0')),
          BOB,
        );
        expect(await subject.ids.count(1)).to.deep.equal(['D41B81']);
        expect(subject.problems.values).to.deep.equal(['a frame with a wrong parity']);
      });

      it('reports the loss of gpiomon, and starts it again', async () => {
        gpiomon.send(BOB);
        await subject.ids.count(1);
        gpiomon.refuse();
        await subject.connections.find('waiting', (connection) => connection === 'waiting');
        gpiomon.accept();
        await subject.connected(2);
        await until('gpiomon', () => gpiomon.isRunning);
        gpiomon.send(ADA);
        expect(await subject.ids.count(2)).to.deep.equal(['D41B81', '63E9AE']);
        expect(subject.problems.values).to.deep.equal(['lost']);
      });

      it('ends it when it is closed', async () => {
        gpiomon.send(ADA);
        await subject.ids.count(1);
        const { pid } = gpiomon;
        expect(existsSync(`/proc/${pid}`)).to.equal(true);
        await subject.source.close();
        expect(existsSync(`/proc/${pid}`)).to.equal(false);
      });
    });
  }

  it('calls gpiomon 1.x with the right arguments', async () => {
    await open('1.6.3');
    expect(gpiomon.calls).to.deep.equal([
      '--falling-edge --line-buffered --bias=pull-up --format=%o %s %n /dev/gpiochip0 17 18',
    ]);
  });

  it('calls gpiomon 2.x with the right arguments', async () => {
    await open('2.2.1');
    expect(gpiomon.calls).to.deep.equal([
      '--banner --edges=falling --bias=pull-up --format=%o %S --chip=/dev/gpiochip0 17 18',
    ]);
  });

  it('reads all bits of a frame without a known parity, if its length is set', async () => {
    await open('2.2.1', { bits: [35] });
    gpiomon.send(bitsOf('04A72010B3', 35));
    expect(await subject.ids.count(1)).to.deep.equal(['04A72010B3']);
  });

  it('reads the times that 1.x prints, whose nanoseconds are not padded', async () => {
    await open('1.6.3', { bits: [26] });
    // The 7th and the 8th pulse are at 5.098 and 5.103 s.
    const times = Array.from(ADA, (_, n) => `5 ${(80 + 3 * n) * 1_000_000 + 45_440}`);
    gpiomon.print(...Array.from(ADA, (bit, n) => `${bit === '0' ? 17 : 18} ${times[n] ?? ''}`).reverse());
    expect(await subject.ids.count(1)).to.deep.equal(['63E9AE']);
  });

  it('reads the times that 2.x prints', async () => {
    await open('2.2.1', { bits: [26] });
    gpiomon.print(...Array.from(ADA, (bit, n) => `${bit === '0' ? 17 : 18} 10.0${52 + n}052608`).reverse());
    expect(await subject.ids.count(1)).to.deep.equal(['63E9AE']);
  });

  it('ignores other lines and other text', async () => {
    await open('2.2.1');
    gpiomon.print('19 10.580052608', 'no edge', '', 'x17 10.580052608', '17 10.580052608 x', '17 12.5');
    gpiomon.send(ADA);
    expect(await subject.ids.count(1)).to.deep.equal(['63E9AE']);
    expect(subject.problems.values).to.deep.equal(['a frame of a wrong length']);
  });

  it('makes ids from the bytes by its format', async () => {
    await open('2.2.1', { format: createIdFormat({ keep: 3 }) });
    gpiomon.send(encodeBits(bitsOf('0063E9AE')), ADA);
    expect(await subject.ids.count(2)).to.deep.equal(['63E9AE', '63E9AE']);
  });

  it('reports busy lines once, and reads when they are free, as after a killed run', async () => {
    gpiomon = new GpiomonStandIn('2.2.1');
    gpiomon.refuse(BUSY);
    subject = record();
    await subject.source.open();
    expect(subject.source.connection).to.equal('waiting');
    await until('five attempts', () => gpiomon.calls.length >= 5);
    expect(subject.problems.values).to.deep.equal(['busy']);
    gpiomon.accept();
    await subject.connected();
    gpiomon.send(ADA);
    expect(await subject.ids.count(1)).to.deep.equal(['63E9AE']);
    expect(subject.attempts.values.slice(0, 3)).to.deep.equal([1, 2, 3]);
  });

  it('leaves no timer when it is closed', async () => {
    await open('2.2.1', { silenceMs: 1_000 });
    gpiomon.send(ADA);
    await until('pulses', () => clock.pending > 0);
    await subject.source.close();
    expect(clock.pending).to.equal(0);
  });

  it('is closed without waiting for gpiomon to be ready', async () => {
    await open('2.2.1');
    using timers = new RecordedTimers();
    gpiomon.keepSilent();
    gpiomon.refuse();
    gpiomon.accept();
    await until('another attempt', () => gpiomon.isRunning);
    const { pid } = gpiomon;
    await subject.source.close();
    // The time after which it would count as ready.
    expect(timers.pending).to.include(5_000);
    expect(existsSync(`/proc/${pid}`)).to.equal(false);
  });

  it('reports that no chip has the set label', async () => {
    gpiomon = new GpiomonStandIn('2.2.1');
    subject = record({ chip: 'tallybook-no-such-chip' });
    await subject.source.open();
    const [fault] = await subject.faults.count(1);
    expect(fault?.code).to.equal('READER_DISCONNECTED');
    expect(fault?.message).to.contain('tallybook-no-such-chip');
  });

  it('is refused with advice if gpiomon is missing', async () => {
    gpiomon = new GpiomonStandIn('2.2.1');
    subject = record();
    expect((await subject.failureWithoutPrograms()).message).to.contain('apt install gpiod');
    expect(subject.source.status).to.equal('closed');
  });

  it('reports pulses without a pause once, and reads after a pause', async () => {
    await open('2.2.1');
    gpiomon.send('1'.repeat(1_500));
    await subject.problems.count(1);
    await subject.source.close();
    await subject.source.open();
    gpiomon.send(ADA);
    expect(await subject.ids.count(1)).to.deep.equal(['63E9AE']);
    expect(subject.problems.values).to.deep.equal([
      'pulses without a pause, as from a line that is not connected',
    ]);
  });

  it('warns when only faults came for ten seconds, and does not count keys', async () => {
    await open('2.2.1');
    for (let n = 1; n <= 6; n++) {
      gpiomon.send('0111');
      await subject.problems.count(n);
      clock.advance(3_000);
    }
    for (let n = 7; n <= 11; n++) {
      gpiomon.send('011101');
      await subject.problems.count(n);
      clock.advance(3_000);
    }
    const faults = await subject.problems.count(12);
    expect(faults[5]).to.equal('a key of a keypad, which is no id');
    expect(subject.messages[11])
      .to.contain('only errors for 12 s: 5 × a frame of a wrong length')
      .and.contain('whether they are swapped');
  });
});

describe('The URL of a Wiegand reader', () => {
  itRefusesUrls([
    ['wiegand:?d0=1&d1=2', 'path', 'a GPIO chip is a path, a name or a label'],
    ['wiegand:a%00b?d0=1&d1=2', 'path', 'a GPIO chip is a path, a name or a label'],
    ['wiegand:a?d1=2', 'd0', 'd0 is a whole number from 0 to 1023; got nothing'],
    ['wiegand:a?d0=1', 'd1', 'd1 is a whole number from 0 to 1023; got nothing'],
    ['wiegand:a?d0=1&d1=1024', 'd1', 'd1 is a whole number from 0 to 1023; got "1024"'],
    ['wiegand:a?d0=17&d1=17', 'd1', 'd0 and d1 are two lines; got 17 for both'],
    ['wiegand:a?d0=1&d1=2&bits=19', 'bits', 'bits is one or more of 20 to 64, 66, 72, 74, 80, 82; got 19'],
    ['wiegand:a?d0=1&d1=2&bits=26,65', 'bits', 'got 26, 65'],
    ['wiegand:a?d0=1&d1=2&bits=', 'bits', 'got NaN'],
    ['wiegand:a?d0=1&d1=2&bits=26,0x22', 'bits', 'got 26, NaN'],
    ['wiegand:a?d0=1&d1=2&silence=24ms', 'silence', 'silence is a whole number from 25 to 1000; got 24 ms'],
    ['wiegand:a?d0=1&d1=2&silence=1001ms', 'silence', 'from 25 to 1000; got 1001 ms'],
    [
      'wiegand:a?d0=1&d1=2&confirm=2',
      'confirm',
      'allowed are bits, d0, d1, format, keep, name, order, silence',
    ],
  ]);

  it('refuses lines that no chip has', () => {
    for (const parameter of ['d0', 'd1']) {
      expect(() => record({ [parameter]: 1_024 }))
        .to.throw(`${parameter} is a whole number from 0 to 1023`)
        .with.deep.property('details', { parameter });
    }
  });

  it('refuses to expect no frames', () => {
    expect(() => record({ bits: [] })).to.throw('bits is one or more of');
  });

  it('is named after its chip and its lines, or by the given name', () => {
    expect(record().source.kind).to.equal('wiegand');
    expect(record().source.name).to.equal('wiegand:/dev/gpiochip0?d0=17&d1=18');
    const url = 'wiegand:pinctrl-rp1?d0=17&d1=18&bits=26,34&silence=150ms&keep=3&name=door';
    expect(createReader(url, { clock })).to.be.instanceOf(WiegandIdSource).with.property('name', 'door');
  });

  it('has a caution for lengths without a known parity only', () => {
    expect(record({ bits: [26, 34, 37] }).source.caution).to.equal(undefined);
    expect(record({ bits: [26, 35, 36] }).source.caution).to.match(
      /^frames of 35, 36 bits have no known parity/,
    );
  });
});
