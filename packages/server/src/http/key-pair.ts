import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { TallybookError } from '@tallybook/domain';
import type { KeyPair } from './http-listener.js';

/** The files of a certificate and its key. */
export interface KeyPairFiles {
  /** File in PEM. Certificates of the authorities above it may follow. */
  readonly cert: string;
  /** File in PEM, without a passphrase. */
  readonly key: string;
}

/** A certificate with its key, and facts about it for people. */
export interface ReadKeyPair extends KeyPair {
  /** The names in the certificate: `DNS:tally.local, IP Address:192.0.2.7`; empty if there are none. */
  readonly names: string;
  readonly validFrom: Date;
  readonly validTo: Date;
  /** Whether everybody on this machine may read the key. */
  readonly isKeyOpen: boolean;
}

/** Rights of users who are neither the owner nor in the group. A group that may read keys is usual. */
const RIGHTS_OF_OTHERS = 0o007;

/** Reads a certificate and its key, and checks that they work for TLS. If not, rejects with `INVALID_OPTION`. */
export async function readKeyPair(files: KeyPairFiles): Promise<ReadKeyPair> {
  const cert = await readText('--tls-cert', files.cert);
  const key = await readText('--tls-key', files.key);
  const certificate = during(
    '--tls-cert',
    files.cert,
    'holds no certificate in PEM',
    () => new X509Certificate(cert),
  );
  const privateKey = during(
    '--tls-key',
    files.key,
    'holds no private key in PEM that needs no passphrase',
    () => createPrivateKey(key),
  );
  if (!certificate.checkPrivateKey(privateKey)) {
    throw invalid('--tls-key', files.key, `is not the key of the first certificate in "${files.cert}"`);
  }
  during('--tls-cert', files.cert, 'is no certificate for TLS', () => createSecureContext({ cert, key }));
  return {
    cert,
    key,
    names: certificate.subjectAltName ?? '',
    validFrom: new Date(certificate.validFrom),
    validTo: new Date(certificate.validTo),
    isKeyOpen: ((await stat(files.key)).mode & RIGHTS_OF_OTHERS) !== 0,
  };
}

async function readText(flag: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw invalid(flag, file, `cannot be read: ${(cause as Error).message}`, cause);
  }
}

function during<T>(flag: string, file: string, problem: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw invalid(flag, file, `${problem}: ${(cause as Error).message}`, cause);
  }
}

/** The error shows the whole path: paths of certificates often differ only at their end. */
function invalid(flag: string, file: string, problem: string, cause?: unknown): TallybookError {
  return new TallybookError('INVALID_OPTION', `${flag}: "${file}" ${problem}`, { cause });
}
