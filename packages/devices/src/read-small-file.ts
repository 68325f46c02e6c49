import { readFile, stat } from 'node:fs/promises';

/** Largest size of such a file, in bytes; the bundle of certificates of a distribution has about 200 KiB. */
const MAX_BYTES = 1_048_576;

const MISSING = 'is missing; correct the path, or create the file';
const FORBIDDEN = 'may not be read by this user; give it the right, with chown or chmod';
const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: MISSING,
  ENOTDIR: MISSING,
  EACCES: FORBIDDEN,
  EPERM: FORBIDDEN,
  EISDIR: 'is a folder; name the file in it',
};

/** A needed file cannot be used. The message names the file and the problem, and shows nothing of the content. */
export class AccessFileError extends Error {
  override readonly name = 'AccessFileError';
}

/** Reads a file of credentials or certificates. Rejects with an {@link AccessFileError} that names the parameter. */
export async function readSmallFile(parameter: string, file: string): Promise<Buffer> {
  const fail = (problem: string, options?: ErrorOptions): never => {
    throw new AccessFileError(`${parameter}=${file} ${problem}`, options);
  };
  const failBy = (cause: unknown): never =>
    fail(describeFileProblem((cause as NodeJS.ErrnoException).code), { cause });
  const found = await stat(file).catch(failBy);
  // Reading a pipe may wait for ever; reading a device may never end.
  if (!found.isFile() && !found.isDirectory()) fail('is a pipe or a device; name a plain file');
  if (found.size > MAX_BYTES) fail(`has more than ${MAX_BYTES} bytes; name a smaller one`);
  return await readFile(file).catch(failBy);
}

/** Why a file cannot be read, and what to do, by the code of the operating system. */
export function describeFileProblem(code = 'unknown'): string {
  return FILE_PROBLEMS[code] ?? `cannot be read (${code})`;
}
