import { quote, TallybookError } from '@tallybook/domain';

/** Names and addresses of the machine itself, as they are written in a URL. */
const THIS_MACHINE = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Addresses of Entra ID for people of any organisation. The metadata there name another issuer. */
const OF_ANY_TENANT = /^https:\/\/login\.microsoftonline\.com\/(?:common|organizations|consumers)(?:\/|$)/i;

/** Whether nobody on the way to this URL can read or change the sent data. */
export function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && THIS_MACHINE.test(hostname));
}

/**
 * Reads the URL of a provider, or the URL of the page: https, or http on this machine.
 *
 * @throws {TallybookError} `INVALID_OPTION` if it is not such a URL, or has a login, a query or a fragment.
 */
export function checkProviderUrl(text: string, what: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw invalid(`${what} is a URL such as https://id.example.org; got ${quote(text)}`);
  }
  if (url.username !== '' || url.password !== '') throw invalid(`${what} has no login`);
  if (url.search !== '' || url.hash !== '' || /[?#]$/.test(text)) {
    throw invalid(`${what} has no ? and no #; got ${quote(text)}`);
  }
  if (!isSafe(url)) {
    throw invalid(
      `${what} is https; http: is for this machine only (localhost, 127.0.0.1, [::1]); got ${quote(text)}`,
    );
  }
  return url;
}

/**
 * Checks the issuer of a provider as {@link checkProviderUrl} does. Also checks that it vouches for people of only one
 * organisation.
 *
 * @throws {TallybookError} `INVALID_OPTION`.
 */
export function checkIssuer(text: string, what: string): URL {
  const url = checkProviderUrl(text, what);
  if (OF_ANY_TENANT.test(url.href)) {
    throw invalid(`${what} has the id of one's own tenant in place of ${quote(url.pathname.split('/')[1])}`);
  }
  return url;
}

/** The error `INVALID_OPTION`. */
export function invalid(message: string): TallybookError {
  return new TallybookError('INVALID_OPTION', message);
}
