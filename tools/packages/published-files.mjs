// Checks that all files in the manifest of a packed package exist in it, and are of the stated kind.
import { readFileSync } from 'node:fs';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/** @returns One line for each error. */
export async function findWrongFiles(name, tarball) {
  const { buffer, byteOffset, byteLength } = readFileSync(tarball);
  const pack = { tarball: buffer.slice(byteOffset, byteOffset + byteLength) };
  const { messages, pkg } = await publint({ pack, strict: true });
  return messages
    .filter(({ type }) => type === 'error')
    .map((message) => `${name}: ${formatMessage(message, pkg, { color: false })}`);
}
