// Formats a page of the documents, or a part of a page, as `npm run format` does.
import { readFileSync } from 'node:fs';
import { format } from 'oxfmt';

/** @returns {Promise<string>} */
export async function formatPage(markdown) {
  const options = JSON.parse(readFileSync(new URL('../.oxfmtrc.json', import.meta.url), 'utf8'));
  const { code, errors } = await format('page.md', markdown, options);
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  return code;
}
