import { writeFile } from 'node:fs/promises';
import { Timekeeper } from '@tallybook/domain';
import { loadConfig } from '@tallybook/server';
import { ManualClock } from '@tallybook/testing';
import { expect } from 'chai';
import { RunningProvider } from '../../../identity-oidc/test/fixtures/running-provider.js';
import {
  createIdentityProvider,
  identityRulesOf,
  publicNamesOf,
  warnOfIdentity,
} from '../../src/wiring/identity-provider.js';
import { recordedLog } from '../fixtures/logged.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

const publicUrl = 'http://127.0.0.1:8080/';

describe('The identity provider of the configuration', () => {
  const folder = temporaryFolder();

  it('is asked for the configured claims, and shown with its label', async () => {
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
    const { log, lines } = recordedLog();
    const signIn = async (settings: Parameters<typeof loadConfig>[0]): Promise<readonly unknown[]> => {
      const config = loadConfig({ store: 'memory:', ...oidc, ...settings }, {});
      const provider = createIdentityProvider(config, new Timekeeper(clock), log);
      if (provider === undefined) return [];
      const { url, ticket } = await provider.begin();
      const { name, groups } = await provider.finish(ticket, await running.answer(url, 'ada'));
      return [provider.label, name, groups];
    };
    const named = { oidcLabel: 'School', oidcUserClaim: 'email', oidcGroupsClaim: 'groups' };
    expect(await signIn(named)).to.deep.equal(['School', 'ada@example.org', ['staff']]);
    expect((await signIn({})).slice(1)).to.deep.equal(['Ada', []]);
    expect(lines.values.map(({ level, claims: kinds }) => [level, kinds])).to.deep.equal([
      [30, { email: 'text', groups: 'list of 1' }],
      [30, { preferred_username: 'text' }],
    ]);
  });

  it('gives users the role of their groups, or a configured role', () => {
    const oidc = { oidcIssuer: 'https://id.example', oidcClientId: 'tally', publicUrl };
    const groups = { oidcGroupsClaim: 'groups', oidcGroupRole: ['staff=desk', 'it=admin'] };
    const rulesOf = (settings: object): unknown => identityRulesOf(loadConfig({ ...oidc, ...settings }, {}));
    expect(rulesOf({ ...groups, oidcRole: 'viewer' })).to.deep.equal({
      ...{ role: 'viewer', groupRoles: { staff: 'desk', it: 'admin' } },
    });
    expect(rulesOf({})).to.deep.equal({ groupRoles: {} });
  });

  it('causes a warning at the start if its secret is missing', async () => {
    const oidc = { oidcIssuer: 'https://id.example', oidcClientId: 'tally', publicUrl };
    const file = folder.path('secret');
    const { log, lines } = recordedLog();
    await warnOfIdentity(log, loadConfig(oidc, {}));
    const config = loadConfig({ ...oidc, oidcClientSecretFile: file }, {});
    await warnOfIdentity(log, config);
    await writeFile(file, 'secret\n', { mode: 0o600 });
    await warnOfIdentity(log, config);
    expect(lines.values.map(({ level, msg }) => [level, msg])).to.deep.equal([
      [40, 'nobody can sign in at the identity provider: check --oidc-client-secret-file'],
    ]);
    expect(lines.values[0]?.['err']).to.be.an('object');
  });

  it('is missing without an issuer', () => {
    const config = loadConfig({ store: 'memory:' }, {});
    expect(createIdentityProvider(config, new Timekeeper(new ManualClock()), recordedLog().log)).to.equal(
      undefined,
    );
  });
});

describe('The names by which people reach the page', () => {
  for (const [url, names] of [
    ['https://tally.example/', ['tally.example']],
    ['https://tally:8443/', ['tally']],
    ['https://192.0.2.7:8443/', []],
    ['https://[2001:db8::7]:8443/', []],
    [undefined, []],
  ] as const) {
    it(`are ${names.join() || 'none'} with ${url ?? 'no URL'}, because addresses need not be allowed`, () => {
      const config = loadConfig(url === undefined ? {} : { publicUrl: url }, {});
      expect(publicNamesOf(config)).to.deep.equal(names);
    });
  }
});
