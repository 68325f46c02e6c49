import { dirname } from 'node:path';
import type { Random } from '../random.js';
import { applyRenaming, type Change, type History, type Inode } from './history.js';
import type { Tree } from './tree.js';

/**
 * Changes of names that a sync of a file makes durable, in addition to its bytes:
 *
 * - `journal`: all earlier changes of names, as in ext4 and XFS, which have one journal for all files;
 * - `log`: only the name of the file itself, as in F2FS and Btrfs, which write a log for that one file. Changes of other
 *   names become durable at the next checkpoint, in order. A sync of a folder makes a checkpoint.
 */
export const fileSystems = ['journal', 'log'] as const;

/** The moment of a power cut, and the fate of unsynced data on the disk. */
export interface Cut {
  /** How many records of the trace happened before the cut. */
  readonly at: number;
  readonly fileSystem: (typeof fileSystems)[number];
}

/** A disk writes a sector completely or not at all. */
const SECTOR_BYTES = 512;
/** The unit in which the page cache writes back. */
const PAGE_BYTES = 4096;

/**
 * How much unsynced data has reached the disk: all; nothing; all changes up to one moment; or, for each sector or
 * page, its changes up to a moment of its own.
 */
const writebacks = ['all', 'nothing', 'one moment', 'sectors', 'pages'] as const;

/** Builds the content of the folder after the power cut. */
export function buildImage(history: History, cut: Cut, random: Random): Tree {
  const names = durableNames(history, cut, random);
  const writeback = random.pick(writebacks);
  const image = new Map<string, Buffer | 'folder'>();
  for (const [path, node] of names.nodes) {
    image.set(path, node.isFolder ? 'folder' : contentOf(node, cut, names.until, writeback, random));
  }
  return image;
}

/** The content of the folder if all changes have reached the disk. */
export function buildFinal({ before, renamings }: History): Tree {
  const nodes = new Map(before);
  for (const renaming of renamings) applyRenaming(nodes, renaming);
  return new Map(
    [...nodes].map(([path, { isFolder, content, changes }]) => [
      path,
      isFolder ? 'folder' : changes.reduce(applyChange, content),
    ]),
  );
}

/** The durable names, and the index of the record up to which all changes of names are durable. */
function durableNames(
  { before, renamings, syncs, folderSyncs }: History,
  { at, fileSystem }: Cut,
  random: Random,
): { readonly nodes: ReadonlyMap<string, Inode>; readonly until: number } {
  const checkpoints = fileSystem === 'journal' ? syncs : folderSyncs;
  const least = Math.max(0, ...checkpoints.filter(({ end }) => end < at).map(({ begin }) => begin));
  const until = random.chance(0.4) ? least : random.chance(0.4) ? at : random.between(least, at);
  const nodes = new Map(before);
  for (const renaming of renamings) if (renaming.at < until) applyRenaming(nodes, renaming);
  // The log of a single file comes after the checkpoint.
  for (const node of new Set(renamings.flatMap((renaming) => renaming.node ?? []))) {
    const sync = node.syncs.findLast(({ begin, end }) => end < at && begin >= until);
    if (sync?.path === undefined) continue;
    for (const [path, each] of nodes) if (each === node) nodes.delete(path);
    nodes.set(sync.path, node);
    for (let folder = dirname(sync.path); folder !== '.'; folder = dirname(folder)) {
      const made = renamings.find((renaming) => renaming.to === folder)?.node;
      if (!nodes.has(folder) && made !== undefined) nodes.set(folder, made);
    }
  }
  return { nodes, until };
}

function contentOf(
  node: Inode,
  { at }: Cut,
  namesUntil: number,
  writeback: (typeof writebacks)[number],
  random: Random,
): Buffer {
  const syncedUntil = Math.max(0, ...node.syncs.filter(({ end }) => end < at).map(({ begin }) => begin));
  const done = withoutLengthenings(node).filter((change) => change.at < at);
  // A truncation changes the part of the disk that holds the names. If it is lost, the writes after it are lost too:
  // their blocks do not belong to the file then.
  const lost = done.findIndex(
    (change) => change.kind === 'truncate' && change.at >= Math.max(syncedUntil, namesUntil),
  );
  const kept = lost === -1 ? done : done.slice(0, lost);
  const lastTruncation = kept.findLast(({ kind }) => kind === 'truncate')?.at ?? 0;
  const sureUntil = Math.max(syncedUntil, lastTruncation + 1);
  const certain = kept
    .filter((change) => change.at < sureUntil)
    .filter((change) => change.kind === 'truncate' || change.at < syncedUntil || change.at > lastTruncation);
  const sure = {
    content: certain.reduce(applyChange, node.content),
    writtenUntil: certain.reduce(writtenEnd, node.content.length),
  };
  const loose = kept.filter((change) => change.kind === 'write' && change.at >= sureUntil);
  return tear(sure, loose as readonly Written[], writeback, at, random);
}

type Written = Extract<Change, { kind: 'write' }>;

/**
 * The changes of a file. A truncation that only makes the file longer becomes an empty write at the new end. Later
 * writes may reach the disk without it, and the size is written separately from the bytes anyway.
 */
function withoutLengthenings({ content, changes }: Inode): readonly Change[] {
  let length = content.length;
  return changes.map((change) => {
    const isLonger = change.kind === 'truncate' && change.size >= length;
    length = endOf(length, change);
    return isLonger ? { at: change.at, kind: 'write', offset: length, data: Buffer.alloc(0) } : change;
  });
}

/** The end of the written bytes after a change. */
function writtenEnd(until: number, change: Change): number {
  if (change.kind === 'truncate') return Math.min(until, change.size);
  return change.data.length === 0 ? until : endOf(until, change);
}

/** The length of a file after a change. */
function endOf(length: number, change: Change): number {
  return change.kind === 'truncate' ? change.size : Math.max(length, change.offset + change.data.length);
}

function applyChange(content: Buffer, change: Change): Buffer {
  const changed = Buffer.alloc(endOf(content.length, change));
  content.copy(changed);
  if (change.kind === 'write') change.data.copy(changed, change.offset);
  return changed;
}

/** The durable content of a file. Nothing was written after `writtenUntil`, although the file may be longer. */
interface Sure {
  readonly content: Buffer;
  readonly writtenUntil: number;
}

/** Writes the unsynced changes that reached the disk, sector by sector. */
function tear(
  { content: sure, writtenUntil }: Sure,
  loose: readonly Written[],
  writeback: (typeof writebacks)[number],
  at: number,
  random: Random,
): Buffer {
  if (loose.length === 0) return sure;
  const first = loose[0]?.at ?? 0;
  const moment = (): number => random.pick([0, at, random.between(first, at)]);
  const commonMoment = random.between(first, at);
  const moments = new Map<number, number>();
  const isOnDisk = (change: Written, offset: number): boolean => {
    if (writeback === 'all') return true;
    if (writeback === 'nothing') return false;
    if (writeback === 'one moment') return change.at < commonMoment;
    const piece = Math.floor(offset / (writeback === 'sectors' ? SECTOR_BYTES : PAGE_BYTES));
    const itsMoment = moments.get(piece) ?? moment();
    moments.set(piece, itsMoment);
    return change.at < itsMoment;
  };
  const longest = Math.max(sure.length, ...loose.map(({ offset, data }) => offset + data.length));
  // Unwritten blocks of a file show zeros, or random bytes on a worn card.
  const blank = random.chance(0.7) ? Buffer.alloc(longest) : noise(longest, random);
  const torn = Buffer.from(blank);
  sure.copy(torn);
  for (const { offset, data } of loose) {
    const start = Math.max(offset, writtenUntil);
    const end = offset + data.length;
    if (start < end) blank.copy(torn, start, start, end);
  }
  let reached = sure.length;
  for (const change of loose) {
    const end = change.offset + change.data.length;
    for (let from = change.offset; from < end;) {
      const to = Math.min(end, (Math.floor(from / SECTOR_BYTES) + 1) * SECTOR_BYTES);
      if (isOnDisk(change, from)) {
        change.data.copy(torn, from, from - change.offset, to - change.offset);
        reached = Math.max(reached, to);
      }
      from = to;
    }
  }
  // The size is written separately from the bytes.
  const size = random.pick([reached, reached, sure.length, longest, random.between(sure.length, longest)]);
  return torn.subarray(0, size);
}

function noise(length: number, random: Random): Buffer {
  const page = Buffer.from(Array.from({ length: PAGE_BYTES }, () => random.between(0, 255)));
  return Buffer.alloc(length, page);
}
