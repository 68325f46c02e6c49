import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { TallybookError, Emitter, ManagedResource, type Subscribable } from '@tallybook/domain';
import type { KeyPair, KeyPairSource } from './http-listener.js';

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
  const ofCert = <T>(problem: string, work: () => T): T => during('--tls-cert', files.cert, problem, work);
  const certificate = ofCert('holds no certificate in PEM', () => new X509Certificate(cert));
  const privateKey = during(
    '--tls-key',
    files.key,
    'holds no private key in PEM that needs no passphrase',
    () => createPrivateKey(key),
  );
  if (!certificate.checkPrivateKey(privateKey)) {
    throw invalid('--tls-key', files.key, `is not the key of the first certificate in "${files.cert}"`);
  }
  ofCert('is no certificate for TLS', () => createSecureContext({ cert, key }));
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

export interface KeyPairWatchOptions {
  /** Milliseconds between two checks of the files, at least 1, default 60000. */
  readonly lookMs?: number;
  /** Called with each pair that was read, including the first. */
  readonly onRead?: (pair: ReadKeyPair) => void;
  /** Called once for each change after which the files cannot be used. The previous pair stays in use. */
  readonly onFault?: (error: unknown) => void;
  /** Called once when a pair will soon expire, and once when it has expired. */
  readonly onExpiry?: (validTo: Date, isOver: boolean) => void;
}

const LOOK_MS = 60_000;

/** People are warned when this part of the validity is left. Programs renew certificates when a third is left. */
const LAST_PART = 0.1;

/**
 * The certificate for TLS and its key, read again whenever their files change. Without files there is no certificate.
 */
export class KeyPairWatch extends ManagedResource implements KeyPairSource {
  readonly changes: Subscribable<KeyPair>;
  readonly #changes = new Emitter<KeyPair>();
  readonly #files: KeyPairFiles | undefined;
  readonly #options: KeyPairWatchOptions;
  #current: ReadKeyPair | undefined;
  /** State of the files before they were last read. */
  #seen = '';
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #toldExpiry: 'nothing' | 'soon' | 'over' = 'nothing';

  constructor(files: KeyPairFiles | undefined, options: KeyPairWatchOptions = {}) {
    super();
    this.#files = files;
    this.#options = options;
    this.changes = this.#changes;
  }

  get current(): KeyPair | undefined {
    return this.#current;
  }

  /** Reads the files if they have changed since the last read. */
  look(): Promise<void> {
    // One check after the other, so that the latest files are used.
    this.#looking = this.#looking.then(() => this.#look());
    return this.#looking;
  }

  protected override async onOpen(): Promise<void> {
    if (this.#files === undefined) return;
    this.#seen = await appearanceOf(this.#files);
    this.#take(await readKeyPair(this.#files));
    this.#timer = setInterval(() => void this.look(), this.#options.lookMs ?? LOOK_MS);
  }

  protected override async onClose(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
    this.#current = undefined;
  }

  async #look(): Promise<void> {
    if (this.#files === undefined || this.#current === undefined) return;
    const seen = await appearanceOf(this.#files);
    if (seen !== this.#seen) {
      this.#seen = seen;
      try {
        this.#changes.emit(this.#take(await readKeyPair(this.#files)));
      } catch (error) {
        this.#options.onFault?.(error);
      }
    }
    this.#tellExpiry();
  }

  #take(pair: ReadKeyPair): ReadKeyPair {
    this.#current = pair;
    this.#toldExpiry = 'nothing';
    this.#options.onRead?.(pair);
    this.#tellExpiry();
    return pair;
  }

  #tellExpiry(): void {
    if (this.#current === undefined) return;
    const { validFrom, validTo } = this.#current;
    const leftMs = validTo.getTime() - Date.now();
    const soonMs = LAST_PART * (validTo.getTime() - validFrom.getTime());
    const state = leftMs < 0 ? 'over' : leftMs < soonMs ? 'soon' : 'nothing';
    if (state !== 'nothing' && state !== this.#toldExpiry)
      this.#options.onExpiry?.(validTo, state === 'over');
    this.#toldExpiry = state;
  }
}

/** A text that changes when one of the files changes. */
async function appearanceOf({ cert, key }: KeyPairFiles): Promise<string> {
  const looks = [cert, key].map(async (file) => {
    try {
      const { dev, ino, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true });
      return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
    } catch {
      return '';
    }
  });
  return (await Promise.all(looks)).join('; ');
}
