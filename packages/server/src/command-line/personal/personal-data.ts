import type { ErasureReport, Name, TallyId } from '@tallybook/domain';
import type { Config } from '../../config/config.js';
import type { ToldRetention } from './describe-personal.js';

/** What of the configuration these commands go by. */
export type PersonalConfig = Pick<Config, 'store' | 'clock' | 'zone' | 'dayStart' | 'keep' | 'backupFolder'>;

/** What commands do with the data of persons. */
export interface PersonalData {
  /** Where backups are searched: `in FOLDER`; `undefined` if nowhere. */
  readonly searched: string | undefined;
  /** Whether the store is in a database, whose files are not those of this program. */
  readonly isInDatabase: boolean;
  erase(ids: readonly TallyId[], options: { readonly isDryRun: boolean }): Promise<ErasureReport>;
  /** Whose tag it is; `undefined` if it has no name. */
  nameOf(id: TallyId): Promise<Name | undefined>;
  /** Everything that is kept of a tag, piece by piece. */
  person(id: TallyId): AsyncIterable<string | Uint8Array>;
  retention(options: { readonly isDryRun: boolean; readonly isConfirmed: boolean }): Promise<ToldRetention>;
}
