import { identityProviderContract } from '@tallybook/testing';
import { OidcIdentityProvider } from '../src/index.js';
import { RunningProvider } from './fixtures/running-provider.js';

const redirectUrl = 'http://127.0.0.1:8080/';
const secret = 'a secret of 40 characters, as providers make';

identityProviderContract(
  { describe, it },
  {
    name: 'OidcIdentityProvider',
    make: async (all) => {
      const people = all.map(({ subject, name, groups }) => ({
        subject,
        claims: { preferred_username: name, groups },
      }));
      const running = await RunningProvider.start({ people, redirectUrl, secret });
      const { issuer, clientId } = running;
      const another = (): OidcIdentityProvider =>
        new OidcIdentityProvider({
          ...{ issuer, clientId, redirectUrl, groupsClaim: 'groups' },
          readSecret: () => Promise.resolve(secret),
        });
      let isThere = true;
      const goAway = async (): Promise<void> => {
        if (isThere) await running[Symbol.asyncDispose]();
        isThere = false;
      };
      return {
        provider: another(),
        another,
        answer: (url, subject) => running.answer(url, subject),
        leave: (url) => running.leave(url),
        page: redirectUrl,
        secrets: [secret],
        goAway,
        cleanup: goAway,
      };
    },
  },
);
