import { setTimeout as pause } from 'node:timers/promises';
import type { PcscClient } from './pcsc-api.js';

/**
 * Clients that lost pcscd and cannot be stopped any more. They are kept, because `pcsc-mini` 0.1.3 throws when such a
 * client is collected as garbage, and nobody can catch that error. Each crash of pcscd adds one.
 */
const lostClients = new Set<PcscClient>();

/** Shortest time from the latest event of a client to its stop, in milliseconds. */
const SETTLED_MS = 100;

/**
 * Watches the events of a client that is not started yet. Returns the function that stops the client, {@link
 * SETTLED_MS} after its latest event at the earliest. While it stops, `pcsc-mini` blocks this process until its thread
 * ends. A thread that does not yet wait for the next event would notice the stop only after a minute.
 */
export function prepareStop(client: PcscClient): () => Promise<void> {
  let lastEventMs = performance.now();
  const takeNote = (): void => {
    lastEventMs = performance.now();
  };
  client.on('reader', (reader) => {
    takeNote();
    reader.on('change', takeNote);
    reader.on('disconnect', takeNote);
  });
  return async () => {
    const restMs = (): number => lastEventMs + SETTLED_MS - performance.now();
    while (restMs() > 0) await pause(restMs());
    stop(client);
  };
}

function stop(client: PcscClient): void {
  try {
    client.stop();
  } catch {
    client.removeAllListeners();
    lostClients.add(client);
  }
}
