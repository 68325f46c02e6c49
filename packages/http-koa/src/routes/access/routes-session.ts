import {
  actions,
  anyone,
  mayDo,
  type AccessService,
  type Origin,
  type Principal,
  type SignedIn,
} from '@tallybook/domain/access';
import type { Session, TallybookOperations } from '@tallybook/http-contract';
import type Koa from 'koa';
import { TallybookError } from '@tallybook/domain';
import { principalOf } from '../../access/principal-of.js';
import {
  readBrowserCookie,
  setBrowserCookie,
  setSessionCookie,
  type SessionCookie,
} from '../../access/session-cookie.js';
import { addTicket, readSignOutHint, setSignOutHint, takeTicket } from '../../access/provider-cookies.js';
import { readJsonObject } from '../../requests/read-body.js';
import type { Admission } from '../../access/admission.js';
import { passkeyPlaceOf } from '../../access/connections.js';
import { browserOf } from '../../access/browser-of.js';
import { emptyAnswer, type Handlers } from '../implement.js';
import { requestOptions } from './routes-passkeys.js';

interface Begun {
  readonly cookie: SessionCookie;
  readonly session: Session;
}

/** The beginning of sessions, shared by all ways of signing in. */
interface SessionStart {
  readonly originOf: (ctx: Koa.Context) => Origin;
  /** Whether the principal of a request comes from its session cookie, not from a token or a proxy. */
  readonly isOfSession: (ctx: Koa.Context) => boolean;
  /** Begins a session. Resolves with the data of the session that the browser keeps. */
  readonly begin: (ctx: Koa.Context, begun: SignedIn, origin: Origin) => Promise<Begun>;
}

/**
 * Signing in and out at the identity provider.
 *
 * The provider sends the browser back to the page, not to a route. A request from the site of the provider has no
 * cookie with `SameSite=Strict`, and no other site may request a change. So the page sends the answer to the route.
 */
function providerHandlers(
  access: AccessService,
  { originOf, isOfSession, begin }: SessionStart,
): Handlers<
  'POST /api/session/provider' | 'POST /api/session/provider/answer' | 'GET /api/session/provider/sign-out'
> {
  return {
    'POST /api/session/provider': async ({ ctx }) => {
      const { transport } = originOf(ctx);
      const { url, ticket } = await access.provider.begin();
      addTicket(ctx, ticket, transport);
      return { url };
    },
    'POST /api/session/provider/answer': async ({ ctx, body: { answer } }) => {
      const origin = originOf(ctx);
      const ticket = takeTicket(ctx, answer, origin.transport);
      const { signOutHint, ...begun } = await access.provider.finish(ticket, answer, origin);
      const { cookie, session } = await begin(ctx, begun, origin);
      setSignOutHint(ctx, signOutHint, cookie);
      return session;
    },
    'GET /api/session/provider/sign-out': async ({ ctx }) => {
      const { transport } = originOf(ctx);
      const hint = isOfSession(ctx) ? readSignOutHint(ctx.req, transport) : undefined;
      return { url: (await access.provider.signOutUrl(principalOf(ctx), hint)) ?? null };
    },
  };
}

/** Signing in without a password. */
function passkeySignInHandlers(
  { access, connections }: Admission,
  { originOf, begin }: Pick<SessionStart, 'originOf' | 'begin'>,
): Handlers<'POST /api/session/passkey/challenge' | 'POST /api/session/passkey'> {
  const requireClaimed = (): void => {
    if (access.state !== 'unclaimed') return;
    throw new TallybookError('NOT_CLAIMED', 'nobody has set this service up');
  };
  return {
    'POST /api/session/passkey/challenge': async ({ ctx }) => {
      requireClaimed();
      await readJsonObject(ctx);
      return requestOptions(await access.passkeySignIn.challenge(passkeyPlaceOf(ctx.req, connections)));
    },
    'POST /api/session/passkey': async ({ ctx }) => {
      requireClaimed();
      const answer = await readJsonObject(ctx);
      const place = passkeyPlaceOf(ctx.req, connections);
      const origin = originOf(ctx);
      const signedIn = await access.passkeySignIn.signIn(answer, place, origin);
      return (await begin(ctx, signedIn, origin)).session;
    },
  };
}

/** Signing in and out, the first user, and passwords. */
export function sessionHandlers(admission: Admission): Partial<Handlers<keyof TallybookOperations>> {
  const { access, connections, authenticator, isInsecure } = admission;

  const originOf = ({ req }: Koa.Context): Origin => {
    const transport = connections.transportOf(req);
    return {
      ...{ address: connections.networkOf(req), transport },
      label: browserOf(req.headers['user-agent'] ?? ''),
      knownBrowser: readBrowserCookie(req, transport),
    };
  };

  const isOfSession = ({ req }: Koa.Context): boolean => authenticator.find(req)?.by === 'session';

  const describe = (ctx: Koa.Context, principal: Principal): Session => {
    const isNamed = principal !== anyone && principal.role !== 'nobody';
    const state = access.state === 'open' && !authenticator.isOpen ? 'claimed' : access.state;
    return {
      access: state,
      user: isNamed ? { name: principal.name, role: principal.role } : null,
      groups: principal.groups ?? [],
      actions: actions.filter((action) => mayDo(principal, action)),
      isInsecure: isInsecure && authenticator.isOpen,
      expiresAt: access.credentials.expiryOf(principal) ?? null,
      provider: access.provider.label ?? null,
      hasPasskeys: access.passkeySignIn.isReadyAt(passkeyPlaceOf(ctx.req, connections)),
    };
  };

  /** Begins a session, which replaces the present session of the browser. */
  const begin: SessionStart['begin'] = async (ctx, begun, { transport }) => {
    const before = authenticator.find(ctx.req);
    if (before?.by === 'session') await access.credentials.signOut(before.principal);
    const { secret, principal, expiresAt, knownBrowser } = begun;
    const cookie = { secret, transport, maxAgeSeconds: Math.max(expiresAt - access.now(), 1) };
    setSessionCookie(ctx, cookie);
    if (knownBrowser !== undefined) setBrowserCookie(ctx, knownBrowser, transport);
    return { cookie, session: describe(ctx, principal) };
  };

  return {
    'GET /api/session': ({ ctx }) => describe(ctx, principalOf(ctx)),
    'POST /api/session': async ({ ctx, body: { name, password } }) => {
      if (access.state === 'unclaimed')
        throw new TallybookError('NOT_CLAIMED', 'nobody has set this service up');
      const origin = originOf(ctx);
      return (await begin(ctx, await access.passwords.signIn(name, password, origin), origin)).session;
    },
    'DELETE /api/session': async ({ ctx }) => {
      const authentication = authenticator.find(ctx.req);
      if (authentication?.by === 'session') await access.credentials.signOut(authentication.principal);
      setSessionCookie(ctx, { secret: '', transport: connections.transportOf(ctx.req), maxAgeSeconds: 0 });
      ctx.set('Clear-Site-Data', '"cache"');
      return emptyAnswer(204);
    },
    'POST /api/setup': async ({ ctx, body: { code, name, password } }) => {
      const origin = originOf(ctx);
      return (await begin(ctx, await access.setup.claim(code, { name, password }, origin), origin)).session;
    },
    'POST /api/password': async ({ ctx, body: { current, password } }) => {
      const address = connections.networkOf(ctx.req);
      await access.passwords.change(principalOf(ctx), { current, password, address });
      return emptyAnswer(200);
    },
    ...(access.provider.label !== undefined && providerHandlers(access, { originOf, isOfSession, begin })),
    ...passkeySignInHandlers(admission, { originOf, begin }),
  };
}
