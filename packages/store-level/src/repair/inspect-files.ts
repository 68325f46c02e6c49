import { readdir, readFile, open } from 'node:fs/promises';
import { join } from 'node:path';
import { readLog, areInOrder } from '../leveldb-files/log-file.js';
import { TableFile } from '../leveldb-files/table-file.js';
import { findTornCommits, firstCommit } from './torn-commits.js';
import { readManifest, type LiveFiles, findTornEdit } from '../leveldb-files/version-edits.js';
import { WholeFile } from '../leveldb-files/read-file.js';
import { readAcknowledgedCommits, type CommitCount } from '../directory/acknowledged-commits.js';
import { LOG_NAME, numbered } from '../directory/store-directory.js';

/** Damage of a file of a store. */
export interface FileDamage {
  readonly file: string;
  /** For people, after the name of the file. */
  readonly reason: string;
}

const DAMAGES_SHOWN = 3;
/** Files that are read at the same time: more would not be faster, and each one is an open file. */
const FILES_AT_ONCE = 8;

/** The files in the directory of a store. */
export interface StoreFiles {
  /** Names of the tables that belong to the store; of all tables if that is unknown. */
  readonly tables: readonly string[];
  /** Names of the logs that belong to the store, oldest first; of all logs if that is unknown. */
  readonly logs: readonly string[];
  readonly damages: readonly FileDamage[];
}

/** Codes that mean damage of a file; all others are faults of the system. */
const DAMAGE_OF_CODE: Readonly<Record<string, string>> = {
  ENOENT: 'it is missing',
  EIO: 'the disk does not give it back',
  EISDIR: 'it is a folder',
};

/**
 * Finds out which files a store consists of, and whether they are all there and sound. Changes nothing. Call it before LevelDB
 * opens the store: LevelDB uses the files that it finds, and without an error deletes its logs and all tables that it does not
 * know.
 *
 * All checksums of LevelDB are compared: LevelDB itself does not compare them, and a damaged row may end the process. `RowCheck`
 * checks the content of rows.
 *
 * @param manifestEnd So many bytes of the manifest count. Default: all of them.
 */
export async function inspectFiles(directory: string, manifestEnd?: number): Promise<StoreFiles> {
  const damages: FileDamage[] = [];
  const names = await readdir(directory);
  const tables = numbered(names, /^(\d+)\.(?:ldb|sst)$/);
  const logs = numbered(names, LOG_NAME);

  const live = await findLiveFiles(directory, { names, manifestEnd }, damages);
  // LevelDB names a log before it syncs it or the directory. If a power cut then took the file, no acknowledged commit was in it: if
  // one was, the store has fewer commits than were acknowledged when it is open.
  const acknowledged = readAcknowledgedCommits(directory);
  const countsCommits = acknowledged.length > 0;
  const missing = live === undefined ? [] : findMissing(live, { tables, logs, countsCommits });
  damages.push(...missing.map((file) => ({ file, reason: 'it is missing' })));
  const isComplete = live !== undefined && missing.length === 0;
  const files = {
    tables: namesOf(tables, (number) => !isComplete || live.tables.has(number)),
    logs: namesOf(logs, (number) => !isComplete || number >= live.firstLog || number === live.previousLog),
  };

  const looks = [() => lookAtLogs(directory, files.logs, acknowledged)];
  for (const [number, size] of live?.tables ?? []) {
    const file = tables.get(number);
    if (file === undefined) continue;
    looks.push(() =>
      lookAt(file, async () => {
        await using table = await TableFile.open(join(directory, file));
        return await table.findDamage(size);
      }),
    );
  }
  damages.push(...(await fewAtOnce(looks)).flat());
  return { ...files, damages };
}

/** Inspects logs one after another, the newest first: its first commit limits the commits in the older logs. */
async function lookAtLogs(
  directory: string,
  logs: readonly string[],
  [latest, other]: readonly CommitCount[],
): Promise<readonly FileDamage[]> {
  const damages: FileDamage[] = [];
  // It is not known yet to which store the two files belong. Damage that the lower number misses is found when the store is open.
  const isOfOne = other === undefined || latest?.identity.equals(other.identity) === true;
  let acknowledged = (isOfOne ? latest : other)?.commits;
  for (const [index, file] of [...logs.entries()].toReversed()) {
    const found = await lookAt(file, async () => {
      using log = await WholeFile.read(join(directory, file));
      const content = readLog(log.bytes);
      if (content.damagedAt !== undefined) return `its record at ${content.damagedAt} is damaged`;
      if (!areInOrder(content.beginnings)) return 'its records are not in their order';
      const reason = findTornCommits(content, acknowledged);
      // Not for the oldest log: this decodes a record, which may hold thousands of rows.
      const first = index === 0 ? undefined : firstCommit(content);
      if (acknowledged !== undefined && first !== undefined) acknowledged = first - 1;
      return reason;
    });
    damages.unshift(...found);
  }
  return damages;
}

/** The first few damages, for people. */
export function describeDamages(damages: readonly FileDamage[]): string {
  const shown = damages.slice(0, DAMAGES_SHOWN).map(({ file, reason }) => `${file}: ${reason}`);
  const rest = damages.length - shown.length;
  return [...shown, ...(rest === 0 ? [] : [`and ${rest} more`])].join(', ');
}

/** The files that the newest MANIFEST names. CURRENT should name that MANIFEST, but is not needed. */
async function findLiveFiles(
  directory: string,
  { names, manifestEnd }: { readonly names: readonly string[]; readonly manifestEnd: number | undefined },
  damages: FileDamage[],
): Promise<LiveFiles | undefined> {
  let current: string | undefined;
  const inCurrent = await lookAt('CURRENT', async () => {
    const [, name] = /^(MANIFEST-\d+)\n$/.exec(await readFile(join(directory, 'CURRENT'), 'latin1')) ?? [];
    current = name;
    return name === undefined ? 'it does not name a manifest' : undefined;
  });
  const newest = [...numbered(names, /^MANIFEST-(\d+)$/).values()].at(-1);
  const manifest = current ?? newest ?? 'MANIFEST';
  let live: LiveFiles | undefined;
  const inManifest = await lookAt(manifest, async () => {
    const bytes = await readFile(join(directory, manifest));
    try {
      live = readManifest(bytes.subarray(0, manifestEnd));
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  });
  damages.push(...inCurrent, ...inManifest);
  return live;
}

function findMissing(
  live: LiveFiles,
  {
    tables,
    logs,
    countsCommits,
  }: {
    readonly tables: ReadonlyMap<number, string>;
    readonly logs: ReadonlyMap<number, string>;
    readonly countsCommits: boolean;
  },
): readonly string[] {
  const { firstLog } = live;
  const missing = [...live.tables.keys()].filter((number) => !tables.has(number));
  const isNewest = [...logs.keys()].every((number) => number < firstLog);
  // LevelDB makes a log before it names the log; a store that was just made names none.
  const hasLog = firstLog === 0 || logs.has(firstLog) || (isNewest && countsCommits);
  return [
    ...missing.map((number) => fileName(number, 'ldb')),
    ...(hasLog ? [] : [fileName(firstLog, 'log')]),
  ];
}

/** The damage that `look` finds in a file, if any. Rejects if `look` fails for another reason. */
async function lookAt(file: string, look: () => Promise<string | undefined>): Promise<readonly FileDamage[]> {
  try {
    const reason = await look();
    return reason === undefined ? [] : [{ file, reason }];
  } catch (error) {
    const reason = DAMAGE_OF_CODE[(error as NodeJS.ErrnoException).code ?? ''];
    if (reason === undefined) throw error;
    return [{ file, reason }];
  }
}

/**
 * Does all of the work, a few pieces at once, and resolves with the results in the order of the work. When it rejects, no work is
 * under way any more.
 */
async function fewAtOnce<T>(work: readonly (() => Promise<T>)[]): Promise<readonly T[]> {
  const results: T[] = [];
  const left = work.entries();
  const takeOver = async (): Promise<void> => {
    for (const [index, run] of left) results[index] = await run();
  };
  const ends = await Promise.allSettled(Array.from({ length: FILES_AT_ONCE }, takeOver));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return results;
}

function namesOf(
  files: ReadonlyMap<number, string>,
  isWanted: (number: number) => boolean,
): readonly string[] {
  return [...files].filter(([number]) => isWanted(number)).map(([, name]) => name);
}

function fileName(number: number, extension: string): string {
  return `${String(number).padStart(6, '0')}.${extension}`;
}

/**
 * Cuts a torn edit off the manifest of a store, if that is its only damage.
 *
 * LevelDB syncs an edit before it relies on it, and removes the files of the state before only after that. So an edit that a power cut
 * has torn did not take effect, and the state before is complete. But LevelDB refuses the manifest if the file has the full length and
 * the disk lacks some of its bytes. If files of the state before are missing, the edit did take effect, and the manifest stays as it is.
 *
 * Call it while nobody else writes.
 *
 * @param files From {@link inspectFiles}.
 * @returns The files of the state before, without damage, if it was cut; else `files`.
 */
export async function cutTornEdit(directory: string, files: StoreFiles): Promise<StoreFiles> {
  const [damage, ...others] = files.damages;
  if (damage === undefined || others.length > 0 || !damage.file.startsWith('MANIFEST-')) return files;
  const path = join(directory, damage.file);
  // The damage may be that it is missing or cannot be read.
  const bytes = await readFile(path).catch(() => undefined);
  const end = bytes && findTornEdit(bytes);
  if (end === undefined) return files;
  const before = await inspectFiles(directory, end);
  if (before.damages.length > 0) return files;
  await using file = await open(path, 'r+');
  await file.truncate(end);
  await file.sync();
  return before;
}
