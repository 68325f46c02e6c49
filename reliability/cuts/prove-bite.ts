import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Figure } from '../part.js';
import type { Random } from '../random.js';
import { buildFinal, buildImage } from './crash-image.js';
import { judgeImage } from './judge-image.js';
import { readStore } from './read-store.js';
import { newStore, Recording, STORE } from './recording.js';
import type { Tracer } from './tracer.js';
import { readTree, writeTree, type Tree } from './tree.js';

const CUTS = 40;

/** Breaks the promise on purpose, and says which breaches were not found. */
export async function proveBite(
  tracer: Tracer,
  random: Random,
): Promise<{ readonly figures: readonly Figure[]; readonly missed: readonly string[] }> {
  const unsynced = await Recording.make(tracer, newStore, random, { FAULT: 'no-sync' });
  let foundUnsynced = 0;
  for (let n = 0; n < CUTS; n++) {
    const cut = { at: unsynced.chooseCut(random), fileSystem: 'journal' } as const;
    const image = buildImage(unsynced.history, cut, random);
    if ((await judgeImage(image, unsynced.notesUntil(cut.at))).length > 0) foundUnsynced++;
  }
  const { found, tried } = await truncateEach(await Recording.make(tracer, newStore, random));
  const missed: string[] = [];
  if (foundUnsynced === 0) missed.push(`a store that does not sync was not found by ${CUTS} cuts`);
  if (found < tried) missed.push(`${tried - found} of ${tried} truncated data files were not found`);
  return {
    figures: [
      { what: 'cuts that found a store that does not sync, as they must', value: foundUnsynced },
      { what: 'truncated data files that were found, as they must be', value: found },
    ],
    missed,
  };
}

/** Halves each data file that counts, one at a time. */
async function truncateEach(
  recording: Recording,
): Promise<{ readonly found: number; readonly tried: number }> {
  const notes = recording.notesUntil(recording.history.length);
  const killed = buildFinal(recording.history);
  const settled = await settle(killed);
  const logs = filesOf(killed, /\.log$/).slice(-1);
  const others = filesOf(settled, /\.ldb$|MANIFEST/);
  const images = [...logs.map((log) => halve(killed, log)), ...others.map((file) => halve(settled, file))];
  let found = 0;
  for (const image of images) if ((await judgeImage(image, notes)).length > 0) found++;
  return { found, tried: images.length };
}

/** What is left when LevelDB has made a table of its log and removed what does not count any more. */
async function settle(tree: Tree): Promise<Tree> {
  const folder = await mkdtemp(join(tmpdir(), 'settled-'));
  await writeTree(folder, tree);
  for (let opening = 0; opening < 2; opening++) await readStore(join(folder, STORE));
  return readTree(folder);
}

function filesOf(tree: Tree, pattern: RegExp): readonly string[] {
  return [...tree.keys()].filter((path) => pattern.test(path) && tree.get(path)?.length !== 0).sort();
}

function halve(tree: Tree, path: string): Tree {
  const content = tree.get(path);
  if (content === undefined || content === 'folder') throw new Error(`${path} is no file`);
  return new Map([...tree, [path, content.subarray(0, content.length >> 1)]]);
}
