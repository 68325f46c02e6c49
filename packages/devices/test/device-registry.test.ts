import { expect } from 'chai';
import { DeviceRegistry } from '../src/index.js';

interface Lamp {
  readonly path: string;
  readonly watts: number;
}

const lamps = new DeviceRegistry<Lamp, { readonly watts: number }>('lamp', [
  {
    scheme: 'desk',
    usage: 'desk:PATH?watts=5',
    make: (url, { watts }) => ({
      path: url.path,
      watts: url.wholeNumber('watts', { lowest: 1, highest: 9 }) ?? watts,
    }),
  },
  {
    scheme: 'smart',
    usage: 'smart://HOST?key=FILE',
    login: 'put them into a file: key=FILE',
    make: ({ path }, { watts }) => ({ path, watts }),
  },
]);

describe('DeviceRegistry', () => {
  it('makes the device that a URL names', () => {
    expect(lamps.create('desk:/left?watts=7', { watts: 1 })).to.deep.equal({ path: '/left', watts: 7 });
    expect(lamps.create('desk:/left', { watts: 1 })).to.deep.equal({ path: '/left', watts: 1 });
  });

  it('gives the form of the URL of each kind', () => {
    expect(lamps.usages).to.deep.equal({ desk: 'desk:PATH?watts=5', smart: 'smart://HOST?key=FILE' });
  });

  it('knows the registration that made a device', () => {
    expect(lamps.makerOf(lamps.create('smart:/left', { watts: 1 }))).to.have.property('scheme', 'smart');
    expect(lamps.makerOf({ path: '', watts: 1 })).to.equal(undefined);
  });

  const wrong: Readonly<Record<string, string>> = {
    'ceiling:': 'the lamp "ceiling:": the scheme "ceiling" is unknown; allowed are desk, smart',
    'constructor:': 'the lamp "constructor:": the scheme "constructor" is unknown; allowed are desk, smart',
    'desk:?volts=5': 'the lamp "desk:?volts=…": the parameter "volts" is unknown; allowed are watts',
    'desk:?watts=99': 'the lamp "desk:?watts=…": watts is a whole number from 1 to 9; got "99"',
  };
  for (const [url, message] of Object.entries(wrong)) {
    it(`refuses ${url}`, () => {
      expect(() => lamps.create(url, { watts: 1 }))
        .to.throw(message)
        .with.property('code', 'INVALID_OPTION');
    });
  }

  it('does not repeat a password in its errors', () => {
    expect(() => lamps.create('desk://ada:p@ss@left', { watts: 1 })).to.throw(
      /^the lamp "desk:\/\/…@left": it has a user or a password/,
    );
  });

  it('says where a user and a password belong, if the kind takes them', () => {
    const start = 'it has a user or a password, which do not belong in a URL, because URLs are logged';
    const end = '. If it is an @ in the path or in a value, write %40';
    for (const [scheme, advice] of [
      ['smart', '; put them into a file: key=FILE'],
      ['SMART', '; put them into a file: key=FILE'],
      ['desk', ''],
      ['ceiling', ''],
    ] as const) {
      expect(() => lamps.create(`${scheme}://u:p@left`, { watts: 1 })).to.throw(
        `the lamp "${scheme}://…@left": ${start}${advice}${end}`,
      );
    }
  });

  const secrets: Readonly<Record<string, string>> = {
    'desk://ada:s3cr#t@left/1': '"desk://…@left/1"',
    'desk://ada:s3c/ret@left/1': '"desk://…@left/1"',
    'desk://ada:77/ret@left/1': '"desk://…@left/1"',
    'desk://ada:s3c?ret@left/1': '"desk://…"',
    'desk://ada:77?ret@left/1': '"desk://…"',
    'desk:ada:s3cret@left/1': '"desk:…@left/1"',
    'ada:s3cret@left/1': '"ada:…@left/1"',
    's3cret@left/1': '"…@left/1"',
    'desk://left/1?password=s3cret': '"desk://left/1?password=…"',
    'desk://left/1?password=s3c@ret&watts=1': '"desk://…"',
    'desk://left/1?watts=1&password=s3cret#x': '"desk://left/1?watts=…&password=…"',
  };
  for (const [url, shown] of Object.entries(secrets)) {
    it(`repeats no part of a password, at any place: ${url}`, () => {
      expect(() => lamps.create(url, { watts: 1 }))
        .to.throw()
        .with.property('message')
        .that.matches(/^the lamp "/)
        .and.contains(`the lamp ${shown}: `)
        .and.does.not.match(/s3c|ret|77/);
    });
  }

  it('names the parameter at fault', () => {
    expect(() => lamps.create('desk:?watts=99', { watts: 1 }))
      .to.throw()
      .with.deep.property('details', { parameter: 'watts' });
  });

  it('does not translate the error of a programming mistake', () => {
    const mistaken = new DeviceRegistry<Lamp, undefined>('lamp', [
      {
        scheme: 'desk',
        usage: '',
        make: () => {
          throw new TypeError('a mistake');
        },
      },
    ]);
    expect(() => mistaken.create('desk:', undefined)).to.throw(TypeError, 'a mistake');
  });
});
