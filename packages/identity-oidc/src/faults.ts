import { isTallybookError, quote, TallybookError } from '@tallybook/domain';

/**
 * Codes of the library for an answer that no correct provider gives, and their meaning. All other codes concern a
 * person.
 */
const NO_PROVIDER: Readonly<Record<string, string>> = {
  OAUTH_TIMEOUT: 'it does not answer in time',
  OAUTH_ABORT: 'the request was given up',
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'it answers with another status than 200',
  OAUTH_RESPONSE_IS_NOT_JSON: 'its answer is not JSON',
  OAUTH_PARSE_ERROR: 'its answer cannot be read',
  OAUTH_HTTP_REQUEST_FORBIDDEN: 'it names an address that is not https',
  OAUTH_REQUEST_PROTOCOL_FORBIDDEN: 'it names an address that is not https',
  OAUTH_WWW_AUTHENTICATE_CHALLENGE: 'it refuses a token that it has given',
  OAUTH_MISSING_SERVER_METADATA: 'it lacks an address that signing in needs',
  OAUTH_INVALID_SERVER_METADATA: 'it names an address that is none',
};

/** Before a sign-in, this code means that the issuer in the metadata is another one. */
const OTHER_ISSUER = 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';

/** Error of RFC 6749 for an authorisation code that has expired or was used already. */
const WORTHLESS_CODE = 'invalid_grant';

/** @param reason For the log. It must contain neither a secret nor claims about a person. */
export function refused(why: string, reason: string): TallybookError {
  const message = `the answer of the provider is not valid: ${why}; sign in once more`;
  return new TallybookError('IDENTITY_REFUSED', message, { details: { reason } });
}

/** @param reason As for {@link refused}. */
export function unavailable(reason: string): TallybookError {
  const message = `the identity provider gives no valid answer: ${reason}`;
  return new TallybookError('IDENTITY_UNAVAILABLE', message, { details: { reason } });
}

/**
 * The error for a failure of the library: `IDENTITY_UNAVAILABLE` if the provider, or the registration of this service
 * there, is faulty; `IDENTITY_REFUSED` if an answer about a person is not valid.
 *
 * It keeps only the code: the cause of an error of the library may contain tokens and codes.
 */
export function faultOf(error: unknown): TallybookError {
  if (isTallybookError(error)) return error;
  const { code, error: said } = error as { readonly code?: unknown; readonly error?: unknown };
  if (typeof said === 'string') {
    const reason = quote(said);
    if (said === WORTHLESS_CODE) return refused('its code has expired or was used already', reason);
    // An error that the browser brings back concerns the person. Any other error concerns the registration of this
    // service.
    return code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR'
      ? refused(`it says ${reason}`, reason)
      : unavailable(`it says ${reason}`);
  }
  if (typeof code !== 'string' || !code.startsWith('OAUTH_') || Object.hasOwn(NO_PROVIDER, code)) {
    return unavailable(reasonOf(error));
  }
  if (code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED') {
    return refused('it is expired or not yet valid; is the clock of this service right?', code);
  }
  return refused(`it does not fit (${code})`, code);
}

/** As {@link faultOf}, but before a sign-in. Then the provider causes every failure. */
export function faultOfProvider(error: unknown): TallybookError {
  const fault = faultOf(error);
  if (fault.code !== 'IDENTITY_REFUSED') return fault;
  const reason = String(fault.details['reason']);
  return unavailable(
    reason === OTHER_ISSUER ? `its issuer is not exactly the one that is asked for (${reason})` : reason,
  );
}

/** Reason of a failure: the code of the first cause that says more than "something failed". */
function reasonOf(error: unknown): string {
  const { code, message, cause } = error as { code?: unknown; message?: unknown; cause?: unknown };
  if (typeof code === 'string' && !code.startsWith('OAUTH_')) return code;
  if (error instanceof Error && error.name === 'StrangeAnswerError') return error.message;
  if (cause instanceof Error) return reasonOf(cause);
  if (typeof code !== 'string') return quote(message);
  return Object.hasOwn(NO_PROVIDER, code) ? `${NO_PROVIDER[code]} (${code})` : code;
}
