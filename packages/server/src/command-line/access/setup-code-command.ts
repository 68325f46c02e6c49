import { invalidOption } from '@tallybook/devices';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TallybookError } from '@tallybook/domain';
import { storeFolderOf } from '../../config/stores.js';
import type { OwnerClient } from '../../control/owner-client.js';
import { SETUP_CODE_FILE } from '../../control/setup-code-file.js';

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
      'the service does not run, and makes a new code whenever it starts; or add a user with "tallybook user add"',
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
