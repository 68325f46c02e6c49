import type {
  Backlog,
  Provisional,
  ReaderState,
  ServiceStatus,
  ServiceTime,
  TallybookClient,
} from '@tallybook/client';

import { readHealth, type HealthInfo } from '../../requests/health-calls.js';
import type { JsonCalls } from '../../requests/json-calls.js';

/** All that the service knows of itself. */
export interface CareState {
  readonly time: ServiceTime;
  readonly readers: readonly ReaderState[] | undefined;
  readonly backlog: Backlog;
  readonly provisional: Provisional;
  readonly status: ServiceStatus | undefined;
  readonly health: HealthInfo | undefined;
}

type Asked = 'readTime' | 'listReaders' | 'readBacklog' | 'listProvisional' | 'readStatus';

/**
 * Asks for all of it. A device app may leave out its readers, and how the program is doing.
 *
 * @param calls `undefined` where the service does not say how its parts are.
 */
export async function readCare(
  client: Pick<TallybookClient, Asked>,
  calls: JsonCalls | undefined,
  signal: AbortSignal,
): Promise<CareState> {
  const options = { signal };
  const [time, readers, backlog, provisional, status, health] = await Promise.all([
    client.readTime(options),
    client.listReaders(options).catch(() => undefined),
    client.readBacklog(options),
    client.listProvisional(options),
    client.readStatus(options).catch(() => undefined),
    calls && readHealth(calls).catch(() => undefined),
  ]);
  return { time, readers, backlog, provisional, status, health };
}
