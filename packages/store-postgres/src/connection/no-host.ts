import type { PostgresHost } from './postgres-url.js';

/** A host that could not be used, and the reason. */
export interface HostFailure {
  readonly host: PostgresHost;
  readonly error: unknown;
}

/** None of several hosts can be used. Each has its own reason. */
export class NoHostError extends Error {
  readonly failures: readonly HostFailure[];

  constructor(failures: readonly HostFailure[]) {
    const each = failures.map(({ host: { host, port }, error }) => {
      const name = host.includes(':') ? `[${host}]` : host;
      return `${name}:${port}: ${reasonOf(error)}`;
    });
    super(`no host can be used (${each.join('; ')})`, { cause: failures.at(-1)?.error });
    this.failures = failures;
  }
}

/** The message of an error. The error of a host with several addresses has no message of its own. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') {
    const reasons = error.errors.map(reasonOf).filter((reason) => reason !== '');
    return [...new Set(reasons)].join(', ');
  }
  return error instanceof Error ? error.message : '';
}
