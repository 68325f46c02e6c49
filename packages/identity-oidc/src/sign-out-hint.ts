/** Longer ID tokens are not kept: a cookie would not carry them, and some providers read no URL as long. */
const MAX_LENGTH = 2_000;
const COMPACT = /^[\w-]+\.([\w-]+)\.[\w-]+$/;

/** The provider and this service, as both are called there. */
export interface HintParties {
  readonly issuer: string;
  readonly clientId: string;
}

/**
 * What is kept of a sign-in for signing out there (`id_token_hint`): the ID token. Who made it is for the provider to check, when it
 * comes back.
 *
 * @see OpenID Connect RP-Initiated Logout 1.0, section 2.
 */
export function signOutHintOf(idToken: string | undefined): string | undefined {
  return idToken !== undefined && idToken.length <= MAX_LENGTH && COMPACT.test(idToken) ? idToken : undefined;
}

/** Whether a hint was given by this provider, to this service: another one is not told who signs out here. */
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
