import type { LoadPage, PageFile } from '@tallybook/http-koa';

const PATH = '.well-known/security.txt';
const PLACEHOLDER = /[@.]example\.invalid$/;
/** RFC 9116 recommends less than a year. */
const VALID_S = 364 * 86_400;

/**
 * Adds the address for reports of vulnerabilities to a page, as in RFC 9116. While nobody has set the contact, it is not there.
 *
 * @param releasedAt Time of the release, in seconds since 1970.
 */
export function withSecurityTxt(load: LoadPage, contact: string, releasedAt: number): LoadPage {
  if (PLACEHOLDER.test(contact)) return load;
  return async () => {
    const page = await load();
    return page && new Map([...page, [PATH, securityTxt(contact, releasedAt)]]);
  };
}

function securityTxt(contact: string, releasedAt: number): PageFile {
  const expires = new Date((releasedAt + VALID_S) * 1000).toISOString().replace('.000', '');
  const text = `# The makers of Tallybook, the program of this service.
Contact: mailto:${contact}
Expires: ${expires}
Preferred-Languages: en
`;
  return {
    type: 'text/plain; charset=utf-8',
    etag: `${releasedAt}-${contact}`,
    isImmutable: false,
    body: Buffer.from(text),
  };
}
