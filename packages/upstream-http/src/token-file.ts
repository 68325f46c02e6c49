import { readFile, stat } from 'node:fs/promises';
import { TallybookError } from '@tallybook/domain';

const MAX_BYTES = 4_096;
/** A token that fits into a header. */
const TOKEN = /^[\x21-\x7e]{1,512}$/;
/** Rights of everybody except the owner. */
const OTHERS = 0o077;

/**
 * Reads a token from a file. It does so at each call, so that the file can be replaced while the program runs.
 *
 * @param file A file with the token in one line. Only its owner should be able to read it: see {@link isOpenToOthers}.
 * @returns A function that rejects with `UPSTREAM_UNAVAILABLE` if there is no token in the file. The message names the file, and
 * shows nothing of its content.
 */
export function tokenFile(file: string): () => Promise<string> {
  return async () => {
    const found = await stat(file).catch((cause: unknown) => fail(file, reasonOf(cause), cause));
    // Reading a pipe may wait for ever; reading a device may never end.
    if (!found.isFile()) return fail(file, 'is no plain file');
    if (found.size > MAX_BYTES)
      return fail(file, `has more than ${MAX_BYTES} bytes, and a token is one line`);
    const text = await readFile(file, 'latin1').catch((cause: unknown) => fail(file, reasonOf(cause), cause));
    const token = text.trim();
    if (token === '') return fail(file, 'is empty');
    return TOKEN.test(token) ? token : fail(file, 'has something else than a token in one line');
  };
}

/** Whether others than its owner may read or write a file; `false` if there is no file. */
export async function isOpenToOthers(file: string): Promise<boolean> {
  try {
    return ((await stat(file)).mode & OTHERS) !== 0;
  } catch {
    return false;
  }
}

function reasonOf(cause: unknown): string {
  const { code = 'unknown' } = cause as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist';
  if (code === 'EACCES' || code === 'EPERM') return 'may not be read by this user';
  return `cannot be read (${code})`;
}

function fail(file: string, problem: string, cause?: unknown): never {
  throw new TallybookError('UPSTREAM_UNAVAILABLE', `the file of the token, ${file}, ${problem}`, {
    ...(cause === undefined ? {} : { cause }),
    details: { reason: 'token' },
  });
}
