import { get, type IncomingMessage } from 'node:http';
import type { Asking } from './ask.js';

/** Opens an event stream after an event; empty: from now on. Resolves with `undefined` if that fails. */
export function openStream(
  url: string,
  lastEventId: string,
  headers: Asking['headers'] = {},
): Promise<IncomingMessage | undefined> {
  return new Promise((resolve) => {
    const place = lastEventId === '' ? {} : { 'Last-Event-ID': lastEventId };
    get(`${url}/api/idevent`, { agent: false, headers: { ...headers, ...place } })
      .on('response', (response) => {
        if (response.statusCode !== 200) response.resume();
        resolve(response.statusCode === 200 ? response : undefined);
      })
      .on('error', () => resolve(undefined));
  });
}

/** Passes the blocks of an event stream, which is ended or cut off at some time. Resolves then. */
export async function hearBlocks(stream: IncomingMessage, hear: (block: string) => void): Promise<void> {
  let rest = '';
  stream.setEncoding('utf8').on('data', (piece: string) => {
    const blocks = (rest + piece).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) hear(block);
  });
  await new Promise((resolve) => stream.on('error', () => undefined).once('close', resolve));
}
