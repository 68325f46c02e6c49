import type { PcscClient } from './pcsc-api.js';
import { codeOf, createServiceFault } from './pcsc-fault.js';

/**
 * Connects a client with pcscd.
 *
 * @throws {TallybookError} `READER_DISCONNECTED` if pcscd does not run, or refuses this user.
 */
export function startClient(client: PcscClient, match: string): void {
  try {
    startInsistently(client);
  } catch (cause) {
    throw createServiceFault(match, cause);
  }
}

/**
 * The library gives the same error if pcscd refuses and if pcscd ended meanwhile. In the second case, the second
 * attempt gives another error.
 */
function startInsistently(client: PcscClient): void {
  try {
    client.start();
  } catch (error) {
    if (codeOf(error) !== 'SecurityViolation') throw error;
    client.start();
  }
}
