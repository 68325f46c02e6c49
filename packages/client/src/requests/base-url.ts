/**
 * The URL before the paths of the interface, with a slash at the end.
 *
 * In a page, a relative URL is relative to the page, so that it works below any path.
 *
 * @throws {TypeError} if it is no URL of http or https, or is relative where there is no page.
 */
export function baseUrl(text: string): string {
  const { document, location } = globalThis as Surroundings;
  let url: URL | undefined;
  try {
    url = new URL(text, document?.baseURI ?? location?.href);
  } catch {
    // Refused below.
  }
  // The text is not shown: it may have a password.
  if (!url || !/^https?:$/.test(url.protocol) || url.username + url.password !== '') {
    throw new TypeError('the base URL must be whole, without a password, such as http://pi:8080/');
  }
  return `${url.origin}${url.pathname.replace(/\/*$/, '/')}`;
}

/** Globals of a page; a worker has some of them, and Node has none. */
interface Surroundings {
  readonly document?: { readonly baseURI: string };
  readonly location?: { readonly href: string };
}
