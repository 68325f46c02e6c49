import { TallybookError } from '@tallybook/domain';
import type { ExpectedAnswer, MadePasskey, PasskeyVerifier, UsedPasskey } from '@tallybook/domain/access';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { readClientData } from './client-data.js';
import { withoutAttestation } from './without-attestation.js';

/** ES256, which every device supports, and RS256, for Windows on older machines. */
const ALGORITHMS = [-7, -257] as const;
/** An RSA key of 4096 bits has 540 bytes. */
const PUBLIC_KEY_MAX_BYTES = 1_024;
const MESSAGE_MAX_LENGTH = 200;
const UNPRINTABLE = /[^\x20-\x7e]/g;

/**
 * Replaces the key of an unknown passkey, so that the check takes as long as for a known one: a point of the curve P-256
 * as COSE. Even an answer that fits this key is refused.
 */
const NOBODY = Buffer.from(
  'a5010203262001' +
    '2158206b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296' +
    '2258204fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5',
  'hex',
);

/** Checks passkeys with SimpleWebAuthn, which is loaded at the first check. */
export class WebauthnPasskeyVerifier implements PasskeyVerifier {
  readonly algorithms: readonly number[] = ALGORITHMS;

  async verifyMade(answer: object, expected: ExpectedAnswer): Promise<MadePasskey> {
    const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
    try {
      const response = await withoutAttestation(answer as RegistrationResponseJSON);
      const { registrationInfo } = await verifyRegistrationResponse({
        response,
        ...expectationOf(expected),
        supportedAlgorithmIDs: [...ALGORITHMS],
      });
      if (registrationInfo === undefined) throw new Error('it is not verified');
      const { credential, credentialDeviceType } = registrationInfo;
      if (credential.publicKey.length > PUBLIC_KEY_MAX_BYTES) {
        throw new Error(`its key has more than ${PUBLIC_KEY_MAX_BYTES} bytes`);
      }
      return {
        challenge: readClientData(response).challenge,
        credentialId: credential.id,
        publicKey: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        isSynced: credentialDeviceType === 'multiDevice',
      };
    } catch (cause) {
      throw new TallybookError('INVALID_PASSKEY', `this passkey cannot be taken: ${reasonOf(cause)}`, {
        cause,
      });
    }
  }

  async verifyUsed(
    answer: object,
    expected: ExpectedAnswer,
    publicKey: string | undefined,
  ): Promise<UsedPasskey | undefined> {
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
    try {
      const response = answer as AuthenticationResponseJSON;
      const key = publicKey === undefined ? NOBODY : Buffer.from(publicKey, 'base64url');
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response,
        ...expectationOf(expected),
        credential: { id: response.id, publicKey: new Uint8Array(key), counter: 0 },
      });
      const { challenge } = readClientData(response);
      if (!verified || publicKey === undefined) return undefined;
      return { challenge, counter: authenticationInfo.newCounter };
    } catch {
      // The answer comes from outside, and may be of any form.
      return undefined;
    }
  }
}

function expectationOf({ origin, host, isChallenge }: ExpectedAnswer): {
  readonly expectedChallenge: (challenge: string) => boolean;
  readonly expectedOrigin: string;
  readonly expectedRPID: string;
  readonly requireUserVerification: true;
} {
  return {
    expectedChallenge: (challenge) => typeof challenge === 'string' && isChallenge(challenge),
    expectedOrigin: origin,
    expectedRPID: host,
    requireUserVerification: true,
  };
}

/** Message of the library on one line; it may show a part of the answer. */
function reasonOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : 'it is no answer of a browser';
  return message.replace(UNPRINTABLE, ' ').slice(0, MESSAGE_MAX_LENGTH);
}
