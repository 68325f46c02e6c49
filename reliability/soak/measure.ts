import { cp, readdir, stat } from 'node:fs/promises';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Level } from 'level';
import { ScratchFolder } from '../scratch-folder.js';

/** Open resources of this process. */
export interface Open {
  /** File descriptors. */
  readonly descriptors: number;
  /** Timers, sockets and requests, which keep an event loop alive. */
  readonly handles: number;
}

/** Memory and open resources of this process after a garbage collection. */
export interface Held extends Open {
  /** Bytes of JavaScript objects. */
  readonly heap: number;
  /** Bytes of buffers, which are outside of the heap. */
  readonly buffers: number;
  readonly rss: number;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

export function measureHeld(): Held {
  // Objects that a finaliser releases in one collection are freed in the next one.
  collectGarbage();
  collectGarbage();
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
  return { heap: heapUsed, buffers: arrayBuffers, rss, ...countOpen() };
}

export function countOpen(): Open {
  return {
    // One of them is the descriptor of the folder that is being read.
    descriptors: readdirSync('/proc/self/fd').length - 1,
    handles: process.getActiveResourcesInfo().length,
  };
}

/** Size of a closed store on the disk, and size of its rows alone, in bytes. */
export async function measureStore(path: string): Promise<{ readonly disk: number; readonly data: number }> {
  let disk = 0;
  for (const name of await readdir(path)) disk += (await stat(join(path, name))).size;
  // Opening changes the files, so a copy is opened.
  await using copy = new ScratchFolder('measured-store-');
  await cp(path, copy.path, { recursive: true });
  return { disk, data: await sumRows(copy.path) };
}

async function sumRows(path: string): Promise<number> {
  const options = { keyEncoding: 'buffer', valueEncoding: 'buffer', createIfMissing: false } as const;
  const level = new Level<Buffer, Buffer>(path, options);
  let bytes = 0;
  for await (const [key, value] of level.iterator()) bytes += key.length + value.length;
  await level.close();
  return bytes;
}
