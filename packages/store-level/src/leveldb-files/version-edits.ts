import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readLog, findRefusedFragment, hasSoundFragment } from './log-file.js';
import { NumberReader } from './numbers.js';

const TABLE = /^(\d+)\.(?:ldb|sst)$/;

/** The files that a store consists of. */
export interface LiveFiles {
  /** Sizes of the tables, in bytes, by their numbers. */
  readonly tables: ReadonlyMap<number, number>;
  /** Number of the oldest log that counts. */
  readonly firstLog: number;
  /** Number of another log that counts; 0 if there is none. */
  readonly previousLog: number;
}

/**
 * Reads which files a MANIFEST names. A MANIFEST is a log of edits. An edit is a list of fields, and each field begins with its
 * number.
 *
 * Throws an `Error` that describes the damage.
 *
 * @param onKey Called with each key in the MANIFEST.
 */
export function readManifest(bytes: Buffer, onKey: (key: Buffer) => void = () => undefined): LiveFiles {
  // A torn end is an edit that did not take effect: the files of the state before it are still there.
  const { records, damagedAt = findRefusedFragment(bytes) } = readLog(bytes);
  if (damagedAt !== undefined) throw new Error(`its record at ${damagedAt} is damaged`);
  const tables = new Map<number, number>();
  let firstLog: number | undefined;
  let previousLog = 0;
  for (const record of records) {
    const fields = new NumberReader(record);
    while (!fields.isAtEnd) {
      const field = fields.next();
      switch (field) {
        case 1: // the name of the comparator, which orders the keys
          fields.take(fields.next());
          break;
        case 2:
          firstLog = fields.next();
          break;
        case 3: // the next number of a file
        case 4: // the number of the last change
          fields.next();
          break;
        case 5: // a level, and the key up to which it was compacted
          fields.next();
          onKey(withoutNumber(fields.take(fields.next())));
          break;
        case 6: // a level, and the number of a removed table
          fields.next();
          tables.delete(fields.next());
          break;
        case 7: {
          // a level, and an added table: its number, its size, its smallest and its largest key
          fields.next();
          const number = fields.next();
          tables.set(number, fields.next());
          onKey(withoutNumber(fields.take(fields.next())));
          onKey(withoutNumber(fields.take(fields.next())));
          break;
        }
        case 9:
          previousLog = fields.next();
          break;
        default:
          throw new Error(`it has a field ${field}, which LevelDB does not write`);
      }
    }
  }
  if (firstLog === undefined) throw new Error('it names no log');
  return { tables, firstLog, previousLog };
}

/**
 * The tables that the manifest of an open LevelDB names. Others in its directory are no data: LevelDB has not finished them, as on
 * a full disk, or does not need them any more.
 */
export async function liveTables(directory: string): Promise<readonly string[]> {
  for (let last = ''; ;) {
    const manifest = (await readFile(join(directory, 'CURRENT'), 'latin1')).trim();
    try {
      const { tables } = readManifest(await readFile(join(directory, manifest)));
      return (await readdir(directory)).filter((name) => tables.has(Number(TABLE.exec(name)?.[1])));
    } catch (error) {
      // LevelDB may have begun another manifest meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || manifest === last) throw error;
      last = manifest;
    }
  }
}

/**
 * Where the edit begins that a power cut has torn, if LevelDB refuses the MANIFEST for it: it is the last one, at its full length but
 * without some of its bytes. `undefined` if there is no such edit, or other damage. Bytes before are not looked at any further.
 */
export function findTornEdit(bytes: Buffer): number | undefined {
  const tornAt = findRefusedFragment(bytes);
  if (tornAt === undefined || readLog(bytes).damagedAt !== undefined) return undefined;
  return hasSoundFragment(bytes, tornAt) ? undefined : tornAt;
}

/** The key alone. LevelDB writes the number and the kind of a change after it. */
function withoutNumber(key: Buffer): Buffer {
  return key.subarray(0, -8);
}
