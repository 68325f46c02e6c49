import { setTimeout as pause } from 'node:timers/promises';
import type { PcscClient } from './pcsc-api.js';

/**
 * Clients that lost pcscd, which cannot be stopped any more. They are kept: when one is collected as garbage,
 * `pcsc-mini` 0.1.3 throws, where nobody can catch it. There is one for each time that pcscd crashed.
 */
const lostClients = new Set<PcscClient>();

/** How long after its latest event a client may be stopped. */
const SETTLED_MS = 100;

/**
 * Watches the events of a client that is not started yet, and returns the function that stops it, a moment after its latest
 * event at the earliest. To stop, `pcsc-mini` blocks this process until its thread ends; a thread that does not yet wait for
 * the next event would notice that only after a minute.
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
