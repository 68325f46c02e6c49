import { invalidOption } from '@tallybook/devices';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TallybookError } from '@tallybook/domain';
import { makesStoreFolder, storeFolderOf } from '../../config/stores.js';
import type { OwnerClient } from '../../control/owner-client.js';
import { SETUP_CODE_FILE } from '../../control/setup-code-file.js';

const START = 'start it with "sudo systemctl start tallybook" or "tallybook serve"';

/** Rejects with `STORE_UNAVAILABLE` if there is no store in the folder: the first start of the service makes it. */
export async function requireStarted(store: string): Promise<void> {
  const path = storeFolderOf(store);
  if (path === undefined || !(await makesStoreFolder(store))) return;
  const message = `the service has not started yet: ${START}. There is no store at ${path}; choose another one with --store`;
  throw new TallybookError('STORE_UNAVAILABLE', message, { details: { path } });
}

/**
 * The setup code of the service that has a store open. Rejects with `INVALID_OPTION` and the reason if there is none.
 */
export async function readSetupCode(store: string, client: OwnerClient, isRunning: boolean): Promise<string> {
  const { access } = await client.get<{ readonly access: string }>('/api/session');
  const { length } = await client.get<readonly unknown[]>('/api/users');
  if (length > 0) throw none('the service has users already; add another one with "tallybook user add"');
  if (storeFolderOf(store) === undefined)
    throw none('only the log of a service on PostgreSQL has it; or add a user with "tallybook user add"');
  if (!isRunning)
    throw none(
      `the service does not run, and makes a new code whenever it starts: ${START}; or add a user with "tallybook user add"`,
    );
  if (access !== 'unclaimed') throw none('the service is open to everybody who reaches it, and needs none');
  try {
    return (await readFile(join(storeFolderOf(store) ?? '', SETUP_CODE_FILE), 'utf8')).trim();
  } catch (cause) {
    throw new TallybookError(
      'STORE_UNAVAILABLE',
      `the setup code cannot be read: ${(cause as Error).message}; the log of the service has it, too`,
      { cause },
    );
  }
}

function none(reason: string): TallybookError {
  return invalidOption(`there is no setup code: ${reason}`);
}
