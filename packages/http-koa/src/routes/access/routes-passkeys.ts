import type { NewPasskeyRequest, PasskeyChallenge } from '@tallybook/domain/access';
import type { AnswerOf, TallybookOperations } from '@tallybook/http-contract';
import type { Admission } from '../../access/admission.js';
import { passkeyPlaceOf } from '../../access/connections.js';
import { principalOf } from '../../access/principal-of.js';
import { requireRight } from '../../held-right.js';
import { emptyAnswer, type Handlers } from '../implement.js';

/** Adding, listing and removing passkeys. */
export function passkeyHandlers({
  access,
  connections,
}: Admission): Handlers<
  'GET /api/passkeys' | 'POST /api/passkeys' | 'DELETE /api/passkeys' | 'POST /api/passkeys/challenge'
> {
  return {
    'GET /api/passkeys': ({ ctx, query }) => {
      const all = query.all === '1';
      if (all) requireRight(ctx, 'manage-access');
      return access.passkeys.list(principalOf(ctx), { all });
    },
    'POST /api/passkeys': async ({ ctx, body: { label, answer } }) => {
      const place = passkeyPlaceOf(ctx.req, connections);
      return { id: await access.passkeys.add(principalOf(ctx), { label, answer }, place) };
    },
    'DELETE /api/passkeys': async ({ ctx, query: { id } }) => {
      if (!(await access.passkeys.remove(principalOf(ctx), id)))
        return ctx.throw(404, 'there is no passkey of this id, or it is not yours');
      return emptyAnswer(204);
    },
    'POST /api/passkeys/challenge': async ({ ctx, body: { password } }) => {
      const proof = { password, address: connections.networkOf(ctx.req) };
      const place = passkeyPlaceOf(ctx.req, connections);
      return creationOptions(await access.passkeys.request(principalOf(ctx), proof, place));
    },
  };
}

/**
 * `PublicKeyCredentialRequestOptionsJSON` of WebAuthn. It contains no passkeys: the device shows its own ones, so nobody
 * learns who is a user.
 */
export function requestOptions({
  challenge,
  host,
  seconds,
}: PasskeyChallenge): AnswerOf<TallybookOperations['POST /api/session/passkey/challenge']> {
  return {
    ...{ challenge, rpId: host, allowCredentials: [], userVerification: 'required' },
    timeout: seconds * 1_000,
  };
}

/** `PublicKeyCredentialCreationOptionsJSON` of WebAuthn, for a passkey with which people sign in without a name. */
function creationOptions({
  challenge,
  host,
  seconds,
  user,
  handle,
  algorithms,
  present,
}: NewPasskeyRequest): AnswerOf<TallybookOperations['POST /api/passkeys/challenge']> {
  return {
    rp: { id: host, name: 'Tallybook' },
    user: { id: handle, name: user, displayName: user },
    challenge,
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: seconds * 1_000,
    excludeCredentials: present.map((id) => ({ type: 'public-key', id })),
    authenticatorSelection: {
      ...{ residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    },
    attestation: 'none',
  };
}
