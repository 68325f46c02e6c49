import { TallybookError } from '@tallybook/domain';
import type { IdentityProvider, ProvenIdentity, SignInStart } from '@tallybook/domain/access';
import type * as OpenIdClient from 'openid-client';
import { boundedFetch } from './bounded-fetch.js';
import { faultOf, faultOfProvider, refused, unavailable } from './faults.js';
import { identityOf, kindsOf, lacks, type Claims } from './identity-of.js';
import { checkOptions, type CheckedOptions, type OidcOptions } from './oidc-options.js';
import { isSafe } from './provider-url.js';
import { isHintOf, signOutHintOf } from './sign-out-hint.js';
import { parseTicket, writeTicket } from './ticket.js';

type Library = typeof OpenIdClient;

/** Milliseconds for which metadata of the provider are kept. */
const METADATA_MS = 3_600_000;
/** The same after a failure: the provider may have been mended. */
const FAILED_METADATA_MS = 60_000;
/** Allowed difference between the clock of a provider and the clock of this service, in seconds. */
const CLOCK_TOLERANCE_S = 60;
interface Metadata {
  readonly library: Library;
  readonly server: OpenIdClient.ServerMetadata;
  /** Time of reading, on the monotonic clock. */
  readonly readAtMs: number;
}

/**
 * Signs people in at a provider of OpenID Connect: authorisation code with PKCE, state and nonce.
 *
 * ```
 * begin  -> metadata of the provider, once an hour -> URL, and a ticket with state, nonce and PKCE verifier
 * finish -> state -> code for tokens -> signature, issuer, audience, time and nonce of the ID token -> claims
 *                                                    \-- missing claims -> userinfo --/
 * ```
 */
export class OidcIdentityProvider implements IdentityProvider {
  readonly #options: CheckedOptions;
  #metadata: Metadata | undefined;
  #asking: Promise<Metadata> | undefined;
  /** Whether something has failed since the metadata were read. */
  #hasFailed = false;

  /** @throws {TallybookError} `INVALID_OPTION` if an option is out of range. */
  constructor(options: OidcOptions) {
    this.#options = checkOptions(options);
  }

  get label(): string {
    return this.#options.label;
  }

  async begin(): Promise<SignInStart> {
    try {
      const metadata = await this.#discover();
      const { library } = metadata;
      const [state, nonce] = [library.randomState(), library.randomNonce()];
      const verifier = library.randomPKCECodeVerifier();
      const url = library.buildAuthorizationUrl(await this.#configure(metadata), {
        redirect_uri: this.#options.redirectUrl,
        scope: this.#scopes(metadata.server).join(' '),
        ...{ state, nonce, code_challenge_method: 'S256' },
        code_challenge: await library.calculatePKCECodeChallenge(verifier),
      });
      if (!isSafe(url)) throw unavailable('it sends people to an address that is not https');
      return { url: url.href, ticket: writeTicket({ state, nonce, verifier }) };
    } catch (error) {
      this.#hasFailed = true;
      throw faultOfProvider(error);
    }
  }

  async finish(ticket: string, answer: string, beforeAsking?: () => void): Promise<ProvenIdentity> {
    const asked = parseTicket(ticket);
    if (asked === undefined) throw refused('this browser has not begun to sign in, or long ago', 'ticket');
    // Checked first, so that a wrong answer causes no request.
    if (new URLSearchParams(answer).get('state') !== asked.state) {
      throw refused('it answers another request', 'state');
    }
    try {
      return await this.#exchange(asked, answer, beforeAsking);
    } catch (error) {
      this.#hasFailed = true;
      throw faultOf(error);
    }
  }

  async signOutUrl(hint?: string): Promise<string | undefined> {
    try {
      const metadata = await this.#discover();
      const { server, library } = metadata;
      if (!endsSessions(server)) return undefined;
      const { redirectUrl, clientId } = this.#options;
      const isKnown = hint !== undefined && isHintOf(hint, { issuer: server.issuer, clientId });
      const url = library.buildEndSessionUrl(await this.#configure(metadata), {
        post_logout_redirect_uri: redirectUrl,
        ...(isKnown && { id_token_hint: hint }),
      });
      return isSafe(url) ? url.href : undefined;
    } catch (error) {
      this.#hasFailed = true;
      throw faultOfProvider(error);
    }
  }

  async #exchange(
    { state, nonce, verifier }: { readonly state: string; readonly nonce: string; readonly verifier: string },
    answer: string,
    beforeAsking: (() => void) | undefined,
  ): Promise<ProvenIdentity> {
    const metadata = await this.#discover();
    const { library, server } = metadata;
    const configuration = await this.#configure(metadata);
    const answered = new URL(this.#options.redirectUrl);
    answered.search = answer;
    beforeAsking?.();
    const tokens = await library.authorizationCodeGrant(configuration, answered, {
      ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
    });
    const claims: Claims = { ...tokens.claims() };
    const { userClaim, groupsClaim, reportClaims } = this.#options;
    const isEnough = !lacks(claims, [userClaim, groupsClaim]);
    const more =
      isEnough || server.userinfo_endpoint === undefined
        ? {}
        : await library.fetchUserInfo(configuration, tokens.access_token, String(claims['sub']));
    // The signed claims come last, so that they replace the others.
    const all = { ...more, ...claims };
    const identity = identityOf(all, this.#options);
    reportClaims?.(kindsOf(all, [userClaim, groupsClaim]));
    // The ID token has personal data, so it is kept only for signing out.
    const signOutHint = endsSessions(server) ? signOutHintOf(tokens.id_token) : undefined;
    return { ...identity, ...(signOutHint !== undefined && { signOutHint }) };
  }

  /** The metadata of the provider. Calls at the same time share one request. */
  async #discover(): Promise<Metadata> {
    const known = this.#metadata;
    const keptMs = this.#hasFailed ? FAILED_METADATA_MS : METADATA_MS;
    if (known !== undefined && performance.now() - known.readAtMs < keptMs) return known;
    this.#hasFailed = false;
    this.#asking ??= this.#readMetadata()
      .catch((error: unknown) => Promise.reject(faultOfProvider(error)))
      .finally(() => (this.#asking = undefined));
    return (this.#metadata = await this.#asking);
  }

  async #readMetadata(): Promise<Metadata> {
    const { issuer, clientId, timeoutMs, fetch: send } = this.#options;
    // Loaded with the first sign-in, so that it does not slow down the start.
    const library = await import('openid-client');
    const url = new URL(issuer);
    const configuration = await library.discovery(url, clientId, undefined, library.None(), {
      algorithm: 'oidc',
      timeout: timeoutMs / 1000,
      [library.customFetch]: boundedFetch(send) as OpenIdClient.CustomFetch,
      ...(url.protocol === 'http:' && { execute: [plainHttp(library)] }),
    });
    const server = configuration.serverMetadata();
    // A provider of many organisations would vouch for people of any organisation.
    if (new URL(server.issuer).href !== url.href)
      throw unavailable('it is another issuer than the one asked for');
    return { library, server, readAtMs: performance.now() };
  }

  /** The configuration for one sign-in. Clock, keys and secret may have changed at the next one. */
  async #configure({ library, server }: Metadata): Promise<OpenIdClient.Configuration> {
    const { clientId, issuer, now, timeoutMs, fetch: send } = this.#options;
    const skew = now() - Math.floor(Date.now() / 1000);
    const configuration = new library.Configuration(
      server,
      clientId,
      { [library.clockSkew]: skew, [library.clockTolerance]: CLOCK_TOLERANCE_S },
      await this.#authentication(library, server),
    );
    configuration.timeout = timeoutMs / 1000;
    configuration[library.customFetch] = boundedFetch(send) as OpenIdClient.CustomFetch;
    if (issuer.startsWith('http:')) plainHttp(library)(configuration);
    library.enableNonRepudiationChecks(configuration);
    return configuration;
  }

  /**
   * Sends the secret in a header, as every provider must support, unless the metadata say that this provider does not.
   */
  async #authentication(
    library: Library,
    { token_endpoint_auth_methods_supported: methods }: OpenIdClient.ServerMetadata,
  ): Promise<OpenIdClient.ClientAuth> {
    const { readSecret } = this.#options;
    if (readSecret === undefined) return library.None();
    const secret = await readSecret().catch(failToRead);
    const isInHeader = methods?.includes('client_secret_basic') !== false;
    return isInHeader ? library.ClientSecretBasic(secret) : library.ClientSecretPost(secret);
  }

  /** Only the needed scopes. Some providers give groups only on request. */
  #scopes({ scopes_supported: supported = [] }: OpenIdClient.ServerMetadata): readonly string[] {
    const { userClaim, groupsClaim = '' } = this.#options;
    return [
      'openid',
      'profile',
      ...(userClaim === 'email' ? ['email'] : []),
      ...(supported.includes(groupsClaim) ? [groupsClaim] : []),
    ];
  }
}

/** Whether the provider names a safe URL to which a browser can be sent to sign out. An unsafe URL counts as none. */
function endsSessions({ end_session_endpoint: place }: OpenIdClient.ServerMetadata): boolean {
  return typeof place === 'string' && URL.canParse(place) && isSafe(new URL(place));
}

/**
 * Allows plain http for a provider on this machine. `boundedFetch` still requires https for all other addresses of the
 * provider.
 */
function plainHttp(library: Library): (configuration: OpenIdClient.Configuration) => void {
  // oxlint-disable-next-line typescript/no-deprecated -- it is not deprecated: the library wants it to be noticed
  return library.allowInsecureRequests;
}

/** The problem is only in the details, for the log: the message is shown to people who sign in. */
function failToRead(cause: unknown): never {
  throw new TallybookError('IDENTITY_UNAVAILABLE', 'the secret for the identity provider cannot be read', {
    cause,
    details: { reason: 'secret', problem: (cause as Error).message },
  });
}
