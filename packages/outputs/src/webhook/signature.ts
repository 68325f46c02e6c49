import { createHmac } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { AccessFileError, readSmallFile } from '@tallybook/devices';

const SECRET = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;
const SHORTEST = 24;
const LONGEST = 64;

/** The signed parts: a message, and the attempt to send it. */
export interface Signed {
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/**
 * Reads the secrets of a file, one a line: `whsec_` and base64 of 24 to 64 bytes.
 *
 * @returns `undefined` if the file has no secret, or a line is not a secret.
 */
export function parseSecrets(text: string): readonly Buffer[] | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const secrets = lines.map((line) => Buffer.from(SECRET.exec(line.trim())?.[1] ?? '', 'base64'));
  const isSound = secrets.every(({ length }) => length >= SHORTEST && length <= LONGEST);
  return isSound && secrets.length > 0 ? secrets : undefined;
}

/**
 * The header `webhook-signature`: a signature for each secret, so that a new secret can replace an old one.
 *
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#signature-scheme
 */
export function sign(secrets: readonly Buffer[], { id, timestamp, body }: Signed): string {
  const content = `${id}.${timestamp}.${body}`;
  return secrets
    .map((secret) => `v1,${createHmac('sha256', secret).update(content).digest('base64')}`)
    .join(' ');
}

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
