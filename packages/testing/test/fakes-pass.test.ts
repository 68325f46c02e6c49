import {
  clockContract,
  identityProviderContract,
  idSourceContract,
  ManualClock,
  passkeyVerifierContract,
  ScriptedDevice,
  ScriptedIdentityProvider,
  ScriptedIdSource,
  ScriptedPasskeyVerifier,
} from '@tallybook/testing';

const clock = new ManualClock();

clockContract(
  { describe, it },
  {
    name: 'ManualClock',
    make: () => {
      const manual = new ManualClock();
      return { clock: manual, wait: (ms) => manual.advance(ms), cleanup: () => Promise.resolve() };
    },
  },
);

identityProviderContract(
  { describe, it },
  {
    name: 'ScriptedIdentityProvider',
    make: (people) => {
      const provider = new ScriptedIdentityProvider(people);
      return {
        provider,
        another: () => Object.assign(new ScriptedIdentityProvider(people), { isAway: provider.isAway }),
        answer: (url, subject) => Promise.resolve(provider.answer(url, subject)),
        leave: (url) => Promise.resolve(provider.leave(url)),
        page: provider.page,
        secrets: [provider.secret],
        goAway: () => {
          provider.isAway = true;
          return Promise.resolve();
        },
        cleanup: () => Promise.resolve(),
      };
    },
  },
);

passkeyVerifierContract(
  { describe, it },
  {
    name: 'ScriptedPasskeyVerifier',
    make: () => {
      let devices = 0;
      const newDevice = (): ScriptedDevice => new ScriptedDevice(`device-${++devices}`);
      return { verifier: new ScriptedPasskeyVerifier(), newDevice };
    },
  },
);

idSourceContract(
  { describe, it },
  {
    name: 'ScriptedIdSource',
    clock,
    pluggable: true,
    make: () => {
      const source = new ScriptedIdSource(clock);
      return {
        source,
        present: (id) => {
          source.present(id);
        },
        garble: () => {
          source.present('no id');
        },
        unplug: () => {
          source.unplug();
        },
        plug: () => {
          source.plug();
        },
        cleanup: () => source.close(),
      };
    },
  },
);
