import { quote, TallybookError } from '@tallybook/domain';

/** Names and addresses of the machine itself, as they are written in a URL. */
const THIS_MACHINE = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Reads the address of a centre: the part of its URLs before `api/`.
 *
 * @param allowsPlainHttp Whether http is allowed over a network. Everybody on the way can then read names, scans and the token.
 * @throws {TallybookError} `INVALID_OPTION` if it is not a URL with https, or with http to this machine; or if it has a login,
 * a query or a fragment.
 */
export function parseCentreUrl(text: string, allowsPlainHttp = false): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw invalid(`the address of a centre is a URL such as https://centre.example.org; got ${quote(text)}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw invalid('the address of a centre has no login: a station shows a token, which is in a file');
  }
  if (url.search !== '' || url.hash !== '') {
    throw invalid(`the address of a centre has no ? and no #; got ${quote(text)}`);
  }
  if (url.protocol === 'http:' && !allowsPlainHttp && !THIS_MACHINE.test(url.hostname)) {
    throw invalid(
      `http: is for this machine only (localhost, 127.0.0.1, [::1]), because everybody on the way could read names and token; use https: for ${quote(url.host)}`,
    );
  }
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

function invalid(message: string): TallybookError {
  return new TallybookError('INVALID_OPTION', message);
}
