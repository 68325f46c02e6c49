import { createReadStream, type Dirent } from 'node:fs';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  isTallybookError,
  TallybookError,
  toTimestamp,
  type PersonId,
  type TallyId,
  type Timestamp,
} from '@tallybook/domain';
import { parseBackupLine, type BackupCounts, type BackupService } from '@tallybook/domain/record';
import { nameOfUnfinished, syncFolder, writeBackup } from './write-backup.js';

/** A line number for `parseBackupLine`: any number except 1, which is the head. */
const LAST_LINE = 2;

/** A backup in a {@link BackupFolder}. */
export interface BackupFile {
  readonly name: string;
  /** Larger than the numbers of all backups that existed when it was written. */
  readonly sequence: number;
  /** When it was written; `undefined` if the clock was not trusted. */
  readonly at: Timestamp | undefined;
}

/** Outcome of removing old backups. */
export interface Pruned {
  /** A backup that was kept because it contains much more than the latest one. */
  readonly spared: string | undefined;
  /** Names of backups that belong to a folder, a pipe or something else that is not a file. */
  readonly noFiles: readonly string[];
}

const NAME =
  /^tallybook-([0-9]{8,15})(?:-([0-9]{4}-[0-9]{2}-[0-9]{2})T([0-9]{2})-([0-9]{2})-([0-9]{2})Z)?\.jsonl$/;

/**
 * A folder with backups. Later backups have larger numbers: `tallybook-00000042-2026-11-21T04-40-00Z.jsonl`.
 *
 * The number, not the time, shows the latest backup, because the clock may have been wrong once. Even then the latest backup
 * must not be removed first, and no backup must be overwritten. Other files in the folder are left alone.
 */
export class BackupFolder {
  readonly path: string;
  readonly #backup: BackupService;
  /**
   * After the folder was there once, it is not created again: if a card is removed, backups must not be written below
   * its mount point.
   */
  #wasThere = false;

  /** Two servers must not share a folder. */
  constructor(path: string, backup: BackupService) {
    this.path = path;
    this.#backup = backup;
  }

  /** The backups, the oldest first. Rejects with `BACKUP_FAILED` if the folder cannot be read. */
  list(): Promise<readonly BackupFile[]> {
    return this.#translated(async () => (await this.#look()).backups);
  }

  /**
   * Writes a new backup, whole or not at all.
   *
   * Rejects with `BACKUP_FAILED` if the file cannot be written, with `INVALID_BACKUP` if the file does not read back as it
   * was written, and with the errors of the stores.
   *
   * @param at The present time; `undefined` if the clock is not trusted.
   */
  write(at: Timestamp | undefined, signal: AbortSignal): Promise<BackupCounts & { readonly file: string }> {
    return this.#translated(async () => {
      const sequence = (await this.#look()).lastSequence + 1;
      await this.#removeUnfinished();
      const file = formatName(sequence, at);
      const counts = await writeBackup(join(this.path, file), this.#backup.export(), signal);
      return { file, ...counts };
    });
  }

  /**
   * Removes all backups except the latest `keep`. Of the older ones it also keeps the latest backup that contains more than
   * twice as much as the last backup. Then the present store may be a new one, because the disk of the old store is missing.
   * Rejects with `BACKUP_FAILED` if a backup cannot be removed.
   *
   * @param held Counts of the last backup.
   */
  prune(keep: number, held: BackupCounts): Promise<Pruned> {
    return this.#translated(async () => {
      const { backups, noFiles } = await this.#look();
      let spared: string | undefined;
      for (const { name } of backups.slice(0, -keep).reverse()) {
        const path = join(this.path, name);
        if (spared === undefined && (await countIn(path)) > 2 * size(held)) spared = name;
        else await rm(path);
      }
      return { spared, noFiles };
    });
  }

  /**
   * Names of the backups that contain one of these tags or persons, the oldest first. Then follow other files `*.jsonl`, which somebody
   * may have exported or renamed. Files that could not be searched are included; a text after their name says so. Rejects
   * with `BACKUP_FAILED` if the folder cannot be read.
   */
  holding(ids: ReadonlySet<TallyId | PersonId>): Promise<readonly string[]> {
    return this.#translated(async () => {
      const own = (await this.list()).map(({ name }) => name);
      const others = (await readdir(this.path)).filter(
        (name) => name.endsWith('.jsonl') && !own.includes(name),
      );
      const found: string[] = [];
      for (const name of [...own, ...others.sort()]) {
        try {
          if (await tellsOf(join(this.path, name), ids)) found.push(name);
        } catch (error) {
          found.push(`${name} (perhaps: could not be searched, ${reasonOf(error)})`);
        }
      }
      return found;
    });
  }

  /** Names of the backups that were written before a time, the oldest first. Rejects with `BACKUP_FAILED`. */
  async madeBefore(moment: Timestamp): Promise<readonly string[]> {
    return (await this.list()).filter(({ at }) => at !== undefined && at < moment).map(({ name }) => name);
  }

  /** Removes backups. Names that are not of backups are ignored. Rejects with `BACKUP_FAILED`. */
  remove(names: readonly string[]): Promise<void> {
    return this.#translated(async () => {
      for (const { name } of (await this.#look()).backups) {
        if (names.includes(name)) await rm(join(this.path, name), { force: true });
      }
    });
  }

  /** Finds backups, and other things with names of backups: their numbers are used too. */
  async #look(): Promise<{
    readonly backups: readonly BackupFile[];
    readonly noFiles: readonly string[];
    readonly lastSequence: number;
  }> {
    if (!this.#wasThere) await makeFolder(this.path);
    const entries = await readdir(this.path, { withFileTypes: true });
    this.#wasThere = true;
    const backups: BackupFile[] = [];
    const noFiles: string[] = [];
    let lastSequence = 0;
    for (const entry of entries) {
      const backup = parseName(entry.name);
      if (backup === undefined) continue;
      lastSequence = Math.max(lastSequence, backup.sequence);
      if (await isFile(entry, this.path)) backups.push(backup);
      else noFiles.push(entry.name);
    }
    return {
      backups: backups.sort((a, b) => a.sequence - b.sequence),
      noFiles: noFiles.sort(),
      lastSequence,
    };
  }

  /** Removes unfinished backups of earlier runs of the server. */
  async #removeUnfinished(): Promise<void> {
    for (const file of await readdir(this.path)) {
      if (NAME.test(nameOfUnfinished(file) ?? '')) await rm(join(this.path, file), { force: true });
    }
  }

  async #translated<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (isTallybookError(error)) throw error;
      throw new TallybookError('BACKUP_FAILED', `the folder for backups: ${(error as Error).message}`, {
        cause: error,
        details: { folder: this.path },
      });
    }
  }
}

/** Whether an entry is a file, or a link to one. Opening a pipe would wait for ever, and a folder has no lines. */
async function isFile(entry: Dirent, folder: string): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isFile();
  return stat(join(folder, entry.name)).then(
    (target) => target.isFile(),
    () => false,
  );
}

function size({ names, entries }: BackupCounts): number {
  return names + entries;
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}

/** Whether a file contains one of the ids in the form of JSON. The file may be damaged, or not a backup. */
async function tellsOf(path: string, ids: ReadonlySet<TallyId | PersonId>): Promise<boolean> {
  // Reading a pipe may never end.
  if (!(await stat(path)).isFile()) throw new Error('not a file');
  const wanted = [...ids].map((id) => Buffer.from(`"${id}"`));
  const longest = Math.max(...wanted.map(({ length }) => length));
  let bytes = Buffer.alloc(0);
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    // Includes the end of the previous bytes, where an id may begin.
    bytes = Buffer.concat([bytes.subarray(-longest), chunk]);
    if (wanted.some((id) => bytes.includes(id))) return true;
  }
  return false;
}

/** Number of bytes that are read at the end; the last line of a backup is shorter. */
const END_BYTES = 256;

/** Number of names and entries in the last line of a backup; 0 if there is no such line. */
async function countIn(path: string): Promise<number> {
  await using file = await open(path);
  const { size: bytes } = await file.stat();
  const { buffer, bytesRead } = await file.read(
    Buffer.alloc(END_BYTES),
    0,
    END_BYTES,
    Math.max(bytes - END_BYTES, 0),
  );
  const last = buffer.toString('utf8', 0, bytesRead).trimEnd().split('\n').at(-1) ?? '';
  try {
    const record = parseBackupLine(last, LAST_LINE);
    return record.kind === 'end' ? size(record.counts) : 0;
  } catch {
    return 0;
  }
}

/** Creates a missing folder, only for its owner. Folders above it are not created. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
    await syncFolder(dirname(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** The first second after the years of four digits, which names have. */
const DATE_END = 253_402_300_800;

function formatName(sequence: number, at: Timestamp | undefined): string {
  const number = String(sequence).padStart(8, '0');
  if (at === undefined || at >= DATE_END) return `tallybook-${number}.jsonl`;
  const time = new Date(at * 1000)
    .toISOString()
    .replace(/\.000Z$/, 'Z')
    .replaceAll(':', '-');
  return `tallybook-${number}-${time}.jsonl`;
}

function parseName(name: string): BackupFile | undefined {
  const [, sequence, date, ...time] = NAME.exec(name) ?? [];
  if (sequence === undefined) return undefined;
  const epochMs = Date.parse(`${String(date)}T${time.join(':')}Z`);
  const at = Number.isNaN(epochMs) || epochMs < 0 ? undefined : toTimestamp(epochMs / 1000);
  return { name, sequence: Number(sequence), at };
}
