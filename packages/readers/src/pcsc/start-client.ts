import type { PcscClient } from './pcsc-api.js';
import { codeOf, createServiceFault } from './pcsc-fault.js';

/**
 * Connects a client with pcscd.
 *
 * @throws {TallybookError} `READER_DISCONNECTED` if pcscd does not run, or lets nobody in.
 */
export function startClient(client: PcscClient, match: string): void {
  try {
    startInsistently(client);
  } catch (cause) {
    throw createServiceFault(match, cause);
  }
}

/** The library gives the same error for a pcscd that refuses and for one that ended meanwhile; the latter does not refuse again. */
function startInsistently(client: PcscClient): void {
  try {
    client.start();
  } catch (error) {
    if (codeOf(error) !== 'SecurityViolation') throw error;
    client.start();
  }
}
