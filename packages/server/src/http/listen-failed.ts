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
