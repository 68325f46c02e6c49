import { isTallybookError, type Identity } from '@tallybook/domain';
import { expect } from 'chai';
import { identityOf, lacks, type Claims } from '../src/identity-of.js';

const right: Claims = { iss: 'https://id.example.org', sub: 'ada' };

function identified(
  claims: Claims,
  userClaim = 'name',
  groupsClaim: string | undefined = 'groups',
): Identity {
  return identityOf({ ...right, ...claims }, { userClaim, groupsClaim });
}

describe('the identity of a person', () => {
  it('is issuer and subject, and is refused without them', () => {
    expect(identified({})).to.deep.equal({
      ...{ issuer: right['iss'], subject: 'ada', name: undefined, groups: [] },
    });
    expect(identified({ sub: 'a'.repeat(255) }).subject).to.have.lengthOf(255);
    for (const claims of [
      { iss: undefined },
      { iss: 7 },
      { sub: undefined },
      { sub: 7 },
      { sub: '' },
      { sub: 'a'.repeat(256) },
      { sub: 'a\u2028b' },
      { sub: '\uD800' },
    ]) {
      let error: unknown;
      try {
        identified(claims);
      } catch (reason) {
        error = reason;
      }
      expect(isTallybookError(error, 'IDENTITY_REFUSED'), JSON.stringify(claims)).to.equal(true);
      expect(error).to.have.deep.property('details', { reason: 'subject' });
    }
  });

  it('has a name of up to 256 characters, and otherwise no name', () => {
    expect(identified({ name: 'a'.repeat(256) }).name).to.have.lengthOf(256);
    for (const name of ['a'.repeat(257), '', 7, null, ['ada']]) {
      expect(identified({ name }).name, JSON.stringify(name)).to.equal(undefined);
    }
  });

  it('has an e-mail address as a name only if `email_verified` is exactly true', () => {
    const email = 'ada@example.org';
    expect(identified({ email, email_verified: true }, 'email').name).to.equal(email);
    for (const verified of [undefined, false, 'true', 1]) {
      expect(identified({ email, email_verified: verified }, 'email').name).to.equal(undefined);
    }
    expect(identified({ name: email, email_verified: false }).name).to.equal(email);
  });

  it('has the first thousand groups of up to 256 characters, or a single group that is no list', () => {
    const long = 'a'.repeat(256);
    const groups = [7, `${long}b`, long, ...Array.from({ length: 1_001 }, (_, n) => `g${n}`)];
    const found = identified({ groups }).groups;
    expect(found).to.have.lengthOf(1_000);
    expect([found[0], found[1], found.at(-1)]).to.deep.equal([long, 'g0', 'g998']);
    expect(identified({ groups: 'staff' }).groups).to.deep.equal(['staff']);
    expect(identified({ groups: { staff: true } }).groups).to.deep.equal([]);
  });

  it('has no groups unless their claim is set', () => {
    expect(identityOf({ ...right, groups: ['staff'] }, { userClaim: 'name' }).groups).to.deep.equal([]);
  });

  it('lacks a missing wanted claim, also if only one of several is missing', () => {
    expect(lacks({ name: 'ada' }, ['name', undefined])).to.equal(false);
    expect(lacks({ name: '' }, ['name'])).to.equal(false);
    expect(lacks({ name: 'ada' }, ['name', 'groups'])).to.equal(true);
    expect(lacks({ name: 'ada' }, ['groups', 'name'])).to.equal(true);
  });
});
