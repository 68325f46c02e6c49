import { errorCodes, isTallybookError, quote, TallybookError } from '@tallybook/domain';
import { expect } from 'chai';
import * as fc from 'fast-check';
import type * as errors from '../src/errors.js';
import { kindOf } from '../src/errors.js';
import { forAll } from './fixtures/arbitraries.js';

describe('TallybookError', () => {
  it('is an error with a code, and keeps cause and details', () => {
    const cause = new Error('EIO');
    const error = new TallybookError('STORE_CORRUPT', 'block 7', { cause, details: { block: 7 } });
    expect(error).to.be.instanceOf(Error);
    expect(error.name).to.equal('TallybookError');
    expect(error.code).to.equal('STORE_CORRUPT');
    expect(error.message).to.equal('block 7');
    expect(error.cause).to.equal(cause);
    expect(error.details).to.deep.equal({ block: 7 });
  });

  it('has no cause unless it is given one', () => {
    expect(new TallybookError('NOT_OPEN', 'closed')).to.not.have.own.property('cause');
    expect(new TallybookError('NOT_OPEN', 'closed', { cause: undefined })).to.have.own.property('cause');
  });

  it('has details that are empty unless it is given some', () => {
    expect(new TallybookError('NOT_OPEN', 'closed').details).to.deep.equal({});
  });
});

describe('errorCodes', () => {
  it('holds each code once', () => {
    expect(new Set(errorCodes).size).to.equal(errorCodes.length);
  });

  it('is spelled in capitals', () => {
    for (const code of errorCodes) expect(code).to.match(/^[A-Z]+(_[A-Z]+)*$/);
  });
});

describe('isTallybookError', () => {
  it('recognises the errors of another copy of this package', async () => {
    // The query loads the file once more.
    const query: string = '../src/errors.js?copy';
    const copy = (await import(query)) as typeof errors;
    const error = new copy.TallybookError('STORE_LOCKED', '');
    expect(error).not.to.be.an.instanceOf(TallybookError);
    expect(isTallybookError(error)).to.equal(true);
    expect(isTallybookError(error, 'STORE_LOCKED')).to.equal(true);
    expect(isTallybookError(error, 'NOT_OPEN')).to.equal(false);
    expect(copy.isTallybookError(new TallybookError('NOT_OPEN', ''), 'NOT_OPEN')).to.equal(true);
  });

  it('distinguishes errors of this class from others', () => {
    expect(isTallybookError(new TallybookError('NOT_OPEN', ''))).to.equal(true);
    for (const other of [new Error('NOT_OPEN'), { code: 'NOT_OPEN' }, 'NOT_OPEN', null, undefined]) {
      expect(isTallybookError(other)).to.equal(false);
    }
  });
});

describe('quote', () => {
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;
  const rendered: readonly [string, unknown, string][] = [
    ['nothing', undefined, 'nothing'],
    ['text', 'Ada', '"Ada"'],
    ['no text', '', '""'],
    ['null', null, 'null'],
    ['a number', 1.5, '1.5'],
    ['a number that JSON does not have', NaN, 'NaN'],
    ['an infinite number', -Infinity, '-Infinity'],
    ['a bigint', 2n ** 64n, '18446744073709551616'],
    ['a boolean', false, 'false'],
    ['an array', [1, 'a'], '[1,"a"]'],
    ['an object', { a: 1 }, '{"a":1}'],
    ['a function', () => 1, 'function'],
    ['a symbol', Symbol('a'), 'symbol'],
    ['an object that holds itself', cyclic, 'an object'],
    ['an object that holds a bigint', { a: 1n }, 'an object'],
  ];
  for (const [what, value, text] of rendered) {
    it(`renders ${what} as ${text}`, () => {
      expect(quote(value)).to.equal(text);
    });
  }

  it('renders an array that is nested deeply, which not every version of Node can write', () => {
    const nested: unknown = JSON.parse('['.repeat(8_000) + ']'.repeat(8_000));
    expect(quote(nested)).to.be.oneOf(['an array', `${'['.repeat(40)}…`]);
  });

  it('cuts after 40 characters and says so', () => {
    expect(quote('x'.repeat(40))).to.equal(`"${'x'.repeat(40)}"`);
    expect(quote('x'.repeat(41))).to.equal(`"${'x'.repeat(40)}…"`);
    expect(quote(Array.from({ length: 100 }, () => 0))).to.equal(`[${'0,'.repeat(19)}0…`);
  });

  it('replaces characters that a terminal or a log would interpret', () => {
    expect(quote('a\u001B[31m\r\nb\u0000\u009B\u2028\u2029\u202Ec')).to.equal(
      '"a\uFFFD[31m\uFFFD\uFFFDb\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDc"',
    );
  });

  it('replaces half a surrogate pair, also one that it cut', () => {
    expect(quote('\uD83D')).to.equal('"\uFFFD"');
    expect(quote(`${'x'.repeat(39)}😀`)).to.equal(`"${'x'.repeat(39)}\uFFFD…"`);
  });

  it('renders every value as one short, well-formed line', () => {
    const anything = fc.anything({
      withBigInt: true,
      withNullPrototype: true,
      withMap: true,
      withSparseArray: true,
    });
    forAll([fc.oneof(anything, fc.string({ unit: 'binary' }))], (value) => {
      const text = quote(value);
      expect(text.length).to.be.at.most(43);
      expect(text.isWellFormed()).to.equal(true);
      expect(text).to.not.match(/[\p{Cc}\u2028\u2029]/u);
    });
  });
});

describe('kindOf', () => {
  const kinds: readonly [unknown, string][] = [
    [undefined, 'nothing'],
    [null, 'null'],
    [['Ada'], 'an array'],
    [{ first: 'Ada' }, 'an object'],
    ['Ada', 'a string'],
    [7, 'a number'],
    [false, 'a boolean'],
  ];
  for (const [value, kind] of kinds) {
    it(`says ${kind}`, () => {
      expect(kindOf(value)).to.equal(kind);
    });
  }
});
