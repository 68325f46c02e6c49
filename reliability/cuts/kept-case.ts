import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Outcome } from '../part.js';
import { Random } from '../random.js';
import { problemsOf } from '../verdict.js';
import { buildImage, type Cut } from './crash-image.js';
import { judgeImage } from './judge-image.js';
import { Recording } from './recording.js';

/** The moment of a cut, and the random choices of its disk. Together with the recording it can be judged again. */
export interface Case extends Cut {
  readonly seed: number;
}

/**
 * Keeps the files that reproduce a failure. Returns a description of the failure, with the command that reproduces
 * it.
 */
export async function keepCase(
  recording: Recording,
  cut: Case,
  problems: readonly string[],
): Promise<string> {
  // Not in the folder that is removed at the end, but beside it.
  const folder = await mkdtemp(join(dirname(tmpdir()), 'tallybook-cut-'));
  await recording.save(folder);
  await writeFile(join(folder, 'case.json'), JSON.stringify(cut));
  return (
    `cut ${JSON.stringify(cut)}: ${problems.slice(0, 5).join('\n  ')}\n` +
    `  again: npm run reliability -- cuts --replay ${folder}`
  );
}

/** Judges a kept case, and lists the content of the folder after the cut. */
export async function judgeAgain(folder: string): Promise<Outcome> {
  const recording = await Recording.load(folder);
  const cut = JSON.parse(await readFile(join(folder, 'case.json'), 'utf8')) as Case;
  const image = buildImage(recording.history, cut, new Random(cut.seed));
  for (const [path, content] of image) {
    console.error(`  ${path} ${content === 'folder' ? '' : `${content.length} bytes`}`);
  }
  return {
    figures: [{ what: 'cuts judged again', value: 1 }],
    failures: problemsOf(await judgeImage(image, recording.ledgerUntil(cut.at))),
  };
}
