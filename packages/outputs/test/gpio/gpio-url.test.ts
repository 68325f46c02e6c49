import { parseTallyId, type Signal } from '@tallybook/domain';
import { ManualClock, Recorder } from '@tallybook/testing';
import { expect } from 'chai';
import { rejectionOf, thrownBy } from '../../../domain/test/fixtures/throws.js';
import { createIndicator, indicatorSchemes } from '../../src/index.js';
import { GpiosetStandIn } from './gpioset-stand-in.js';

const clock = new ManualClock();

describe('The URL of lights and a buzzer', () => {
  it('names the indicator by its lines unless it has a name', () => {
    const url = 'gpio:/dev/gpiochip0?red=23&green=22';
    expect(createIndicator(url, { clock }).name).to.equal('gpio:/dev/gpiochip0?green=22&red=23');
    expect(createIndicator(`${url}&name=door`, { clock }).name).to.equal('door');
  });

  it('is valid in the form of the help texts', () => {
    const usage = (indicatorSchemes['gpio'] ?? '').replace('CHIP', 'pinctrl-rp1');
    expect(createIndicator(usage, { clock }).status).to.equal('closed');
  });

  const wrong: Readonly<Record<string, readonly [parameter: string | undefined, message: RegExp]>> = {
    'gpio:?green=22': ['path', /a GPIO chip is a path, a name or a label, such as gpiochip0; got ""/],
    'gpio:gpiochip0': [undefined, /give a line to at least one of green, red, buzzer, such as green=22/],
    'gpio:gpiochip0?green=1024': ['green', /green is a whole number from 0 to 1023; got "1024"/],
    'gpio:gpiochip0?green=GPIO22': ['green', /green is a whole number from 0 to 1023; got "GPIO22"/],
    'gpio:gpiochip0?green=22&buzzer=22': [
      'buzzer',
      /green and buzzer are both line 22; each lamp has a line of its own/,
    ],
    'gpio:gpiochip0?green=22&active-low=blue': [
      'active-low',
      /active-low is one or more of green, red, buzzer, with commas between; got "blue"/,
    ],
    'gpio:gpiochip0?green=22&active-low=green,red': ['active-low', /active-low names red, which has no line/],
    'gpio:gpiochip0?green=22&yellow=1': [
      'yellow',
      /the parameter "yellow" is unknown; allowed are active-low/,
    ],
    'gpio://gpiochip0?green=22': [
      'path',
      /a GPIO chip is a path, a name or a label, such as gpiochip0; got ""/,
    ],
  };
  for (const [url, [parameter, message]] of Object.entries(wrong)) {
    it(`is refused as ${url}`, () => {
      const refusal = thrownBy('INVALID_OPTION', () => createIndicator(url, { clock }));
      expect(refusal.message).to.match(message);
      expect(refusal.details['parameter']).to.equal(parameter);
    });
  }

  it('is refused with a control character anywhere in the name of the chip', () => {
    for (const chip of ['%0A', '%0Agpiochip0', 'gpiochip0%0A', 'gpio%7Fchip0']) {
      expect(() => createIndicator(`gpio:${chip}?green=22`, { clock }), chip)
        .to.throw()
        .with.deep.property('details', { parameter: 'path' });
    }
  });

  it('may name active-low lamps, and the reader whose taps they show', async () => {
    const gpioset = new GpiosetStandIn('2.2.1');
    const url = 'gpio:gpiochip0?green=22&red=23&buzzer=24&active-low=red,buzzer&reader=door';
    const manual = new ManualClock();
    await using indicator = createIndicator(url, { clock: manual });
    try {
      const done = new Recorder(gpioset.done);
      let mark = 0;
      const did = async (...all: readonly string[]): Promise<void> => {
        for (const each of all) await done.find(each, () => done.values.includes(each, mark));
        mark = done.values.length;
      };
      await indicator.open();
      await did('off 22=0 23=1 24=1', 'hold 22=1', 'hold 23=0', 'hold 24=0');
      manual.advance(10_000);
      await did('hold 22=0', 'hold 23=1', 'hold 24=1');
      const show = (signal: Signal, reader: string): void => {
        indicator.show({ signal, id: parseTallyId('04A2B3C4D5'), reader });
      };
      const before = mark;
      show('counted', 'gate');
      show('failed', 'door');
      await did('hold 23=0', 'hold 24=0');
      expect(done.values.slice(before)).not.to.include('hold 22=1');
      await indicator.close();
    } finally {
      gpioset.dispose();
    }
  });

  it('makes an indicator that does not open without gpioset, and says what to install', async () => {
    const { PATH } = process.env;
    process.env['PATH'] = '/nowhere';
    try {
      const indicator = createIndicator('gpio:gpiochip0?green=22', { clock });
      const { message } = await rejectionOf('INVALID_OPTION', indicator.open());
      expect(message).to.contain('gpioset is not installed').and.to.contain('apt install gpiod');
      expect(indicator.status).to.equal('closed');
    } finally {
      process.env['PATH'] = PATH;
    }
  });
});
