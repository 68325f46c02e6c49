import { expect } from 'chai';
import { isHintOf, signOutHintOf } from '../src/sign-out-hint.js';

const parties = { issuer: 'https://id.example.org', clientId: 'tallybook' };

function tokenOf(claims: unknown): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'RS256' })}.${part(claims)}.c2lnbmF0dXJl`;
}

describe('the hint of a sign-in that is kept for signing out', () => {
  it('is the ID token, of 2,000 characters at most', () => {
    const token = tokenOf({ iss: parties.issuer });
    expect(signOutHintOf(token)).to.equal(token);
    const longest = token.padEnd(2_000, 'x');
    expect(signOutHintOf(longest)).to.equal(longest);
    expect(signOutHintOf(`${longest}x`)).to.equal(undefined);
  });

  it('is missing without an ID token, or if that is no signed token', () => {
    for (const odd of [undefined, '', 'a.b', 'a.b.c.d.e', 'a.b;.c', 'a.b.', ' a.b.c']) {
      expect(signOutHintOf(odd), odd).to.equal(undefined);
    }
  });

  it('is shown to the provider that gave it to this service, and to no other', () => {
    const { issuer: iss, clientId: aud } = parties;
    expect(isHintOf(tokenOf({ iss, aud }), parties)).to.equal(true);
    expect(isHintOf(tokenOf({ iss, aud: ['other', aud] }), parties)).to.equal(true);
    for (const other of [
      { iss: 'https://other.example.org', aud },
      ...[
        { iss, aud: 'other' },
        { iss, aud: ['other'] },
        { iss, aud: [] },
        { iss, aud: `${aud}x` },
      ],
      ...[{ iss }, { aud }, {}, null, 7, 'text', []],
    ]) {
      expect(isHintOf(tokenOf(other), parties), JSON.stringify(other)).to.equal(false);
    }
  });

  it('is not taken from an invalid token', () => {
    for (const odd of ['', '.', 'a.b.c', 'a.bnVsbA.c', tokenOf({ ...parties }).slice(1), 'x'.repeat(3_000)]) {
      expect(isHintOf(odd, parties), odd).to.equal(false);
    }
    const { issuer: iss, clientId: aud } = parties;
    expect(isHintOf(tokenOf({ iss, aud, name: 'x'.repeat(2_000) }), parties)).to.equal(false);
  });
});
