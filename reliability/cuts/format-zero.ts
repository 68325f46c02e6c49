import { join } from 'node:path';
import { Level } from 'level';
import { PLAIN_TABLES } from '../../packages/store-level/src/level/raw-level.js';
import { ScratchFolder } from '../scratch-folder.js';
import type { Start } from './recording.js';
import { readTree, writeTree } from './tree.js';

type Rows = Level<Buffer, Buffer>;
type Batch = ReturnType<Rows['batch']>;

const FORMAT_KEY = Buffer.of(0);
const FORMAT_ZERO = Buffer.from('{"format":"tallybook","version":0}');
/** In the made-up format 0, names and days have this byte before their keys. */
const PREFIX = Buffer.of(0xf0);
const MOVED = { gte: Buffer.of(0x01), lt: Buffer.of(0x05) };
/** Small, so that a migration has many writes. */
const BATCH_ROWS = 20;

/** Lets a store read the made-up format 0, and bring it to format 1. */
export function knowFormatZero(storageFormat: object): void {
  const batches = (level: Rows): AsyncIterable<Batch> =>
    moveRows(level, { gte: PREFIX, lt: Buffer.of(0xf1) }, (key) => key.subarray(1));
  Object.assign(storageFormat, { migrations: [{ version: 1, batches }] });
}

/**
 * The start of a run with the data of another one in a store of format 0.
 *
 * @param store The folder of the store in the tree.
 */
export async function withFormatZero(start: Start, store: string): Promise<Start> {
  await using folder = new ScratchFolder('format-zero-');
  await writeTree(folder.path, start.tree);
  const options = { keyEncoding: 'buffer', valueEncoding: 'buffer', ...PLAIN_TABLES } as const;
  const level: Rows = new Level(join(folder.path, store), options);
  await level.open();
  try {
    for await (const batch of moveRows(level, MOVED, (key) => Buffer.concat([PREFIX, key])))
      await batch.write();
    await level.put(FORMAT_KEY, FORMAT_ZERO);
  } finally {
    await level.close();
  }
  return { ...start, tree: await readTree(folder.path) };
}

async function* moveRows(
  level: Rows,
  range: { readonly gte: Buffer; readonly lt: Buffer },
  move: (key: Buffer) => Buffer,
): AsyncGenerator<Batch> {
  const rows = await level.iterator(range).all();
  for (let at = 0; at < rows.length; at += BATCH_ROWS) {
    const batch = level.batch();
    for (const [key, value] of rows.slice(at, at + BATCH_ROWS)) batch.put(move(key), value).del(key);
    yield batch;
  }
}
