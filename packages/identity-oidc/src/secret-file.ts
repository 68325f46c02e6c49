import { readFile, stat } from 'node:fs/promises';
import { TallybookError } from '@tallybook/domain';

const MAX_BYTES = 4_096;
/** Secrets of providers are printable characters of ASCII. */
const SECRET = /^[\x20-\x7e]{1,1024}$/;

/**
 * Reads the secret of this service at the provider from a file, anew at each call, so that it can be replaced while the
 * program runs.
 *
 * @param file A file with the secret in one line. It should be for its owner alone.
 * @returns A function that rejects with `IDENTITY_UNAVAILABLE` if there is no secret in the file. Only the details, which are
 * for the log, name the file and say why (`file`, `problem`).
 */
export function secretFile(file: string): () => Promise<string> {
  return async () => {
    try {
      return await readSecret(file);
    } catch (cause) {
      throw new TallybookError(
        'IDENTITY_UNAVAILABLE',
        'the secret for the identity provider cannot be read',
        {
          cause,
          details: { reason: 'secret', file, problem: (cause as Error).message },
        },
      );
    }
  };
}

async function readSecret(file: string): Promise<string> {
  const found = await stat(file);
  // Reading a pipe may wait for ever, and reading a device never end.
  if (!found.isFile() || found.size > MAX_BYTES) throw new Error('it is no plain file of one line');
  const secret = (await readFile(file, 'latin1')).trim();
  if (!SECRET.test(secret)) throw new Error('it has something else than a secret in one line');
  return secret;
}
