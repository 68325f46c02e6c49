// Checks that all files in the manifest of a packed package exist in it, and are of the stated kind, and that it has its license.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/** @returns One line for each error. */
export async function findWrongFiles(name, tarball) {
  const { buffer, byteOffset, byteLength } = readFileSync(tarball);
  const pack = { tarball: buffer.slice(byteOffset, byteOffset + byteLength) };
  const { messages, pkg } = await publint({ pack, strict: true });
  const wrong = messages
    .filter(({ type }) => type === 'error')
    .map((message) => `${name}: ${formatMessage(message, pkg, { color: false })}`);
  const packed = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).split('\n');
  // The package manager adds the file of the repository, but not if a file with `license` in its name is there.
  return packed.includes('package/LICENSE') ? wrong : [...wrong, `${name}: there is no LICENSE`];
}
