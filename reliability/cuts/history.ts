import { constants } from 'node:fs';
import type { TraceRecord } from './trace.js';
import type { Tree } from './tree.js';

/** A change of the bytes of a file. `at` is the index of its record in the trace. */
export type Change =
  | { readonly at: number; readonly kind: 'write'; readonly offset: number; readonly data: Buffer }
  | { readonly at: number; readonly kind: 'truncate'; readonly size: number };

/** A successful sync: changes before `begin` are durable from `end` on. */
interface Sync {
  readonly begin: number;
  readonly end: number;
  /** The name of the file when the sync began; `undefined` if it had no name any more. */
  readonly path: string | undefined;
}

/** A file, independent of its names, or a folder. */
export interface Inode {
  readonly isFolder: boolean;
  /** Its durable content before the trace began. */
  readonly content: Buffer;
  readonly changes: Change[];
  readonly syncs: Sync[];
}

/** A change of the names in the folder. */
export interface Renaming {
  readonly at: number;
  /** This name is removed. */
  readonly from?: string;
  /** This name is given to `node`; it replaces a file with this name. */
  readonly to?: string;
  readonly node?: Inode;
}

/** The changes of each file and of the names, from the records of a trace. */
export interface History {
  /** The durable files when the trace began. */
  readonly before: ReadonlyMap<string, Inode>;
  readonly renamings: readonly Renaming[];
  /** Syncs of folders. */
  readonly folderSyncs: readonly Sync[];
  /** All syncs. */
  readonly syncs: readonly Sync[];
  /** How many records the trace has: cuts are from 0 to this. */
  readonly length: number;
}

/** Reads the changes of each file from a trace. */
export function readHistory(before: Tree, records: readonly TraceRecord[]): History {
  const nodes = new Map<string, Inode>();
  for (const [path, content] of before) nodes.set(path, newInode(content));
  const history = {
    before: new Map(nodes),
    renamings: [] as Renaming[],
    folderSyncs: [] as Sync[],
    syncs: [] as Sync[],
    length: records.length,
  };
  const rename = (renaming: Renaming): void => {
    history.renamings.push(renaming);
    applyRenaming(nodes, renaming);
  };
  const open = new Map<number, Inode>();
  const begun = new Map<
    number,
    { readonly node: Inode; readonly begin: number; readonly path: string | undefined }
  >();
  for (const [at, { kind, fd, number, path, to, data }] of records.entries()) {
    if (kind === 'open') {
      const isNew = !nodes.has(path) && path !== '' && (number & constants.O_CREAT) !== 0;
      const node = nodes.get(path) ?? newInode(path === '' ? 'folder' : Buffer.alloc(0));
      if (isNew) rename({ at, to: path, node });
      else if ((number & constants.O_TRUNC) !== 0) node.changes.push({ at, kind: 'truncate', size: 0 });
      open.set(fd, node);
    } else if (kind === 'close') open.delete(fd);
    else if (kind === 'write') nodeOf(open, fd).changes.push({ at, kind, offset: number, data });
    else if (kind === 'truncate') nodeOf(open, fd).changes.push({ at, kind, size: number });
    else if (kind === 'mkdir') rename({ at, to: path, node: newInode('folder') });
    else if (kind === 'unlink' || kind === 'rmdir') rename({ at, from: path });
    else if (kind === 'rename') rename({ at, from: path, to, node: nodeOf(nodes, path) });
    else if (kind === 'sync-begin') {
      const node = nodeOf(open, fd);
      const name = [...nodes].find(([, each]) => each === node)?.[0];
      begun.set(number, { node, begin: at, path: name });
    } else if (kind === 'sync-end') {
      const { node, begin, path: name } = nodeOf(begun, number);
      const sync = { begin, end: at, path: name };
      node.syncs.push(sync);
      history.syncs.push(sync);
      if (node.isFolder) history.folderSyncs.push(sync);
    }
  }
  return history;
}

export function applyRenaming(nodes: Map<string, Inode>, { from, to, node }: Renaming): void {
  if (from !== undefined) nodes.delete(from);
  if (to === undefined || node === undefined) return;
  nodes.set(to, node);
  if (!node.isFolder || from === undefined) return;
  for (const [path, below] of [...nodes]) {
    if (!path.startsWith(`${from}/`)) continue;
    nodes.delete(path);
    nodes.set(to + path.slice(from.length), below);
  }
}

function newInode(content: Buffer | 'folder'): Inode {
  const isFolder = content === 'folder';
  return { isFolder, content: isFolder ? Buffer.alloc(0) : content, changes: [], syncs: [] };
}

function nodeOf<K, T>(all: ReadonlyMap<K, T>, key: K): T {
  const found = all.get(key);
  if (found === undefined)
    throw new Error(`the trace tells of ${String(key)}, which it has not named before`);
  return found;
}
