import type {
  Backlog,
  Health,
  Provisional,
  ReaderState,
  ServiceStatus,
  ServiceTime,
  TallybookClient,
} from '@tallybook/client';

/** All that the service knows of itself. */
export interface CareState {
  readonly time: ServiceTime;
  readonly readers: readonly ReaderState[] | undefined;
  readonly backlog: Backlog;
  readonly provisional: Provisional;
  readonly status: ServiceStatus | undefined;
  readonly health: Health | undefined;
}

type Asked = 'readTime' | 'listReaders' | 'readBacklog' | 'listProvisional' | 'readStatus' | 'readHealth';

/**
 * Asks for all of it. A device app may leave out its readers, and how the program is doing.
 *
 * @param hasHealth Whether the service says how its parts are.
 */
export async function readCare(
  client: Pick<TallybookClient, Asked>,
  hasHealth: boolean,
  signal: AbortSignal,
): Promise<CareState> {
  const options = { signal };
  const [time, readers, backlog, provisional, status, health] = await Promise.all([
    client.readTime(options),
    client.listReaders(options).catch(() => undefined),
    client.readBacklog(options),
    client.listProvisional(options),
    client.readStatus(options).catch(() => undefined),
    hasHealth ? client.readHealth(options).catch(() => undefined) : undefined,
  ]);
  return { time, readers, backlog, provisional, status, health };
}
