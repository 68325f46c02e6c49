import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Level } from 'level';
import type { Contents } from '../ledger/contents.js';
import { versionOf } from '../ledger/names.js';
import { fileProvisional, readStore } from './read-store.js';
import { STORE, type Start } from './recording.js';
import { readTree, writeTree } from './tree.js';

const FORMAT_KEY = Buffer.of(0);
const FORMAT_2 = Buffer.from('{"format":"tallybook","version":2}');
/** Rows that the format before did not have: changes, positions and bounds of the journal, stamps of names; */
const JOURNAL_ROWS = [
  { gte: Buffer.of(0x00, 0x00), lt: Buffer.of(0x00, 0x01) },
  { gte: Buffer.of(0x00, 0x03), lt: Buffer.of(0x00, 0x06) },
];
/** users, the audit trail, corrections, erasures, and stations. */
const LATER_ROWS = { gte: Buffer.of(0x08), lt: Buffer.of(0x10) };

/** The start of a run with a store of format 2. It has the data of a given store of format 3. */
export async function withStoreOfFormat2({ tree, notes, generation }: Start): Promise<Start> {
  const folder = await mkdtemp(join(tmpdir(), 'format-2-'));
  try {
    await writeTree(folder, tree);
    const path = join(folder, STORE);
    let contents = await readStore(path);
    // From outside it is not visible whether such a scan is there once or twice.
    if (contents.provisional.some(({ isFiling }) => isFiling)) {
      await fileProvisional(path);
      contents = await readStore(path);
    }
    await removeJournal(path);
    return { tree: await readTree(folder), notes: notesOf(contents, notes), generation };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function removeJournal(path: string): Promise<void> {
  const level = new Level<Buffer, Buffer>(path, { keyEncoding: 'buffer', valueEncoding: 'buffer' });
  await level.open();
  try {
    const batch = level.batch().put(FORMAT_KEY, FORMAT_2);
    const keys = (await Promise.all(JOURNAL_ROWS.map((range) => level.keys(range).all()))).flat();
    if (keys.length === 0) throw new Error('the store has no journal where this looks for it');
    for (const key of [...keys, ...(await level.keys(LATER_ROWS).all())]) batch.del(key);
    await batch.write();
  } finally {
    await level.close();
  }
}

/** Notes for a ledger: all data of the store count as acknowledged, without entries in the journal. */
function notesOf({ mapping, days, provisional }: Contents, before: readonly string[]): readonly string[] {
  const notes: string[] = [];
  for (const [id, name] of mapping) {
    const version = versionOf(id, name) ?? 0;
    notes.push(`put ${id} ${version}`, `answered ${id} ${version}`);
  }
  for (const [day, entries] of days) {
    for (const { id, first, last, count } of entries)
      notes.push(`was ${id} ${day} ${first} ${last} ${count}`);
  }
  const held = before.filter((note) => note.startsWith('held '));
  for (const { id, shown } of provisional) {
    // A scan without a note was not acknowledged: the ledger lets it be there or not.
    const note = held.find((each) => each.startsWith(`held ${id} `) && each.endsWith(` ${shown}`));
    notes.push(`tapped ${id}`, ...(note === undefined ? [] : [note]));
  }
  return [...notes, `began ${Math.max(0, ...provisional.map(({ sequence }) => sequence))}`];
}
