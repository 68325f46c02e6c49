import { expect } from 'chai';
import { OidcIdentityProvider, type OidcOptions } from '../src/index.js';

const right: OidcOptions = {
  issuer: 'https://id.example.org/realms/school',
  clientId: 'tallybook',
  redirectUrl: 'https://tally.example.org/',
};

describe('the options of OidcIdentityProvider', () => {
  it('give it the name of its host, unless it has a label', () => {
    expect(new OidcIdentityProvider(right).label).to.equal('id.example.org');
    expect(new OidcIdentityProvider({ ...right, label: 'School' }).label).to.equal('School');
  });

  it('are refused if they cannot be right, and a login in them is not shown', () => {
    for (const wrong of [
      { issuer: 'id.example.org' },
      { issuer: 'ftp://id.example.org' },
      { issuer: 'http://id.example.org' },
      { issuer: 'https://user:secret@id.example.org' },
      { issuer: 'https://id.example.org/?' },
      { issuer: 'https://login.microsoftonline.com/common/v2.0' },
      { issuer: 'https://login.microsoftonline.com/Organizations/v2.0' },
      { redirectUrl: 'https://tally.example.org/#/' },
      { clientId: '' },
      { userClaim: ' ' },
      { groupsClaim: '' },
      { label: '' },
      { label: 'a'.repeat(101) },
      { timeoutMs: 99 },
      { timeoutMs: Number.NaN },
      { timeoutMs: 60_001 },
      { label: '   ' },
      { issuer: 'https://id.example.org/#' },
      { issuer: 'https://id.example.org?a=b' },
      { issuer: 'https://user@id.example.org' },
      { issuer: 'https://:secret@id.example.org' },
      { issuer: 'http://localhost.example.org' },
      { redirectUrl: 'http://tally.example.org' },
    ]) {
      const make = (): unknown => new OidcIdentityProvider({ ...right, ...wrong });
      expect(make, JSON.stringify(wrong)).to.throw().with.property('code', 'INVALID_OPTION');
      expect(make).not.to.throw(/secret@/);
    }
  });

  for (const fitting of [
    { timeoutMs: 100 },
    { timeoutMs: 60_000 },
    { label: 'a'.repeat(100) },
    { issuer: 'http://localhost:1' },
    { issuer: 'https://login.microsoftonline.com/1f0c2d3e-0000-4000-8000-000000000000/v2.0' },
    { issuer: 'https://id.example.org/common/v2.0' },
    { issuer: 'http://127.0.0.1' },
    { issuer: 'http://[::1]/realms/school' },
  ]) {
    it(`may be ${JSON.stringify(fitting).slice(0, 60)}`, () => {
      expect(() => new OidcIdentityProvider({ ...right, ...fitting })).not.to.throw();
    });
  }
});
