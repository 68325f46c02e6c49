import { quote, TallybookError } from '@tallybook/domain';
import { checkIssuer, checkProviderUrl } from './provider-url.js';

/** How people sign in at a provider of OpenID Connect. */
export interface OidcOptions {
  /** The provider, such as `https://id.example.org/realms/school`: `/.well-known/openid-configuration` below it says the rest. */
  readonly issuer: string;
  /** What the provider calls this service. */
  readonly clientId: string;
  /** Gives the secret of this service at the provider; asked for at each sign-in. Default: it has none, and PKCE is all. */
  readonly readSecret?: () => Promise<string>;
  /** Where the provider sends browsers back to: the page, exactly as it is registered there. */
  readonly redirectUrl: string;
  /** What people call the provider, 1 to 100 characters. Default: its host. */
  readonly label?: string;
  /** The claim that has the name of a user. Default: `preferred_username`. `email` counts if the provider has verified it. */
  readonly userClaim?: string;
  /** The claim that lists the groups of a person. Default: groups do not count. */
  readonly groupsClaim?: string;
  /** Seconds since 1970, by the clock that tokens are judged by. Default: that of the system. */
  readonly now?: () => number;
  /** How long each request to the provider may take, in milliseconds, 100..60000, default 5000. */
  readonly timeoutMs?: number;
  /** Replaces the global `fetch`, for example to trust an authority of one's own. */
  readonly fetch?: typeof fetch;
}

export type CheckedOptions = Required<Omit<OidcOptions, 'readSecret' | 'groupsClaim'>> &
  Pick<OidcOptions, 'readSecret' | 'groupsClaim'>;

const TIMEOUT_MS = 5_000;
const LABEL_MAX_LENGTH = 100;

/** @throws {TallybookError} `INVALID_OPTION`. */
export function checkOptions(options: OidcOptions): CheckedOptions {
  const { issuer, redirectUrl, clientId, timeoutMs = TIMEOUT_MS } = options;
  const { host } = checkIssuer(issuer, 'issuer');
  checkProviderUrl(redirectUrl, 'redirectUrl');
  const { label = host, userClaim = 'preferred_username', groupsClaim } = options;
  if (label.trim() === '' || label.length > LABEL_MAX_LENGTH) {
    throw invalid(`label has 1 to ${LABEL_MAX_LENGTH} characters; got ${quote(label)}`);
  }
  for (const [name, text] of Object.entries({ clientId, userClaim, groupsClaim: groupsClaim ?? 'groups' })) {
    if (text.trim() === '') throw invalid(`${name} is not empty`);
  }
  if (!(timeoutMs >= 100 && timeoutMs <= 60_000)) {
    throw invalid(`timeoutMs is 100 to 60000 milliseconds; got ${timeoutMs}`);
  }
  return {
    ...{ issuer, redirectUrl, clientId, timeoutMs, label, userClaim, groupsClaim },
    readSecret: options.readSecret,
    now: options.now ?? (() => Math.floor(Date.now() / 1000)),
    fetch: options.fetch ?? fetch,
  } as CheckedOptions;
}

function invalid(message: string): TallybookError {
  return new TallybookError('INVALID_OPTION', message);
}
