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
 * Takes note of the events of a client, which is not started yet, and gives what lets pcscd go: no sooner than a moment
 * after the latest of them. `pcsc-mini` waits, with all of this process, for its thread to end; and one that does not yet
 * wait for the next event does not notice that it is to end, for a minute.
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
