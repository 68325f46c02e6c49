import type { RegistrationResponseJSON } from '@simplewebauthn/server';

/**
 * Removes the attestation by the maker of the device, which some devices send unasked. To check it, the library would parse
 * certificates that anybody may have made, and fetch lists of revoked certificates from the addresses in them.
 */
export async function withoutAttestation(
  answer: RegistrationResponseJSON,
): Promise<RegistrationResponseJSON> {
  const { decodeCBOR, encodeCBOR } = await import('@levischuck/tiny-cbor');
  const object = decodeCBOR(new Uint8Array(Buffer.from(answer.response.attestationObject, 'base64url')));
  const authData = object instanceof Map ? object.get('authData') : undefined;
  if (!(authData instanceof Uint8Array)) throw new Error('its attestationObject has no authData');
  const bare = encodeCBOR(
    new Map<string, string | Uint8Array | Map<never, never>>([
      ['fmt', 'none'],
      ['attStmt', new Map<never, never>()],
      ['authData', authData],
    ]),
  );
  const attestationObject = Buffer.from(bare).toString('base64url');
  return { ...answer, response: { ...answer.response, attestationObject } };
}
