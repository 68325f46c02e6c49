import { once } from 'node:events';
import { createServer } from 'node:net';
import { TallybookError } from '@tallybook/domain';

/** The error for people when the service cannot listen. */
export function listenFailed(host: string, port: number, cause: NodeJS.ErrnoException): TallybookError {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: 'another program listens there; choose another --port',
    EACCES: 'ports below 1024 need a right of their own; choose another --port',
    EADDRNOTAVAIL: 'this machine has no such address; choose another --host',
    ENOTFOUND: 'there is no such host; choose another --host',
  };
  const reason = reasons[cause.code ?? ''] ?? cause.message;
  return new TallybookError('LISTEN_FAILED', `cannot listen on ${host} port ${port}: ${reason}`, {
    cause,
    details: { host, port },
  });
}

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
