import { stat } from 'node:fs/promises';
import { AccessFileError, readSmallFile } from '@tallybook/devices';
import { parseSecrets } from './signature.js';

/** Rights of everybody except the owner. */
const OTHERS = 0o077;

/** Data that a request needs besides its content. */
export interface Access {
  readonly secrets: readonly Buffer[];
  /** Certificates (PEM) of the trusted authorities; `undefined`: those of Node. */
  readonly ca: Buffer | undefined;
  /** Whether others than the owner may read or write the file with the secret. */
  readonly isSecretOpen: boolean;
}

/** Reads the files of an endpoint. Rejects with an {@link AccessFileError}, which shows nothing of their content. */
export async function readAccess(secretFile: string, caFile: string | undefined): Promise<Access> {
  const [text, ca] = await Promise.all([
    readSmallFile('secret-file', secretFile),
    caFile === undefined ? undefined : readSmallFile('ca', caFile),
  ]);
  const secrets = parseSecrets(text.toString('latin1'));
  if (secrets === undefined) {
    throw new AccessFileError(
      `secret-file=${secretFile} has no secret: a line is whsec_ and base64 of 24 to 64 bytes, and there is no other line`,
    );
  }
  const { mode } = await stat(secretFile);
  return { secrets, ca, isSecretOpen: (mode & OTHERS) !== 0 };
}
