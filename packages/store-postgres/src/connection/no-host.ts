import type { PostgresHost } from './postgres-url.js';

/** What a host was asked in vain, and why. */
export interface HostFailure {
  readonly host: PostgresHost;
  readonly error: unknown;
}

/** None of several hosts can be used: each for a reason of its own. */
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

/** What an error says in words. One of several addresses says nothing itself. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') {
    const reasons = error.errors.map(reasonOf).filter((reason) => reason !== '');
    return [...new Set(reasons)].join(', ');
  }
  return error instanceof Error ? error.message : '';
}
