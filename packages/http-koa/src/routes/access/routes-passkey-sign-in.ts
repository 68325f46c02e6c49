import { TallybookError } from '@tallybook/domain';
import type Koa from 'koa';
import type { Admission } from '../../access/admission.js';
import { passkeyPlaceOf } from '../../access/passkey-place.js';
import { sendState } from '../../answers/representation.js';
import { readJsonObject } from '../../requests/read-json.js';
import type { Route } from '../route.js';
import type { SessionStart } from './routes-provider.js';
import { requestOptions } from './routes-passkeys.js';

/** `/api/session/passkey`: signing in without a password. */
export function passkeySignInRoutes(
  { access, connections }: Admission,
  { originOf, begin }: Pick<SessionStart, 'originOf' | 'begin'>,
): readonly Route[] {
  const requireClaimed = (): void => {
    if (access.state !== 'unclaimed') return;
    throw new TallybookError('NOT_CLAIMED', 'nobody has set this service up');
  };
  const challenge = async (ctx: Koa.Context): Promise<void> => {
    requireClaimed();
    await readJsonObject(ctx);
    const place = passkeyPlaceOf(ctx.req, connections);
    sendState(ctx, requestOptions(await access.passkeySignIn.challenge(place)));
  };
  const signIn = async (ctx: Koa.Context): Promise<void> => {
    requireClaimed();
    const answer = await readJsonObject(ctx);
    const place = passkeyPlaceOf(ctx.req, connections);
    const origin = originOf(ctx);
    await begin(ctx, await access.passkeySignIn.signIn(answer, place, origin), origin);
  };
  return [
    { method: 'POST', path: '/api/session/passkey/challenge', action: 'public', handle: challenge },
    { method: 'POST', path: '/api/session/passkey', action: 'public', handle: signIn },
  ];
}
