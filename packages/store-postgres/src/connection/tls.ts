import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { TallybookError } from '@tallybook/domain';
import { isLocal, type PostgresHost, type PostgresTarget } from './postgres-url.js';

/**
 * How to protect the connection to a host; `false`: without TLS. Without a mode, hosts on this machine need no TLS, and all other
 * hosts must show a certificate for their name (`verify-full`).
 *
 * @throws {TallybookError} `STORE_UNAVAILABLE` if a file of a certificate cannot be read.
 */
export function tlsOptions(target: PostgresTarget, { host }: PostgresHost): ConnectionOptions | false {
  // libpq has no TLS on Unix sockets either.
  if (host.startsWith('/')) return false;
  const mode = target.tlsMode ?? (isLocal(host) ? 'disable' : 'verify-full');
  if (mode === 'disable') return false;
  const root = target.rootCertificate === 'system' ? undefined : target.rootCertificate;
  return {
    // As in libpq: if a root certificate is given, the certificate of the host is checked.
    rejectUnauthorized: mode !== 'require' || root !== undefined,
    ...(root !== undefined && { ca: read(root) }),
    ...(target.certificate !== undefined && { cert: read(target.certificate) }),
    ...(target.key !== undefined && { key: read(target.key) }),
    ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
  };
}

function read(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new TallybookError('STORE_UNAVAILABLE', `cannot read the certificate or key ${file}`, {
      cause: error,
    });
  }
}
