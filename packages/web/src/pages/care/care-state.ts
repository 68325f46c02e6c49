import type {
  Backlog,
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
}

type Asked = 'readTime' | 'listReaders' | 'readBacklog' | 'listProvisional' | 'readStatus';

/** Asks for all of it. A device app may leave out its readers, and how the program is doing. */
export async function readCare(
  client: Pick<TallybookClient, Asked>,
  signal: AbortSignal,
): Promise<CareState> {
  const options = { signal };
  const [time, readers, backlog, provisional, status] = await Promise.all([
    client.readTime(options),
    client.listReaders(options).catch(() => undefined),
    client.readBacklog(options),
    client.listProvisional(options),
    client.readStatus(options).catch(() => undefined),
  ]);
  return { time, readers, backlog, provisional, status };
}
