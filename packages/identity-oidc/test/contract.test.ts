import { identityProviderContract } from '@tallybook/testing';
import { OidcIdentityProvider } from '../src/index.js';
import { RunningProvider } from './fixtures/running-provider.js';

const redirectUrl = 'http://127.0.0.1:8080/';

identityProviderContract(
  { describe, it },
  {
    name: 'OidcIdentityProvider',
    make: async (all) => {
      const people = all.map(({ subject, name, groups }) => ({
        subject,
        claims: { preferred_username: name, groups },
      }));
      const running = await RunningProvider.start({ people, redirectUrl });
      const { issuer, clientId } = running;
      const another = (): OidcIdentityProvider =>
        new OidcIdentityProvider({ issuer, clientId, redirectUrl, groupsClaim: 'groups' });
      return {
        provider: another(),
        another,
        answer: (url, subject) => running.answer(url, subject),
        cleanup: () => running[Symbol.asyncDispose](),
      };
    },
  },
);
