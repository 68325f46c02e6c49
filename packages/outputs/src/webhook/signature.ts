import { createHmac } from 'node:crypto';

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
