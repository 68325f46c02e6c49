import { passkeyVerifierContract, type PasskeyDevice, type PasskeyRequest } from '@tallybook/testing';
import { WebauthnPasskeyVerifier } from '@tallybook/passkeys-webauthn';
import { SoftAuthenticator, type Deviation } from './soft-authenticator.js';

const handle = 'h'.repeat(43);
const [HERE, VERIFIED, CAN_BE_SYNCED, IS_SYNCED, KEY_FOLLOWS] = [1, 4, 8, 16, 64];

function deviationOf(request: PasskeyRequest, flags: number): Deviation {
  const { origin, host, counter = 0, isVerified = true, isSynced = false } = request;
  const verified = isVerified ? VERIFIED : 0;
  const synced = isSynced ? CAN_BE_SYNCED | IS_SYNCED : 0;
  return { origin, host, counter, flags: flags | verified | synced };
}

function deviceOf(kind: 'ec' | 'rsa'): PasskeyDevice {
  const device = new SoftAuthenticator('', '', kind);
  return {
    make: (request) => device.create(request.challenge, deviationOf(request, HERE | KEY_FOLLOWS)),
    use: (request) => device.get(request.challenge, handle, deviationOf(request, HERE)),
  };
}

for (const kind of ['ec', 'rsa'] as const) {
  passkeyVerifierContract(
    { describe, it },
    {
      name: `WebauthnPasskeyVerifier, with keys of ${kind},`,
      make: () => ({ verifier: new WebauthnPasskeyVerifier(), newDevice: () => deviceOf(kind) }),
    },
  );
}
