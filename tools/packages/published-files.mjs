// Whether what the manifest of a package that was packed names is in it, and is what the manifest says.
import { readFileSync } from 'node:fs';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/** @returns One line for each thing that is wrong. */
export async function findWrongFiles(name, tarball) {
  const { buffer, byteOffset, byteLength } = readFileSync(tarball);
  const pack = { tarball: buffer.slice(byteOffset, byteOffset + byteLength) };
  const { messages, pkg } = await publint({ pack, strict: true });
  return messages
    .filter(({ type }) => type === 'error')
    .map((message) => `${name}: ${formatMessage(message, pkg, { color: false })}`);
}
