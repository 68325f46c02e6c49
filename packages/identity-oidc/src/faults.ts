import { isTallybookError, quote, TallybookError } from '@tallybook/domain';

/** Codes of the library for an answer that is none of a provider. Its others are of what a provider says of somebody. */
const NO_PROVIDER: ReadonlySet<string> = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
  'OAUTH_HTTP_REQUEST_FORBIDDEN',
  'OAUTH_REQUEST_PROTOCOL_FORBIDDEN',
  'OAUTH_WWW_AUTHENTICATE_CHALLENGE',
  'OAUTH_MISSING_SERVER_METADATA',
  'OAUTH_INVALID_SERVER_METADATA',
]);

/** What a provider says of a code that is not worth anything, as RFC 6749 has it. */
const WORTHLESS_CODE = 'invalid_grant';

/** @param reason For the log: never a secret, nor what a provider said of somebody. */
export function refused(why: string, reason: string): TallybookError {
  return new TallybookError(
    'IDENTITY_REFUSED',
    `what the provider sent proves nothing: ${why}; sign in once more`,
    { details: { reason } },
  );
}

/** @param reason As of {@link refused}. */
export function unavailable(reason: string): TallybookError {
  return new TallybookError(
    'IDENTITY_UNAVAILABLE',
    `the identity provider does not answer as one: ${reason}`,
    {
      details: { reason },
    },
  );
}

/**
 * Tells faults of a provider from what it says of somebody.
 *
 * Of errors of the library nothing is kept but a code: what caused them may have tokens and codes.
 */
export function faultOf(error: unknown): TallybookError {
  if (isTallybookError(error)) return error;
  const { code, error: said } = error as { readonly code?: unknown; readonly error?: unknown };
  if (typeof said === 'string') {
    const reason = quote(said);
    if (said === WORTHLESS_CODE) return refused('its code is worth nothing any more', reason);
    // What the browser was sent back with is of the person; the rest is of how this service is set up there.
    return code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR'
      ? refused(`it says ${reason}`, reason)
      : unavailable(`it says ${reason}`);
  }
  if (typeof code !== 'string' || !code.startsWith('OAUTH_') || NO_PROVIDER.has(code)) {
    return unavailable(reasonOf(error));
  }
  if (code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED') {
    return refused('it is of another time; is the clock of this service right?', code);
  }
  return refused(`it does not fit (${code})`, code);
}

/** What is wrong before anybody has signed in is wrong with the provider. */
export function faultOfProvider(error: unknown): TallybookError {
  const fault = faultOf(error);
  return fault.code === 'IDENTITY_REFUSED' ? unavailable(String(fault.details['reason'])) : fault;
}

/** Of the first error underneath that says more than that something failed. */
function reasonOf(error: unknown): string {
  const { code, message, cause } = error as { code?: unknown; message?: unknown; cause?: unknown };
  if (typeof code === 'string' && !code.startsWith('OAUTH_')) return code;
  if (error instanceof Error && error.name === 'StrangeAnswerError') return error.message;
  if (cause instanceof Error) return reasonOf(cause);
  return typeof code === 'string' ? code : quote(message);
}
