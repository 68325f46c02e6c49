import { expect } from 'chai';
import { rejectionOf } from '../../domain/test/fixtures/throws.js';
import { OidcIdentityProvider, type OidcOptions } from '../src/index.js';
import { RunningProvider, type ProviderOptions } from './fixtures/running-provider.js';

const redirectUrl = 'http://127.0.0.1:8080/tally/';
const ada = {
  subject: '248289761001',
  claims: {
    ...{
      preferred_username: 'Ada',
      groups: ['staff', 'desk'],
      email: 'ada@example.org',
      email_verified: true,
    },
  },
};
const eve = { subject: 'eve', claims: { email: 'ada@example.org', email_verified: false, groups: 'staff' } };

function providerOf(running: RunningProvider, options: Partial<OidcOptions> = {}): OidcIdentityProvider {
  const { issuer, clientId } = running;
  return new OidcIdentityProvider({ issuer, clientId, redirectUrl, ...options });
}

async function signIn(
  subject: string,
  options: Partial<OidcOptions> = {},
  provided: Partial<ProviderOptions> = {},
): Promise<unknown> {
  await using running = await RunningProvider.start({ people: [ada, eve], redirectUrl, ...provided });
  const provider = providerOf(running, options);
  const { url, ticket } = await provider.begin();
  const { signOutHint: _, ...identity } = await provider.finish(ticket, await running.answer(url, subject));
  expect(identity.issuer).to.equal(running.issuer);
  return { ...identity, issuer: 'it' };
}

describe('signing in at a real provider', () => {
  it('gives groups if their claim is set, from the ID token or from userinfo', async () => {
    for (const tellsAllAtOnce of [true, false]) {
      const identity = await signIn(ada.subject, { groupsClaim: 'groups' }, { tellsAllAtOnce });
      expect(identity).to.have.deep.property('groups', ['staff', 'desk']);
    }
    expect(await signIn('eve', { groupsClaim: 'groups' })).to.have.deep.property('groups', ['staff']);
  });

  it('gives groups that are keys of an object, or in a nested claim, and reports what it found', async () => {
    const roles = 'urn:zitadel:iam:org:project:roles';
    const nested = { [roles]: { desk: { '2851': 'school.example' } }, realm_access: { roles: ['staff'] } };
    const bob = { subject: 'bob', claims: { preferred_username: 'bob', ...nested } };
    for (const tellsAllAtOnce of [true, false]) {
      for (const [groupsClaim, groups, kind] of [
        [roles, ['desk'], 'object of 1'],
        ['realm_access.roles', ['staff'], 'list of 1'],
        ['realm_access.groups', [], /^absent; there are .*realm_access/],
      ] as const) {
        const reported: Readonly<Record<string, string>>[] = [];
        const reportClaims = (kinds: Readonly<Record<string, string>>): void => void reported.push(kinds);
        const provided = { people: [bob], tellsAllAtOnce, claims: Object.keys(nested) };
        expect(await signIn('bob', { groupsClaim, reportClaims }, provided)).to.deep.include({ groups });
        expect(reported[0]).to.have.keys('preferred_username', groupsClaim);
        expect(reported[0]?.[groupsClaim]).to.match(new RegExp(kind));
      }
    }
  });

  it('gives an e-mail address as the name only if the provider has verified it', async () => {
    expect(await signIn(ada.subject, { userClaim: 'email' })).to.have.property('name', 'ada@example.org');
    expect(await signIn('eve', { userClaim: 'email' })).to.have.property('name', undefined);
  });

  it('sends the secret, without which the provider does not answer', async () => {
    const secret = 'a secret: of ~ more than thirty-two characters';
    const readSecret = (): Promise<string> => Promise.resolve(secret);
    expect(await signIn(ada.subject, { readSecret }, { secret })).to.have.property('name', 'Ada');
    const wrong = signIn(ada.subject, { readSecret: () => Promise.resolve('x') }, { secret });
    await rejectionOf('IDENTITY_UNAVAILABLE', wrong);
  });

  it('requests only the needed scopes', async () => {
    await using running = await RunningProvider.start({ people: [ada], redirectUrl });
    const { searchParams } = new URL((await providerOf(running).begin()).url);
    expect(Object.fromEntries(searchParams)).to.include({
      ...{ client_id: running.clientId, response_type: 'code', code_challenge_method: 'S256' },
      ...{ scope: 'openid profile', redirect_uri: redirectUrl },
    });
  });
});

describe('signing out at a real provider', () => {
  for (const endsSessions of [true, false]) {
    it(
      endsSessions ? 'leads back to the page, also below a path' : 'is nowhere if it has no such place',
      async () => {
        await using running = await RunningProvider.start({ people: [ada], redirectUrl, endsSessions });
        const url = await providerOf(running).signOutUrl();
        expect(url === undefined ? undefined : await running.leave(url)).to.equal(
          endsSessions ? redirectUrl : undefined,
        );
      },
    );
  }

  it('sends the ID token of the sign-in, which the provider recognises', async () => {
    await using running = await RunningProvider.start({ people: [ada], redirectUrl });
    const provider = providerOf(running);
    const { url, ticket } = await provider.begin();
    const { signOutHint = '' } = await provider.finish(ticket, await running.answer(url, ada.subject));
    const place = new URL((await provider.signOutUrl(signOutHint)) ?? '');
    expect(Object.fromEntries(place.searchParams)).to.deep.equal({
      ...{ client_id: running.clientId, post_logout_redirect_uri: redirectUrl, id_token_hint: signOutHint },
    });
    // The provider answers with 400 if it does not accept the URL.
    expect(await running.leave(place.href)).to.equal(redirectUrl);
  });

  it('keeps nothing of a sign-in if the provider has no address for signing out', async () => {
    await using running = await RunningProvider.start({ people: [ada], redirectUrl, endsSessions: false });
    const provider = providerOf(running);
    const { url, ticket } = await provider.begin();
    const identity = await provider.finish(ticket, await running.answer(url, ada.subject));
    expect(identity).not.to.have.property('signOutHint');
  });

  it('reports that the provider is away', async () => {
    const issuer = 'http://127.0.0.1:1';
    const provider = new OidcIdentityProvider({ issuer, clientId: 'tallybook', redirectUrl });
    await rejectionOf('IDENTITY_UNAVAILABLE', provider.signOutUrl());
  });
});
