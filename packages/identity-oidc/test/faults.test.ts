import { isTallybookError, TallybookError, type ErrorCode } from '@tallybook/domain';
import { expect } from 'chai';
import { faultOf, faultOfProvider } from '../src/faults.js';
import { OidcIdentityProvider, type OidcOptions } from '../src/index.js';
import { ForgingProvider, type Forgery } from './fixtures/forging-provider.js';

const AWAY: ErrorCode = 'IDENTITY_UNAVAILABLE';
const REFUSED: ErrorCode = 'IDENTITY_REFUSED';

/** An error like those of the library. */
function thrown(code: unknown, more: object = {}, options: ErrorOptions = {}): Error {
  return Object.assign(new Error('a message', options), { code }, more);
}

describe('the fault for an error of the library', () => {
  const strange = Object.assign(new Error('it sends elsewhere'), { name: 'StrangeAnswerError' });
  for (const [what, error, code, reason] of [
    ['a time-out', thrown('OAUTH_TIMEOUT'), AWAY, 'it does not answer in time (OAUTH_TIMEOUT)'],
    [
      'an answer that is no JSON',
      thrown('OAUTH_RESPONSE_IS_NOT_JSON'),
      AWAY,
      'its answer is not JSON (OAUTH_RESPONSE_IS_NOT_JSON)',
    ],
    [
      'a cause with a code',
      thrown('OAUTH_PARSE_ERROR', {}, { cause: thrown('ENOTFOUND') }),
      AWAY,
      'ENOTFOUND',
    ],
    [
      'an answer of no sound provider',
      new TypeError('failed', { cause: strange }),
      AWAY,
      'it sends elsewhere',
    ],
    ['an error without a code', new Error('a message'), AWAY, '"a message"'],
    ['a code of somebody else', thrown('TOAUTH_TIMEOUT'), AWAY, 'TOAUTH_TIMEOUT'],
    [
      'an authorisation code that has expired',
      thrown('OAUTH_RESPONSE_BODY_ERROR', { error: 'invalid_grant' }),
      REFUSED,
      '"invalid_grant"',
    ],
    [
      'an error about the service',
      thrown('OAUTH_RESPONSE_BODY_ERROR', { error: 'invalid_client' }),
      AWAY,
      'it says "invalid_client"',
    ],
    [
      'an error about the person',
      thrown('OAUTH_AUTHORIZATION_RESPONSE_ERROR', { error: 'access_denied' }),
      REFUSED,
      '"access_denied"',
    ],
    [
      'a token that does not fit',
      thrown('OAUTH_JWT_CLAIM_COMPARISON_FAILED'),
      REFUSED,
      'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
    ],
    [
      'a token of another time',
      thrown('OAUTH_JWT_TIMESTAMP_CHECK_FAILED'),
      REFUSED,
      'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
    ],
  ] as const) {
    it(`is ${code} for ${what}, without parts that may contain tokens`, () => {
      const fault = faultOf(error);
      expect(fault).to.deep.include({ code, details: { reason } });
      expect(fault).not.to.have.own.property('cause');
      // Before a sign-in every failure counts as one of the provider.
      expect(faultOfProvider(error)).to.deep.include({ code: AWAY, details: { reason } });
    });
  }

  it('asks whether the clock is right only if a token is of another time', () => {
    expect(faultOf(thrown('OAUTH_JWT_TIMESTAMP_CHECK_FAILED')).message).to.include('is the clock');
    expect(faultOf(thrown('OAUTH_INVALID_RESPONSE')).message).not.to.include('clock');
  });

  it('is an unchanged error of this project', () => {
    const error = new TallybookError('NOT_CLAIMED', 'nobody has');
    expect(faultOf(error)).to.equal(error);
    expect(faultOfProvider(error)).to.equal(error);
  });
});

describe('userinfo', () => {
  async function signIn(
    forgery: Forgery,
    options: Partial<OidcOptions> = {},
  ): Promise<{ readonly groups: readonly string[] | string; readonly asked: readonly string[] }> {
    await using forger = await ForgingProvider.start();
    forger.forgery = forgery;
    const asked: string[] = [];
    const provider = new OidcIdentityProvider({
      ...{ issuer: forger.issuer, clientId: forger.clientId, redirectUrl: 'http://127.0.0.1:8080/' },
      fetch: (input, init) => {
        asked.push(new URL(input).pathname);
        return fetch(input, init);
      },
      ...options,
    });
    const { url, ticket } = await provider.begin();
    try {
      const { groups } = await provider.finish(ticket, forger.answer(url));
      return { groups, asked };
    } catch (error) {
      if (!isTallybookError(error)) throw error;
      return { groups: error.code, asked };
    }
  }

  const groupsClaim = 'groups';
  const userinfo = { groups: ['b'] };

  it('is not requested if the ID token has all wanted claims', async () => {
    const { groups, asked } = await signIn({ claims: { groups: ['a'] }, userinfo }, { groupsClaim });
    expect(groups).to.deep.equal(['a']);
    expect(asked).not.to.include('/userinfo');
    expect((await signIn({ userinfo })).asked).not.to.include('/userinfo');
  });

  it('is requested if the ID token lacks a wanted claim and the provider has userinfo', async () => {
    const found = await signIn({ userinfo }, { groupsClaim });
    expect(found.groups).to.deep.equal(['b']);
    expect(found.asked).to.include('/userinfo');
    const nowhere = await signIn({ userinfo, metadata: { userinfo_endpoint: undefined } }, { groupsClaim });
    expect(nowhere.groups).to.deep.equal([]);
  });
});
