import type { NewPasskeyRequest, PasskeyChallenge, PasskeyView } from '@tallybook/domain/access';
import type Koa from 'koa';
import type { Admission } from '../../access/admission.js';
import { passkeyPlaceOf } from '../../access/connections.js';
import { principalOf } from '../../access/principal-of.js';
import { sendState } from '../../answers/representation.js';
import { choice, Query } from '../../requests/query.js';
import { readJsonObject } from '../../requests/read-json.js';
import type { Route } from '../route.js';

/** `/api/passkeys`: adding, listing and removing passkeys. */
export function passkeyRoutes({ access, connections }: Admission): readonly Route[] {
  const list = (ctx: Koa.Context): void => {
    const all = choice(ctx, new Query(ctx), 'all', ['1']) === '1';
    sendState(ctx, access.passkeys.list(principalOf(ctx), { all }).map(formatPasskey));
  };
  const request = async (ctx: Koa.Context): Promise<void> => {
    const { password } = await readJsonObject(ctx);
    const proof = { password, address: connections.networkOf(ctx.req) };
    const place = passkeyPlaceOf(ctx.req, connections);
    sendState(ctx, creationOptions(await access.passkeys.request(principalOf(ctx), proof, place)));
  };
  const add = async (ctx: Koa.Context): Promise<void> => {
    const { label, answer } = await readJsonObject(ctx);
    const place = passkeyPlaceOf(ctx.req, connections);
    sendState(ctx, { id: await access.passkeys.add(principalOf(ctx), { label, answer }, place) });
    ctx.status = 201;
  };
  const remove = async (ctx: Koa.Context): Promise<void> => {
    const id = new Query(ctx).text('id') ?? ctx.throw(400, 'id: must be given');
    if (!(await access.passkeys.remove(principalOf(ctx), id))) {
      return ctx.throw(404, 'there is no passkey of this id, or it is not yours');
    }
    ctx.status = 204;
  };
  return [
    {
      method: 'GET',
      path: '/api/passkeys',
      action: (ctx) => (new Query(ctx).text('all') === undefined ? 'signed-in' : 'manage-access'),
      actions: ['signed-in', 'manage-access'],
      handle: list,
    },
    { method: 'POST', path: '/api/passkeys', action: 'signed-in', handle: add },
    { method: 'DELETE', path: '/api/passkeys', action: 'signed-in', handle: remove },
    { method: 'POST', path: '/api/passkeys/challenge', action: 'signed-in', handle: request },
  ];
}

function formatPasskey({ id, user, host, label, isSynced, createdAt, lastUsed }: PasskeyView): object {
  return { id, user, host, label, isSynced, createdAt, lastUsed: lastUsed ?? null };
}

/**
 * `PublicKeyCredentialRequestOptionsJSON` of WebAuthn. It contains no passkeys: the device shows its own ones, so nobody
 * learns who is a user.
 */
export function requestOptions({ challenge, host, seconds }: PasskeyChallenge): object {
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
}: NewPasskeyRequest): object {
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
