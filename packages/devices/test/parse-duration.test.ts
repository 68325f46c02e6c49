import { expect } from 'chai';
import { parseDuration } from '../src/index.js';

describe('parseDuration', () => {
  const durations: Readonly<Record<string, number>> = {
    '0': 0,
    '0s': 0,
    '1ms': 1,
    '500ms': 500,
    '5s': 5_000,
    '2m': 120_000,
    '12h': 43_200_000,
    '1d': 86_400_000,
    '007s': 7_000,
    '9007199254740991ms': Number.MAX_SAFE_INTEGER,
  };
  for (const [text, milliseconds] of Object.entries(durations)) {
    it(`reads ${text} as ${milliseconds} ms`, () => {
      expect(parseDuration(text)).to.equal(milliseconds);
    });
  }

  const others = [
    '',
    '5',
    '00',
    's',
    '5 s',
    ' 5s',
    '5s\n',
    '5S',
    '-5s',
    '+5s',
    '1.5s',
    '1e3s',
    '5sec',
    '1m30s',
    '٥s',
  ];
  for (const other of [...others, '9007199254740992ms', `${'9'.repeat(400)}d`, undefined, null, 5]) {
    it(`refuses ${JSON.stringify(other)}`, () => {
      expect(() => parseDuration(other))
        .to.throw('ms, s, m, h, d')
        .with.property('code', 'INVALID_OPTION');
    });
  }
});
