import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

/** The name of the file. */
export const WITNESS_FILE = 'ACKNOWLEDGED';

export const IDENTITY_BYTES = 8;
const NUMBER_AT = IDENTITY_BYTES;
const CHECKSUM_AT = NUMBER_AT + 8;
const LENGTH = CHECKSUM_AT + 4;

export interface Testimony {
  /** Which store it is about. */
  readonly identity: Buffer;
  /** Number of the latest commit that was acknowledged, or of an earlier one. */
  readonly commits: number;
}

/**
 * A small file beside LevelDB with the number of the latest commit that was acknowledged. LevelDB opens a log that was
 * cut or deleted without an error; then the number in the store is smaller than this one.
 *
 * It is written after each sync and not synced itself: the system keeps it when the process is killed, and after a
 * power cut an older one, or half of one, only says less. It must never be newer than the store.
 */
export class Witness {
  readonly #file: number;
  readonly #bytes: Buffer = Buffer.alloc(LENGTH);

  /** Opens the file, and makes it if it is missing. Throws as the file system does. */
  constructor(directory: string, { identity, commits }: Testimony) {
    const path = join(directory, WITNESS_FILE);
    this.#file = openSync(path, readTestimony(directory) === undefined ? 'w' : 'r+', 0o600);
    identity.copy(this.#bytes);
    this.prepare(commits);
    this.note();
  }

  /** Gets ready to say that so many commits were acknowledged, without saying it. */
  prepare(commits: number): void {
    this.#bytes.writeBigUInt64BE(BigInt(commits), NUMBER_AT);
    this.#bytes.writeUInt32BE(crc32(this.#bytes.subarray(0, CHECKSUM_AT)), CHECKSUM_AT);
  }

  /** Says what was prepared. */
  note(): void {
    try {
      // Into the cache of the system, which takes less time than a promise about it.
      writeSync(this.#file, this.#bytes, 0, LENGTH, 0);
    } catch {
      // The commit is durable all the same; an older number only says less.
    }
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** What the file says, `undefined` if there is none or it is damaged. */
export function readTestimony(directory: string): Testimony | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(join(directory, WITNESS_FILE));
  } catch {
    return undefined;
  }
  if (bytes.length !== LENGTH) return undefined;
  if (crc32(bytes.subarray(0, CHECKSUM_AT)) !== bytes.readUInt32BE(CHECKSUM_AT)) return undefined;
  return { identity: bytes.subarray(0, IDENTITY_BYTES), commits: Number(bytes.readBigUInt64BE(NUMBER_AT)) };
}
