import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Content of a folder, by paths below it: the bytes of a file, or `'folder'`. */
export type Tree = ReadonlyMap<string, Buffer | 'folder'>;

export async function readTree(folder: string): Promise<Tree> {
  const tree = new Map<string, Buffer | 'folder'>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    tree.set(path.slice(folder.length + 1), entry.isDirectory() ? 'folder' : await readFile(path));
  }
  return tree;
}

/** Writes a tree into a new folder. */
export async function writeTree(folder: string, tree: Tree): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const path of [...tree.keys()].sort()) {
    const content = tree.get(path);
    if (content === 'folder') await mkdir(join(folder, path), { recursive: true });
    else if (content !== undefined) await writeFile(join(folder, path), content);
  }
}
