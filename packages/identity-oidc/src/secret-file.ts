import { readFile, stat } from 'node:fs/promises';
import { TallybookError } from '@tallybook/domain';

const MAX_BYTES = 4_096;
/** Secrets of providers are printable characters of ASCII. */
const SECRET = /^[\x20-\x7e]{1,1024}$/;

/**
 * Reads the secret of this service at the provider from a file. It does so at each call, so that the secret can be replaced
 * while the program runs.
 *
 * @param file A file with the secret in one line. Only its owner should be able to read it.
 * @returns A function that rejects with `IDENTITY_UNAVAILABLE` if there is no secret in the file. Only the details, for the
 * log, contain the file and the problem (`file`, `problem`).
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
  // Reading a pipe may wait for ever; reading a device may never end.
  if (!found.isFile() || found.size > MAX_BYTES) throw new Error('it is no plain file of one line');
  const secret = (await readFile(file, 'latin1')).trim();
  if (!SECRET.test(secret)) throw new Error('it has something else than a secret in one line');
  return secret;
}
