import { dirname } from 'node:path';
import type { Random } from '../random.js';
import { applyRenaming, type Change, type History, type Inode } from './history.js';
import type { Tree } from './tree.js';

/**
 * What a sync of a file makes durable beside its bytes:
 *
 * - `journal`: all that was done to names before, as ext4 and XFS do, whose journal is one for all files;
 * - `log`: its own name only, as F2FS and Btrfs do, which write a log for that one file. What was done to other names
 *   is durable with the next checkpoint: in order, but perhaps later. A sync of a folder makes a checkpoint.
 */
export const fileSystems = ['journal', 'log'] as const;

/** Where the power goes, and what the disk makes of what was not synced. */
export interface Cut {
  /** How many records of the trace have happened. */
  readonly at: number;
  readonly fileSystem: (typeof fileSystems)[number];
}

/** A disk writes a sector as a whole or not at all. */
const SECTOR_BYTES = 512;
/** What the page cache writes back at once. */
const PAGE_BYTES = 4096;

/**
 * How much of what was not synced had reached the disk: all, nothing, what was done up to one moment, or, for each
 * sector or page by itself, what was done to it up to a moment of its own.
 */
const writebacks = ['all', 'nothing', 'one moment', 'sectors', 'pages'] as const;

/** Builds what the folder holds when the power comes back. */
export function buildImage(history: History, cut: Cut, random: Random): Tree {
  const names = durableNames(history, cut, random);
  const writeback = random.pick(writebacks);
  const image = new Map<string, Buffer | 'folder'>();
  for (const [path, node] of names.nodes) {
    image.set(path, node.isFolder ? 'folder' : contentOf(node, cut, names.until, writeback, random));
  }
  return image;
}

/** What the folder holds if all that was done has reached the disk. */
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

/** The durable names, and the record up to which all changes of names are durable. */
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
  // A truncation changes the part of the disk that holds the names. If it is lost, so are the writes after it: they went into
  // blocks that the file then does not have.
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
 * The changes of a file, with an empty write at the new end for each truncation that only makes it longer: later writes may
 * reach the disk without it, and the size is written apart from the bytes anyway.
 */
function withoutLengthenings({ content, changes }: Inode): readonly Change[] {
  let length = content.length;
  return changes.map((change) => {
    const isLonger = change.kind === 'truncate' && change.size >= length;
    length = endOf(length, change);
    return isLonger ? { at: change.at, kind: 'write', offset: length, data: Buffer.alloc(0) } : change;
  });
}

/** Where the bytes end that were written, after a change. */
function writtenEnd(until: number, change: Change): number {
  if (change.kind === 'truncate') return Math.min(until, change.size);
  return change.data.length === 0 ? until : endOf(until, change);
}

/** How long a file is after a change. */
function endOf(length: number, change: Change): number {
  return change.kind === 'truncate' ? change.size : Math.max(length, change.offset + change.data.length);
}

function applyChange(content: Buffer, change: Change): Buffer {
  const changed = Buffer.alloc(endOf(content.length, change));
  content.copy(changed);
  if (change.kind === 'write') change.data.copy(changed, change.offset);
  return changed;
}

/** What a file holds for sure. From `writtenUntil` on nothing was written, although it may be as long. */
interface Sure {
  readonly content: Buffer;
  readonly writtenUntil: number;
}

/** Writes as much of what is not synced as reached the disk, sector by sector. */
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
  // Blocks that a file was given but that were not written show zeros, or what a worn card makes of them.
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
  // The size is written apart from the bytes.
  const size = random.pick([reached, reached, sure.length, longest, random.between(sure.length, longest)]);
  return torn.subarray(0, size);
}

function noise(length: number, random: Random): Buffer {
  const page = Buffer.from(Array.from({ length: PAGE_BYTES }, () => random.between(0, 255)));
  return Buffer.alloc(length, page);
}
