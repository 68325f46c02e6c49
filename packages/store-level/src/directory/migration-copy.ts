import { constants } from 'node:fs';
import { copyFile, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TallybookError } from '@tallybook/domain';
import {
  acknowledgedOf,
  AcknowledgedCommits,
  readAcknowledgedCommits,
  type CommitCount,
} from './acknowledged-commits.js';
import { isCopied, requireFree, syncDirectory } from './store-directory.js';

/*
 * The copy of a store that is made before its format changes, so that the program before can have it back. It is a folder in that of
 * the store, because the service may write nowhere else:
 *
 *   before-2.tmp       is being copied, compared or removed    -> does not count, and is removed
 *   before-2           the store before it got format 2
 *   before-2.removed   why that copy was removed, in words
 */
const COPY = /^before-(\d+)$/;
const REST = /^before-\d+\.tmp$/;
const NOTE = /^before-\d+\.removed$/;
/** Second since 1970 in which the copy is removed; missing until a trusted clock was seen. */
const EXPIRES = 'EXPIRES';
/** For how long a copy is kept: 14 days. */
const KEPT_SECONDS = 14 * 86_400;
/** Files beside those of LevelDB that belong to the state of the service. */
const BESIDE = ['settings.json'];
/** Bytes of a copy in addition to its files. */
const EXTRA_BYTES = 1 << 20;

/** A copy of a store. */
export interface MigrationCopy {
  readonly path: string;
  /** The format that the store got after the copy. */
  readonly before: number;
}

/**
 * Copies a closed store, durably, before it gets a format. The caller holds the lock of the directory.
 *
 * If a migration was interrupted, its copy is there already, and the store may be half of a later format: then nothing is copied.
 *
 * @throws {TallybookError} `STORE_WRITE_FAILED` if the disk has no room.
 */
export async function copyBeforeMigration(
  directory: string,
  format: number,
  stored: CommitCount,
): Promise<void> {
  const path = join(directory, `before-${format}`);
  const names = await readdir(directory);
  if (names.includes(`before-${format}`)) {
    // A migration does not count as a commit. If somebody moved files by hand, the copy is of an earlier state or of another store.
    if (acknowledgedOf(stored, readAcknowledgedCommits(path)) === stored.commits) return;
  }
  // Until the migration begins, the store itself is all that is needed to go back.
  for (const name of names.filter((each) => COPY.test(each))) await removeFolder(directory, name);
  await copyTo(`${path}.tmp`, directory, `copying ${directory} before it gets storage format ${format}`);
  new AcknowledgedCommits(`${path}.tmp`, stored).close();
  await syncFolder(`${path}.tmp`);
  await rename(`${path}.tmp`, path);
  await syncDirectory(directory);
  for (const name of names.filter((each) => NOTE.test(each))) await rm(join(directory, name));
}

/**
 * The copy in the directory of a store.
 *
 * @throws {TallybookError} `STORE_UNAVAILABLE` if there is none, with the reason.
 */
export async function requireCopy(directory: string): Promise<MigrationCopy> {
  const names = await readdir(directory);
  for (const name of names) {
    const [, digits] = COPY.exec(name) ?? [];
    if (digits !== undefined) return { path: join(directory, name), before: Number(digits) };
  }
  const note = names.find((name) => NOTE.test(name));
  const reason =
    note === undefined
      ? 'it was not brought to another format'
      : `its copy was removed: ${(await readFile(join(directory, note), 'utf8')).trim()}`;
  throw new TallybookError('STORE_UNAVAILABLE', `${directory} cannot be rolled back: ${reason}`, {
    details: { path: directory },
  });
}

/**
 * Makes a copy of the copy, to be read and then removed.
 *
 * @throws {TallybookError} `STORE_WRITE_FAILED` if the disk has no room.
 */
export async function copyForReading({ path }: MigrationCopy): Promise<string> {
  const folder = `${path}.tmp`;
  await copyTo(folder, path, `reading ${path}`);
  return folder;
}

/**
 * Removes the copy, if there is one, and what is left of interrupted copies.
 *
 * @param reason For people.
 */
export async function removeCopy(directory: string, reason: string): Promise<void> {
  const names = await readdir(directory);
  for (const name of names.filter((each) => COPY.test(each))) {
    // The reason is a help for people: a full disk must not keep the copy.
    const note = join(directory, `${name}.removed`);
    await writeFile(note, `${reason}\n`, { mode: 0o600, flush: true }).catch(() => undefined);
    await removeFolder(directory, name);
  }
  for (const name of names.filter((each) => REST.test(each))) {
    await rm(join(directory, name), { recursive: true, force: true });
  }
}

/**
 * Removes what is left of interrupted copies, and the copy after {@link KEPT_SECONDS}.
 *
 * @param now By a trusted clock, in seconds since 1970. The time counts from the first call.
 */
export async function expireCopy(directory: string, now: number): Promise<void> {
  const names = await readdir(directory);
  const name = names.find((each) => COPY.test(each));
  if (name === undefined) {
    if (names.some((each) => REST.test(each))) await removeCopy(directory, '');
    return;
  }
  const file = join(directory, name, EXPIRES);
  const expires = Number(await readFile(file, 'utf8').catch(() => NaN));
  if (Number.isSafeInteger(expires) && expires > 0) {
    if (expires <= now) await removeCopy(directory, 'it is kept for 14 days');
  } else await writeFile(file, `${now + KEPT_SECONDS}\n`, { mode: 0o600, flush: true });
}

/** Removes from the copy what only a copy has. Until it is put back it stays a copy, for another 14 days. */
export async function removeExpiry({ path }: MigrationCopy): Promise<void> {
  await rm(join(path, EXPIRES), { force: true });
}

/** @param work What the copy is for, in words. */
async function copyTo(folder: string, directory: string, work: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const names = (await readdir(directory)).filter((name) => isCopied(name) || BESIDE.includes(name));
  const stats = await Promise.all(names.map((name) => stat(join(directory, name))));
  const needed = stats.reduce((sum, { size }) => sum + size, EXTRA_BYTES);
  await requireFree(directory, needed, work);
  await mkdir(folder, { mode: 0o700 });
  for (const name of names) {
    await copyFile(join(directory, name), join(folder, name), constants.COPYFILE_FICLONE);
  }
}

async function syncFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    await using file = await open(join(folder, name));
    await file.sync();
  }
  await syncDirectory(folder);
}

/** Removes a copy. After a power cut it is there whole, or is a rest that does not count. */
async function removeFolder(directory: string, name: string): Promise<void> {
  const rest = join(directory, `${name}.tmp`);
  await rm(rest, { recursive: true, force: true });
  await rename(join(directory, name), rest);
  await syncDirectory(directory);
  await rm(rest, { recursive: true, force: true });
}
