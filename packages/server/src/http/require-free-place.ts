import { once } from 'node:events';
import { createServer } from 'node:net';
import { listenFailed } from './listen-failed.js';

/**
 * Checks that the server can listen there, before it writes anything. Another program may still take the port afterwards.
 *
 * Rejects with `LISTEN_FAILED`.
 */
export async function requireFreePlace(host: string, port: number): Promise<void> {
  const server = createServer().listen(port, host);
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw listenFailed(host, port, cause as NodeJS.ErrnoException);
  }
  await new Promise((resolve) => server.close(resolve));
}
