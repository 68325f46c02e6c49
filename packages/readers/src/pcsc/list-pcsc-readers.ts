import { setTimeout as pause } from 'node:timers/promises';
import type { TallybookError } from '@tallybook/domain';
import { loadPcsc } from './load-pcsc.js';
import type { Pcsc } from './pcsc-api.js';
import { createLossFault } from './pcsc-fault.js';
import { startClient } from './start-client.js';
import { prepareStop } from './stop-client.js';

/** Longest wait for the list of readers from pcscd. It comes at once if there is a reader. */
const FIND_MS = 500;

/**
 * The names of the connected PC/SC readers.
 *
 * Rejects with `INVALID_OPTION` if the package `pcsc-mini` cannot be loaded, and with `READER_DISCONNECTED` if pcscd
 * cannot be reached.
 */
export async function listPcscReaders(load: () => Promise<Pcsc> = loadPcsc): Promise<readonly string[]> {
  const { Client } = await load();
  const client = new Client();
  const stop = prepareStop(client);
  const names = new Set<string>();
  client.on('reader', (reader) => names.add(reader.name()));
  const failed = new Promise<TallybookError>((resolve) => {
    client.on('error', (cause) => {
      resolve(createLossFault('', cause));
    });
  });
  startClient(client, '');
  const fault = await Promise.race([failed, pause(FIND_MS)]);
  await stop();
  if (fault !== undefined) throw fault;
  return [...names];
}
