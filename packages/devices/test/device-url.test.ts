import { expect } from 'chai';
import { thrownBy } from '../../domain/test/fixtures/throws.js';
import { DeviceUrl } from '../src/index.js';

describe('DeviceUrl', () => {
  it('has the host and the port of a device that is reached over the network', () => {
    const url = new DeviceUrl('mqtt://broker.local:1884/hall/door');
    expect(url.address).to.equal('broker.local:1884');
    expect(url.path).to.equal('/hall/door');
    url.refuseOthers();
  });

  it('takes an @ that is escaped', () => {
    const url = new DeviceUrl('mqtt://broker/hall%40home?name=a%40b');
    expect([url.path, url.text('name')]).to.deep.equal(['/hall@home', 'a@b']);
  });

  it('refuses a host if the kind takes none', () => {
    expect(() => new DeviceUrl('serial://dev/ttyUSB0').refuseOthers())
      .to.throw('it has the host "dev"; write serial:/… with one slash')
      .with.property('code', 'INVALID_OPTION');
  });

  for (const url of ['mqtt://broker/door/#', 'mqtt://broker/door/#x', 'mqtt://broker/door?name=#']) {
    it(`refuses a # that is not escaped, also with nothing after it: ${url}`, () => {
      expect(() => new DeviceUrl(url))
        .to.throw('it has a #; write %23')
        .with.property('code', 'INVALID_OPTION');
    });
  }

  for (const url of [
    'mqtt://me:secret@broker/t',
    'mqtt://me@broker/t',
    'mqtt://:secret@broker/t',
    'mqtt:me:secret@broker/t',
    // These are no URLs, or other URLs than the user meant.
    'mqtt://me:sec#ret@broker/t',
    'mqtt://me:sec/ret@broker/t',
    'mqtt://me:77/secret@broker/t',
    'mqtt://me:77?secret@broker/t',
  ]) {
    it(`refuses credentials, and does not repeat them: ${url}`, () => {
      const { message } = thrownBy('INVALID_OPTION', () => new DeviceUrl(url));
      expect(message).to.contain('URLs are logged').and.not.contain('secret').and.not.contain('me@');
    });
  }

  it('has no path and no host if nothing follows the scheme', () => {
    const url = new DeviceUrl('stdin:');
    expect([url.scheme, url.path, url.address]).to.deep.equal(['stdin', '', '']);
    url.refusePath();
    url.refuseOthers();
  });

  it('refuses what is no URL', () => {
    expect(refusal(() => new DeviceUrl('/dev/ttyUSB0'))).to.deep.equal({
      message: 'it is not a URL, such as serial:/dev/ttyUSB0 or stdin:',
      details: {},
    });
  });

  it('refuses a % that begins no escape, and says what it was', () => {
    expect(refusal(() => new DeviceUrl('serial:/dev/tty%zz'))).to.deep.equal({
      message: 'its path has a % that begins no escape; write %25 for one',
      details: {},
      cause: 'URIError',
    });
  });

  it('refuses a path if the kind takes none', () => {
    expect(refusal(() => new DeviceUrl('stdin:/dev/tty').refusePath())).to.deep.equal({
      message: 'stdin: has no path; got "/dev/tty"',
      details: {},
    });
  });

  it('refuses a parameter that is given twice', () => {
    expect(refusal(() => new DeviceUrl('stdin:?name=a&format=b&name=a'))).to.deep.equal({
      message: 'the parameter "name" is given twice; allowed is once',
      details: { parameter: 'name' },
    });
  });

  it('refuses an unknown parameter, and names the allowed ones in order', () => {
    const url = new DeviceUrl('stdin:?name=a&baud=9600');
    expect(url.text('name')).to.equal('a');
    expect(url.text('format')).to.equal(undefined);
    expect(refusal(() => url.refuseOthers())).to.deep.equal({
      message: 'the parameter "baud" is unknown; allowed are format, name',
      details: { parameter: 'baud' },
    });
    url.text('baud');
    url.refuseOthers();
  });

  it('reads a parameter that is one of several words', () => {
    const url = new DeviceUrl('stdin:?parity=even');
    const parities = ['none', 'even', 'odd'] as const;
    expect(url.choice('parity', parities)).to.equal('even');
    expect(url.choice('other', parities)).to.equal(undefined);
    expect(refusal(() => url.choice('parity', ['none', 'odd']))).to.deep.equal({
      message: 'parity is one of none, odd; got "even"',
      details: { parameter: 'parity' },
    });
  });

  it('reads a parameter that is a whole number, of digits only', () => {
    const range = { lowest: 1, highest: 20 };
    expect(new DeviceUrl('stdin:?n=1').wholeNumber('n', range)).to.equal(1);
    expect(new DeviceUrl('stdin:?n=20').wholeNumber('n', range)).to.equal(20);
    expect(new DeviceUrl('stdin:').wholeNumber('n', range)).to.equal(undefined);
    for (const text of ['21', '0', '-1', '1.0', '1e1', ' 2', '2 ', '']) {
      const url = new DeviceUrl(`stdin:?n=${encodeURIComponent(text)}`);
      expect(refusal(() => url.wholeNumber('n', range))).to.deep.equal({
        message: `n is a whole number from 1 to 20; got "${text}"`,
        details: { parameter: 'n' },
      });
    }
  });

  it('reads a parameter that is a duration', () => {
    expect(new DeviceUrl('stdin:?gap=2s').durationMs('gap')).to.equal(2_000);
    expect(new DeviceUrl('stdin:').durationMs('gap')).to.equal(undefined);
    const { message, ...rest } = refusal(() => new DeviceUrl('stdin:?gap=long').durationMs('gap'));
    expect(message).to.match(/^gap: .*"long"/);
    expect(rest).to.deep.equal({ details: { parameter: 'gap' }, cause: 'TallybookError' });
  });
});

/** Message and details of a refusal, and its cause if it has one. */
function refusal(act: () => unknown): Record<string, unknown> {
  const error = thrownBy('INVALID_OPTION', act);
  const { message, details } = error;
  return { message, details, ...('cause' in error && { cause: (error.cause as Error).name }) };
}
