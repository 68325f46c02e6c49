import type {
  Backlog,
  Health,
  Provisional,
  ReaderState,
  ServiceStatus,
  ServiceTime,
  Station,
  TallybookClient,
} from '@tallybook/client';

/** The state of the service, from several answers. */
export interface SystemState {
  readonly time: ServiceTime;
  readonly readers: readonly ReaderState[] | undefined;
  readonly backlog: Backlog;
  readonly provisional: Provisional;
  readonly status: ServiceStatus | undefined;
  readonly health: Health | undefined;
  /** The stations of this centre; none if this is no centre, or the user may not see them. */
  readonly stations: readonly Station[];
}

/**
 * Reads the whole state. A device app may have no readers and no status.
 *
 * @param asks Whether to read health and stations, which a device app does not have.
 */
export async function readSystem(
  client: Pick<TallybookClient, 'get'>,
  asks: { readonly health: boolean; readonly stations: boolean },
  signal: AbortSignal,
): Promise<SystemState> {
  const options = { signal };
  const [time, readers, backlog, provisional, status, health, stations] = await Promise.all([
    client.get('/api/time', options),
    client.get('/api/readers', options).catch(() => undefined),
    client.get('/api/backlog', options),
    client.get('/api/provisional', options),
    client.get('/api/status').catch(() => undefined),
    asks.health ? client.get('/api/health', options).catch(() => undefined) : undefined,
    asks.stations ? client.get('/api/stations').catch(() => []) : [],
  ]);
  return { time, readers, backlog, provisional, status, health, stations };
}
