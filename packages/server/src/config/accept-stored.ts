import { isTallybookError } from '@tallybook/domain';
import type { Adapters } from './adapters.js';
import type { Written } from './find-setting.js';
import {
  checkStored,
  SETTINGS_FILE,
  storable,
  storedNames,
  type StoredName,
  type StoredSettings,
} from './stored-settings.js';

/** A setting that can be stored, as the service uses it. */
export interface SettingInUse extends Pick<Written, 'source' | 'where'> {
  /** Empty: it is not set. */
  readonly texts: readonly string[];
}

type Name = (typeof storable)[StoredName] | 'indicators' | 'publishers';

/**
 * The stored settings that are valid and not given otherwise.
 *
 * @param find Finds what a flag, a variable, the file or the default says.
 * @param warn Gets a line for each stored setting that is ignored.
 */
export function acceptStored(
  { texts, problems }: StoredSettings,
  adapters: Adapters,
  find: (name: Name) => Written,
  warn: (problem: string) => void = () => undefined,
): ReadonlyMap<StoredName, Written> {
  for (const problem of problems) warn(problem);
  const devices = { adapters, indicators: find('indicators').values, publishers: find('publishers').values };
  const accepted = new Map<StoredName, Written>();
  for (const name of storedNames) {
    const values = texts[name];
    if (values === undefined || find(storable[name]).source === 'given') continue;
    const where = `${SETTINGS_FILE}: ${name}`;
    try {
      checkStored(name, values, devices);
      accepted.set(name, { values, where, source: 'stored' });
    } catch (error) {
      if (!isTallybookError(error, 'INVALID_OPTION')) throw error;
      warn(`${where}: ignored: ${error.message}`);
    }
  }
  return accepted;
}
