import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { SyncSnapshotPart } from '@tallybook/domain/sync';
import type Koa from 'koa';
import type { Downloads } from '../../answers/downloads.js';
import { fileHeaders } from '../file-headers.js';

/** Number of parts in one piece of an answer. */
const PARTS_OF_PIECE = 200;

/**
 * Sends a snapshot as JSON Lines. It is compressed if the station accepts that: names and corrections shrink to an
 * eighth.
 */
export async function sendSnapshot(
  ctx: Koa.Context,
  parts: AsyncIterable<SyncSnapshotPart>,
  downloads: Downloads,
): Promise<void> {
  const isCompressed = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
  await downloads.send(ctx, {
    headers: {
      ...fileHeaders('application/jsonl', 'tallybook-sync.jsonl'),
      Vary: 'Accept-Encoding',
      ...(isCompressed && { 'Content-Encoding': 'gzip' }),
    },
    write: () => (isCompressed ? compressed(linesOf(parts)) : linesOf(parts)),
  });
}

async function* linesOf(parts: AsyncIterable<SyncSnapshotPart>): AsyncGenerator<string, void, undefined> {
  let piece = '';
  let count = 0;
  for await (const part of parts) {
    piece += `${JSON.stringify(part)}\n`;
    if (++count % PARTS_OF_PIECE !== 0) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

async function* compressed(pieces: AsyncGenerator<string>): AsyncGenerator<Uint8Array, void, undefined> {
  const gzip = createGzip();
  // If the pipeline fails, reading the compressed bytes fails with the same error.
  const feeding = pipeline(Readable.from(pieces), gzip).catch(() => undefined);
  try {
    yield* gzip as AsyncIterable<Uint8Array>;
  } finally {
    gzip.destroy();
    await feeding;
  }
}
