import { readFile, stat } from 'node:fs/promises';

const MAX_BYTES = 4_096;
/** Printable characters of ASCII, as secrets of providers are, and tokens in headers. */
const SECRET = /^[\x20-\x7e]{1,1024}$/;
/** Rights of everybody except the owner. */
const OTHERS = 0o077;

/**
 * Reads a secret from a file. It does so at each call, so that the file can be replaced while the program runs.
 *
 * @param file A file with the secret in one line. Only its owner should be able to read it: see {@link isOpenToOthers}.
 * @returns A function that rejects with an `Error` if there is no secret in the file. The message names the file, and shows
 * nothing of its content.
 */
export function secretFile(file: string): () => Promise<string> {
  return async () => {
    const found = await stat(file).catch((cause: unknown) => fail(file, problemOf(cause), cause));
    // Reading a pipe may wait for ever; reading a device may never end.
    if (!found.isFile()) return fail(file, 'is not a plain file');
    if (found.size > MAX_BYTES)
      return fail(file, `has more than ${MAX_BYTES} bytes, and a secret is one line`);
    const text = await readFile(file, 'latin1').catch((cause: unknown) =>
      fail(file, problemOf(cause), cause),
    );
    const secret = text.trim();
    if (secret === '') return fail(file, 'is empty');
    return SECRET.test(secret) ? secret : fail(file, 'does not have a one-line secret');
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

function problemOf(cause: unknown): string {
  const { code = 'unknown' } = cause as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist';
  if (code === 'EACCES' || code === 'EPERM') return 'may not be read by this user';
  return `cannot be read (${code})`;
}

function fail(file: string, problem: string, cause?: unknown): never {
  throw new Error(`the file ${file} ${problem}`, cause === undefined ? {} : { cause });
}
