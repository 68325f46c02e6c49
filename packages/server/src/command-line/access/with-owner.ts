import { invalidOption } from '@tallybook/devices';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAll } from '@tallybook/domain';
import { loadConfig } from '../../config/config.js';
import { requireStore, storeFolderOf } from '../../config/stores.js';
import { ControlSocket } from '../../control/control-socket.js';
import { OwnerClient } from '../../control/owner-client.js';
import { advising, warnOfUnknownEnd } from '../of-command.js';
import { createContainer } from '../../wiring/container.js';
import { serviceId } from '../../wiring/services.js';

/** A client of the service that has a store open; `undefined` if none answers. */
export async function findOwner(store: string): Promise<OwnerClient | undefined> {
  const folder = storeFolderOf(store);
  if (folder === undefined) return undefined;
  const client = new OwnerClient(folder);
  return (await client.isAnswered()) ? client : undefined;
}

/**
 * Does work with the service that has a store open, with the rights of its owner. If there is none, this process opens the
 * store as the service, and accepts no other clients.
 *
 * @param store Store URL. Rejects with `STORE_UNAVAILABLE` if there is no such store and it may not be made, with
 * `INVALID_OPTION` if it is in memory, and with the errors of opening it and of the work.
 */
export async function withOwner<T>(
  store: string,
  { makesStore }: { readonly makesStore: boolean },
  work: (client: OwnerClient, isRunning: boolean) => Promise<T>,
): Promise<T> {
  if (store.startsWith('memory:')) {
    throw invalidOption('a store in memory belongs to one process: choose one on a disk with --store');
  }
  if (!makesStore) await requireStore(store);
  const running = await findOwner(store);
  if (running !== undefined) return work(running, true);
  const ofStore = storeFolderOf(store);
  if (ofStore !== undefined) return workAlone(store, ofStore, work);
  // A store that is not in a folder has no place for a socket. A temporary folder is enough, because only this process
  // uses the socket.
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
  // The log is silent.
  const notices = container.get(serviceId('storeNotices'));
  const take = notices.take.bind(notices);
  notices.take = (notice) => {
    take(notice);
    warnOfUnknownEnd(notice);
  };
  const app = container.get(serviceId('app'));
  const socket = new ControlSocket(app.callback(), folder);
  const parts = [container.get(serviceId('storage')), container.get(serviceId('tallybook')).access];
  const advice =
    ', and nothing answers at its control.sock: stop that program, or try again when it has started';
  await using _opened = await advising(advice, () => openAll([...parts, socket]));
  return await work(new OwnerClient(folder), false);
}
