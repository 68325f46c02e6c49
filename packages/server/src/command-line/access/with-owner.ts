import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isTallybookError, openAll, TallybookError } from '@tallybook/domain';
import { loadConfig } from '../../config/config.js';
import { requireStore, storeFolderOf } from '../../config/stores.js';
import { ControlSocket } from '../../control/control-socket.js';
import { OwnerClient } from '../../control/owner-client.js';
import { createContainer } from '../../wiring/container.js';
import { serviceId } from '../../wiring/services.js';

/** The service that has a store open, for its owner; `undefined` if none answers. */
export async function findOwner(store: string): Promise<OwnerClient | undefined> {
  const folder = storeFolderOf(store);
  if (folder === undefined) return undefined;
  const client = new OwnerClient(folder);
  return (await client.isAnswered()) ? client : undefined;
}

/**
 * Asks the service that has a store open, on behalf of its owner. If there is none, this process is the service meanwhile, and
 * listens to nobody else.
 *
 * @param store Store URL. Rejects with `STORE_UNAVAILABLE` if there is no such store and it may not be made, with
 *   `INVALID_OPTION` if it is in memory, as opening it does, and as the work does.
 */
export async function withOwner<T>(
  store: string,
  { makesStore }: { readonly makesStore: boolean },
  work: (client: OwnerClient, isRunning: boolean) => Promise<T>,
): Promise<T> {
  if (store.startsWith('memory:')) {
    throw new TallybookError(
      'INVALID_OPTION',
      'a store in memory belongs to one process: choose one on a disk with --store',
    );
  }
  if (!makesStore) await requireStore(store);
  const running = await findOwner(store);
  if (running !== undefined) return work(running, true);
  const ofStore = storeFolderOf(store);
  if (ofStore !== undefined) return workAlone(store, ofStore, work);
  // A store that is not in a folder has no place for a socket; nobody but this process needs one.
  const folder = await mkdtemp(join(tmpdir(), 'tallybook-'));
  try {
    return await workAlone(store, folder, work);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function workAlone<T>(
  store: string,
  folder: string,
  work: (client: OwnerClient, isRunning: boolean) => Promise<T>,
): Promise<T> {
  const container = createContainer(loadConfig({ store, logLevel: 'silent' }, {}));
  const app = container.get(serviceId('app'));
  const socket = new ControlSocket(app.callback(), folder);
  const parts = (['accessStore', 'auditStore', 'stationStore', 'access'] as const).map((name) =>
    container.get(serviceId(name)),
  );
  const opened = await openAll([...parts, socket]).catch((error: unknown) => {
    throw isTallybookError(error, 'STORE_LOCKED') ? explained(error) : error;
  });
  try {
    return await work(new OwnerClient(folder), false);
  } finally {
    await opened.close();
  }
}

function explained(locked: TallybookError): TallybookError {
  const message = `${locked.message}, and nothing answers at its control.sock: stop that program, or try again when it has started`;
  return new TallybookError('STORE_LOCKED', message, { cause: locked, details: locked.details });
}
