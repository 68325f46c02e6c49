import type { PcscClient } from './pcsc-api.js';

/**
 * Clients that lost pcscd, which cannot be stopped any more. They are kept: when one is collected as garbage,
 * `pcsc-mini` 0.1.3 throws, where nobody can catch it. There is one for each time that pcscd crashed.
 */
const lostClients = new Set<PcscClient>();

/**
 * Lets pcscd go. To be called no sooner than 100 ms after the latest event: `pcsc-mini` waits, with all of this process,
 * for its thread to end; and one that does not yet wait for the next event does not notice that it is to end, for a
 * minute.
 */
export function stopClient(client: PcscClient): void {
  try {
    client.stop();
  } catch {
    client.removeAllListeners();
    lostClients.add(client);
  }
}
