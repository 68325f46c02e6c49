import { Timekeeper } from '@tallybook/domain';
import { loadConfig } from '@tallybook/server';
import { ManualClock } from '@tallybook/testing';
import { expect } from 'chai';
import { RunningProvider } from '../../../identity-oidc/test/fixtures/running-provider.js';
import { createIdentityProvider } from '../../src/wiring/identity-provider.js';

const publicUrl = 'http://127.0.0.1:8080/';

describe('The identity provider of the configuration', () => {
  it('is asked for the claims that it names, and shown by its label', async () => {
    const claims = {
      preferred_username: 'Ada',
      email: 'ada@example.org',
      email_verified: true,
      groups: ['staff'],
    };
    const people = [{ subject: 'ada', claims }];
    await using running = await RunningProvider.start({ people, redirectUrl: publicUrl });
    const oidc = { oidcIssuer: running.issuer, oidcClientId: running.clientId, publicUrl };
    const clock = new ManualClock(Math.floor(Date.now() / 1_000));
    const signIn = async (settings: Parameters<typeof loadConfig>[0]): Promise<readonly unknown[]> => {
      const config = loadConfig({ store: 'memory:', ...oidc, ...settings }, {});
      const provider = createIdentityProvider(config, new Timekeeper(clock));
      if (provider === undefined) return [];
      const { url, ticket } = await provider.begin();
      const { name, groups } = await provider.finish(ticket, await running.answer(url, 'ada'));
      return [provider.label, name, groups];
    };
    const named = { oidcLabel: 'School', oidcUserClaim: 'email', oidcGroupsClaim: 'groups' };
    expect(await signIn(named)).to.deep.equal(['School', 'ada@example.org', ['staff']]);
    expect((await signIn({})).slice(1)).to.deep.equal(['Ada', []]);
  });

  it('is none without an issuer', () => {
    const config = loadConfig({ store: 'memory:' }, {});
    expect(createIdentityProvider(config, new Timekeeper(new ManualClock()))).to.equal(undefined);
  });
});
