import { TallybookError } from '@tallybook/domain';
import type { Identity } from '@tallybook/domain/access';
import { expect } from 'chai';
import { identityOf, kindsOf, lacks, type Claims } from '../src/identity-of.js';

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
      expect(() => identified(claims), JSON.stringify(claims))
        .to.throw(TallybookError)
        .that.deep.includes({ code: 'IDENTITY_REFUSED', details: { reason: 'subject' } });
    }
  });

  it('has a name of up to 256 characters, and otherwise no name', () => {
    expect(identified({ name: 'a'.repeat(256) }).name).to.have.lengthOf(256);
    for (const name of ['a'.repeat(257), '', 7, null, ['ada']]) {
      expect(identified({ name }).name, JSON.stringify(name)).to.equal(undefined);
    }
  });

  it('has an e-mail address as a name only if `email_verified` is true, also as a text', () => {
    const email = 'ada@example.org';
    for (const verified of [true, 'true'])
      expect(identified({ email, email_verified: verified }, 'email').name).to.equal(email);
    const nested = (verified: boolean): Claims => ({ user: { email, email_verified: verified } });
    expect(identified(nested(true), 'user.email').name).to.equal(email);
    expect(identified({ ...nested(false), email_verified: true }, 'user.email').name).to.equal(undefined);
    for (const verified of [undefined, false, 'false', 'truely', ['true'], 1]) {
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
    expect(identified({ groups: '' }).groups).to.deep.equal(['']);
  });

  it('has the keys of an object as groups, but not those without a meaning', () => {
    const roles = {
      desk: { '2851': 'school.example' },
      staff: true,
      guest: false,
      id: 7,
      name: 'x',
      none: null,
    };
    expect(identified({ groups: roles }).groups).to.deep.equal(['desk', 'staff']);
    expect(identified({ groups: [{ desk: { '2851': 'school.example' } }, 'office'] }).groups).to.deep.equal([
      'desk',
      'office',
    ]);
    const claim = 'urn:zitadel:iam:org:project:roles';
    expect(identified({ [claim]: { desk: {} } }, 'name', claim).groups).to.deep.equal(['desk']);
  });

  it('has claims by their literal name, else by a path with dots', () => {
    const nested = { realm_access: { roles: ['desk'] }, 'https://school.example': { roles: ['office'] } };
    const groupsIn = (claims: Claims, claim: string): readonly string[] =>
      identified(claims, 'name', claim).groups;
    expect(groupsIn(nested, 'realm_access.roles')).to.deep.equal(['desk']);
    expect(groupsIn(nested, 'https://school.example.roles')).to.deep.equal(['office']);
    const literal = { ...nested, 'realm_access.roles': ['staff'] };
    expect(groupsIn(literal, 'realm_access.roles')).to.deep.equal(['staff']);
    expect(identified({ person: { name: 'ada' } }, 'person.name').name).to.equal('ada');
    for (const wrong of [
      'realm_access.role',
      'realm_access',
      'realm_access.roles.length',
      '.',
      'constructor.name',
    ])
      expect(groupsIn(nested, wrong), wrong).to.deep.equal([]);
    expect(lacks(nested, ['realm_access.roles'])).to.equal(false);
    expect(lacks(nested, ['realm_access.groups'])).to.equal(true);
  });

  it('is described for the log by the kinds of its claims, without a value', () => {
    const claims = { groups: ['a', 'b'], roles: { desk: {} }, email: 'ada@example.org', n: 7, nothing: null };
    const wanted = ['groups', 'roles', 'email', 'n', 'nothing', 'none', undefined];
    expect(kindsOf(claims, wanted)).to.deep.equal({
      ...{ groups: 'list of 2', roles: 'object of 1', email: 'text, which the provider has not verified' },
      ...{ n: 'number', nothing: 'null', none: 'absent; there are groups, roles, email, n, nothing' },
    });
    expect(kindsOf({ email: 'x', email_verified: 'true' }, ['email'])).to.deep.equal({ email: 'text' });
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
