/** Longer ID tokens are not kept: a cookie cannot hold them, and some providers accept no URL of that length. */
const MAX_LENGTH = 2_000;
const COMPACT = /^[\w-]+\.([\w-]+)\.[\w-]+$/;

/** The provider and this service, by their ids at the provider. */
export interface HintParties {
  readonly issuer: string;
  readonly clientId: string;
}

/**
 * The ID token, if it can be kept for signing out at the provider (`id_token_hint`). Its signature is not checked here: the
 * provider checks it when the token comes back.
 *
 * @see OpenID Connect RP-Initiated Logout 1.0, section 2.
 */
export function signOutHintOf(idToken: string | undefined): string | undefined {
  return idToken !== undefined && idToken.length <= MAX_LENGTH && COMPACT.test(idToken) ? idToken : undefined;
}

/**
 * Whether this provider gave the hint to this service. Otherwise it is not sent, because it would show another provider
 * who signs out.
 */
export function isHintOf(hint: string, { issuer, clientId }: HintParties): boolean {
  const [, payload] = COMPACT.exec(hint) ?? [];
  if (payload === undefined || hint.length > MAX_LENGTH) return false;
  try {
    const { iss, aud } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
    return iss === issuer && (aud === clientId || (Array.isArray(aud) && aud.includes(clientId)));
  } catch {
    return false;
  }
}
