import { signal } from '@preact/signals';
import { TallybookClientError } from '@tallybook/client';
import { expect } from 'chai';
import { wordsOfFailure } from '../../src/parts/words.js';
import { runTask } from '../../src/state/requests.js';
import { en } from '../../src/texts/en.js';

const refusal = (details: ConstructorParameters<typeof TallybookClientError>[2]): TallybookClientError =>
  new TallybookClientError('http', 'no, because', details);

describe('what may be refused', () => {
  let failure: string | undefined;
  const state = { isBusy: signal(false), fail: (text: string | undefined) => (failure = text) };
  const wordsOf = (error: unknown): string => `not done: ${(error as Error).message}`;

  it('is done once at a time', async () => {
    let finish: () => void = () => undefined;
    const begun: string[] = [];
    const first = runTask(
      state,
      () => {
        begun.push('first');
        return new Promise<void>((resolve) => (finish = resolve));
      },
      wordsOf,
    );
    expect(state.isBusy.value).to.equal(true);
    const second = await runTask(state, () => Promise.resolve(begun.push('second')), wordsOf);
    expect([second, begun]).to.deep.equal([false, ['first']]);
    finish();
    expect(await first).to.equal(true);
    expect(state.isBusy.value).to.equal(false);
  });

  it('says why it was not done, until it is tried again', async () => {
    expect(await runTask(state, () => Promise.reject(new Error('busy')), wordsOf)).to.equal(false);
    expect([failure, state.isBusy.value]).to.deep.equal(['not done: busy', false]);
    expect(await runTask(state, () => Promise.resolve(), wordsOf)).to.equal(true);
    expect(failure).to.equal(undefined);
  });
});

describe('the words of a failure', () => {
  for (const [what, error, words] of [
    ['the network', new TallybookClientError('network', 'x'), en.failure.unreachable],
    ['an answer of something else', new TallybookClientError('invalid-answer', 'x'), en.failure.unreachable],
    [
      'too many tries, with seconds to wait',
      refusal({ status: 429, retryAfterMs: 2_500 }),
      en.failure.tooSoon(3),
    ],
    ['too many tries', refusal({ status: 429 }), en.failure.tooSoon(1)],
    ['too large a list', refusal({ status: 413 }), en.failure.tooLarge],
    [
      'a role that may not, with those that may',
      refusal({ code: 'NOT_ALLOWED', roles: ['desk', 'owner'] }),
      en.failure.onlyFor(`${en.access.roles.desk}, owner`),
    ],
    ['a code that is known', refusal({ code: 'INVALID_NAME' }), en.failure.codes.INVALID_NAME],
    ['a code that is not', refusal({ code: 'NEW_CODE' }), en.failure.unexpected('no, because')],
    [
      'a mistake of the page',
      new TypeError('no such part'),
      en.failure.unexpected('TypeError: no such part'),
    ],
  ] as const) {
    it(`tell of ${what}`, () => {
      expect(wordsOfFailure(error, en)).to.equal(words);
    });
  }

  it('are those of the place where it happened, if that has any for its code', () => {
    const particular = { LAST_ADMIN: 'You are the last one.' };
    expect(wordsOfFailure(refusal({ code: 'LAST_ADMIN' }), en, particular)).to.equal('You are the last one.');
    expect(wordsOfFailure(refusal({ status: 413 }), en, particular)).to.equal(en.failure.tooLarge);
    expect(wordsOfFailure(new Error('LAST_ADMIN'), en, particular)).to.include('LAST_ADMIN');
  });
});
