/** The kinds of records, by the numbers that `trace-files.c` writes. */
const KINDS = [
  'open',
  'write',
  'truncate',
  'rename',
  'unlink',
  'mkdir',
  'rmdir',
  'sync-begin',
  'sync-end',
  'close',
  'mark',
] as const;

/** `struct record`: kind, descriptor, number, two lengths. */
const HEADER_BYTES = 24;

/** One operation of a process on the files of a folder, or a mark between two operations. */
export interface TraceRecord {
  readonly kind: (typeof KINDS)[number];
  /** The file descriptor; -1 if there is none. */
  readonly fd: number;
  /** The flags of an `open`, the offset of a `write`, the size of a `truncate`, or the number of a sync. */
  readonly number: number;
  /** Path below the folder; empty for the folder itself. */
  readonly path: string;
  /** The new path of a `rename`. */
  readonly to: string;
  /** The written bytes, or the mark. */
  readonly data: Buffer;
}

/**
 * Reads a trace. A killed process may leave an incomplete last record, which is left out.
 *
 * @param root Absolute path of the traced folder.
 */
export function readTrace(bytes: Buffer, root: string): readonly TraceRecord[] {
  const records: TraceRecord[] = [];
  for (let at = 0; at + HEADER_BYTES <= bytes.length;) {
    const length = bytes.readUInt32LE(at + 16);
    const end = at + HEADER_BYTES + length + bytes.readUInt32LE(at + 20);
    if (end > bytes.length) break;
    const kind = KINDS[bytes.readUInt32LE(at) - 1];
    if (kind === undefined) throw new Error(`the trace has no record at byte ${at}`);
    const hasData = kind === 'write' || kind === 'mark';
    const data = bytes.subarray(at + HEADER_BYTES, at + HEADER_BYTES + length);
    records.push({
      kind,
      fd: bytes.readInt32LE(at + 4),
      number: Number(bytes.readBigUInt64LE(at + 8)),
      path: hasData ? '' : below(root, data.toString()),
      to: below(root, bytes.toString('utf8', at + HEADER_BYTES + length, end)),
      data: hasData ? data : Buffer.alloc(0),
    });
    at = end;
  }
  return records;
}

function below(root: string, path: string): string {
  return path.slice(root.length + 1);
}
