import { quote } from '@tallybook/domain';
import { checkIssuer, checkProviderUrl, invalid } from './provider-url.js';

/** Options for the sign-in at a provider of OpenID Connect. */
export interface OidcOptions {
  /**
   * The provider, such as `https://id.example.org/realms/school`. Its metadata are at
   * `/.well-known/openid-configuration` below it.
   */
  readonly issuer: string;
  /** Id of this service at the provider. */
  readonly clientId: string;
  /** Gives the secret of this service at the provider; called at each sign-in. Default: no secret, only PKCE. */
  readonly readSecret?: () => Promise<string>;
  /** The URL to which the provider sends browsers back: the page, exactly as registered at the provider. */
  readonly redirectUrl: string;
  /** Name of the provider for people, 1 to 100 characters. Default: its host. */
  readonly label?: string;
  /**
   * The claim that has the name of a user, or a path with dots through nested claims. Default: `preferred_username`. `email`
   * counts if the provider has verified it.
   */
  readonly userClaim?: string;
  /**
   * The claim, or the path, with the groups of a person: a list, a text, or an object whose keys are the groups. Default: groups do
   * not count.
   */
  readonly groupsClaim?: string;
  /** Called at each sign-in with the kind of value that each of these claims has; never with a value. */
  readonly reportClaims?: (kinds: Readonly<Record<string, string>>) => void;
  /** Present time in seconds since 1970, to check tokens. Default: the clock of the system. */
  readonly now?: () => number;
  /** Longest time for each request to the provider, in milliseconds, 100..60000, default 5000. */
  readonly timeoutMs?: number;
  /** Replaces the global `fetch`, for example to trust an authority of one's own. */
  readonly fetch?: typeof fetch;
}

type Optional = 'readSecret' | 'groupsClaim' | 'reportClaims';
export type CheckedOptions = Required<Omit<OidcOptions, Optional>> & Pick<OidcOptions, Optional>;

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
    reportClaims: options.reportClaims,
    now: options.now ?? (() => Math.floor(Date.now() / 1000)),
    fetch: options.fetch ?? fetch,
  } as CheckedOptions;
}
