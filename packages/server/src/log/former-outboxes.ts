import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { counted } from '@tallybook/domain';
import type { Log } from './log.js';

const MESSAGE = /^[0-9a-f]{8} \{"sequence":(\d+),/;
const REMOVED = /^[0-9a-f]{8} \{"gone":(\d+)\}/;

/**
 * Warns of messages in outboxes. Publishers kept messages there before there was a journal. Nobody publishes them any
 * more; the files are left unchanged.
 *
 * @param storeFolder `undefined` if the store is in memory.
 */
export async function warnOfFormerOutboxes(log: Log, storeFolder: string | undefined): Promise<void> {
  if (storeFolder === undefined) return;
  const folder = join(storeFolder, 'outbox');
  const publishers = await readdir(folder).catch(() => []);
  for (const publisher of publishers) {
    const file = join(folder, publisher, 'outbox.jsonl');
    const messages = await readFile(file, 'latin1').then(countMessages, () => 0);
    if (messages === 0) continue;
    log.warn(
      { file, messages },
      `${counted(messages, 'message')} of an earlier version in ${file} will not be published any more; remove ${folder} to end this warning`,
    );
  }
}

function countMessages(text: string): number {
  const sequences: number[] = [];
  let removed = 0;
  for (const line of text.split('\n')) {
    sequences.push(Number(MESSAGE.exec(line)?.[1] ?? 0));
    removed = Math.max(removed, Number(REMOVED.exec(line)?.[1] ?? 0));
  }
  return sequences.filter((sequence) => sequence > removed).length;
}
