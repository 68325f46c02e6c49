import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { IDENTITY_BYTES } from '../rows/format-row.js';

/** The names of the files, which say the same: one may get lost, or be damaged. */
export const WITNESS_FILES = ['ACKNOWLEDGED', 'ACKNOWLEDGED-2'] as const;

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
 * Two small files beside LevelDB with the number of the latest commit that was acknowledged. LevelDB opens a log that was
 * cut or deleted without an error; then the number in the store is smaller than this one.
 *
 * They are written after each sync and not synced themselves: the system keeps them when the process is killed, and after
 * a power cut an older number, or half of one, only says less. It must never be newer than the store.
 */
export class Witness {
  readonly #files: number[] = [];
  readonly #bytes: Buffer = Buffer.alloc(LENGTH);

  /** Opens the files, and makes those that are missing. Throws as the file system does. */
  constructor(directory: string, { identity, commits }: Testimony) {
    try {
      for (const name of WITNESS_FILES) {
        const path = join(directory, name);
        this.#files.push(openSync(path, readFrom(path) === undefined ? 'w' : 'r+', 0o600));
      }
    } catch (error) {
      this.close();
      throw error;
    }
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
    for (const file of this.#files) {
      try {
        // Into the cache of the system, which takes less time than a promise about it.
        writeSync(file, this.#bytes, 0, LENGTH, 0);
      } catch {
        // The commit is durable all the same; an older number only says less.
      }
    }
  }

  close(): void {
    for (const file of this.#files) closeSync(file);
  }
}

/** What the file says that says most, `undefined` if none says anything: they are missing or damaged. */
export function readTestimony(directory: string): Testimony | undefined {
  const [first, second] = WITNESS_FILES.map((name) => readFrom(join(directory, name)));
  if (first === undefined || second === undefined) return first ?? second;
  return second.commits > first.commits ? second : first;
}

function readFrom(path: string): Testimony | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    return undefined;
  }
  if (bytes.length !== LENGTH) return undefined;
  if (crc32(bytes.subarray(0, CHECKSUM_AT)) !== bytes.readUInt32BE(CHECKSUM_AT)) return undefined;
  return { identity: bytes.subarray(0, IDENTITY_BYTES), commits: Number(bytes.readBigUInt64BE(NUMBER_AT)) };
}

/** How many commits a store has lost, as far as its witness knows. */
export function countMissing(stored: Testimony, testimony: Testimony | undefined): number {
  if (testimony?.identity.equals(stored.identity) !== true) return 0;
  return Math.max(0, testimony.commits - stored.commits);
}
