import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { IDENTITY_BYTES } from '../rows/format-row.js';

/** Two files with the same content, because one of them may be lost or damaged. */
export const ACKNOWLEDGED_FILES = ['ACKNOWLEDGED', 'ACKNOWLEDGED-2'] as const;

const NUMBER_AT = IDENTITY_BYTES;
const CHECKSUM_AT = NUMBER_AT + 8;
const LENGTH = CHECKSUM_AT + 4;

/** How many commits a store has. */
export interface CommitCount {
  /** Identity of the store. */
  readonly identity: Buffer;
  /** Number of the latest commit. */
  readonly commits: number;
}

/**
 * The number of the latest acknowledged commit, in two small files beside LevelDB. If a log was cut or deleted, LevelDB opens the
 * store without an error. Then the number in the store is smaller than the one in these files.
 *
 * The files are written after each sync and are not synced themselves. They survive when the process is killed. After a power cut
 * they may have an older number, which is harmless. A newer number than that of the store would not be harmless.
 */
export class AcknowledgedCommits {
  /** The names of files that cannot be opened. If it is one, the other file is used alone. */
  readonly unusable: readonly string[];
  readonly #files: number[] = [];
  readonly #bytes: Buffer = Buffer.alloc(LENGTH);

  /** Opens the files, and makes missing ones. One file is enough; if none can be opened, throws the error of the file system. */
  constructor(directory: string, { identity, commits }: CommitCount) {
    let fault: unknown;
    const unusable: string[] = [];
    for (const name of ACKNOWLEDGED_FILES) {
      const path = join(directory, name);
      try {
        this.#files.push(openSync(path, readFrom(path) === undefined ? 'w' : 'r+', 0o600));
      } catch (error) {
        fault = error;
        unusable.push(name);
      }
    }
    if (this.#files.length === 0) throw fault;
    this.unusable = unusable;
    identity.copy(this.#bytes);
    this.prepare(commits);
    this.write();
  }

  /** Prepares the bytes for {@link write}. */
  prepare(commits: number): void {
    this.#bytes.writeBigUInt64BE(BigInt(commits), NUMBER_AT);
    this.#bytes.writeUInt32BE(crc32(this.#bytes.subarray(0, CHECKSUM_AT)), CHECKSUM_AT);
  }

  /** Writes the prepared number to both files. */
  write(): void {
    for (const file of this.#files) {
      try {
        // Synchronously: the write goes to the cache of the system, and takes less time than a promise would.
        writeSync(file, this.#bytes, 0, LENGTH, 0);
      } catch {
        // The commit is durable without it, and an older number is harmless.
      }
    }
  }

  close(): void {
    for (const file of this.#files) closeSync(file);
  }
}

/**
 * The contents of the two files, the higher number first; empty if both are missing or damaged. They may be of two stores: a file
 * that was copied from another store, and cannot be written, keeps the number of that store.
 */
export function readAcknowledgedCommits(directory: string): readonly CommitCount[] {
  const found = ACKNOWLEDGED_FILES.flatMap((name) => readFrom(join(directory, name)) ?? []);
  return found.sort((a, b) => b.commits - a.commits);
}

/** The latest acknowledged commit of a store, as far as these files show; `undefined` if they are of other stores. */
export function acknowledgedOf(
  { identity }: Pick<CommitCount, 'identity'>,
  acknowledged: readonly CommitCount[],
): number | undefined {
  return acknowledged.find((each) => each.identity.equals(identity))?.commits;
}

function readFrom(path: string): CommitCount | undefined {
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

/** How many acknowledged commits a store has lost, as far as these files show. */
export function countMissing(stored: CommitCount, acknowledged: readonly CommitCount[]): number {
  return Math.max(0, (acknowledgedOf(stored, acknowledged) ?? 0) - stored.commits);
}

/** Subject and verb for a number of latest commits: `the latest commit is`, `the latest 2 commits are`. */
export function latestCommits(count: number, kind = 'commit'): string {
  return count === 1 ? `the latest ${kind} is` : `the latest ${count} ${kind}s are`;
}
