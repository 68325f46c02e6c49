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
import { scriptedProviderSubject } from './fixtures/scripted-provider-subject.js';
import { scriptedSourceSubject } from './fixtures/scripted-source-subject.js';

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
    make: (people) => scriptedProviderSubject(ScriptedIdentityProvider, people),
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
    make: () => scriptedSourceSubject(new ScriptedIdSource(clock)),
  },
);
