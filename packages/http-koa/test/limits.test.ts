import { TallybookError } from '@tallybook/domain';
import { expect } from 'chai';
import { httpLimits } from '../src/index.js';
import { limitedOption } from '../src/limits.js';

describe('An option that is a number', () => {
  for (const name of Object.keys(httpLimits) as (keyof typeof httpLimits)[]) {
    const [least, most, fallback] = httpLimits[name];

    it(`is a whole number from ${least} to ${most}, default ${fallback}: ${name}`, () => {
      expect(limitedOption(name, {})).to.equal(fallback);
      for (const value of [least, most]) expect(limitedOption(name, { [name]: value })).to.equal(value);
      for (const value of [least - 1, most + 1, least + 0.5, NaN, Infinity]) {
        expect(() => limitedOption(name, { [name]: value }), String(value))
          .to.throw(TallybookError, `${name} is ${least} to ${most}; got ${value}`)
          .with.property('code', 'INVALID_OPTION');
      }
    });
  }
});
