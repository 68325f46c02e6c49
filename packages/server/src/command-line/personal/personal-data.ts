import type { Name, TallyId } from '@tallybook/domain';
import type { FoundTag } from '@tallybook/domain/record';
import type { ErasureReport } from '@tallybook/domain/personal';
import type { Config } from '../../config/config.js';
import type { ToldRetention } from './describe-personal.js';

/** The part of the configuration that these commands use. */
export type PersonalConfig = Pick<
  Config,
  'store' | 'clock' | 'zone' | 'dayStart' | 'keep' | 'backupFolder' | 'readers'
>;

/** The data of persons, for commands. */
export interface PersonalData {
  /** The place where backups are searched: `in FOLDER`; `undefined` if nowhere. */
  readonly searched: string | undefined;
  /** Whether the store is in a database, so that its files are not under the control of this program. */
  readonly isInDatabase: boolean;
  /** The tags that a text may mean: one, or several of which a person must choose. */
  look(text: string, format: string | undefined): Promise<readonly FoundTag[]>;
  erase(ids: readonly TallyId[], options: { readonly isDryRun: boolean }): Promise<ErasureReport>;
  /** The name of a tag; `undefined` if it has no name. */
  nameOf(id: TallyId): Promise<Name | undefined>;
  /** All data of a tag, piece by piece. */
  person(id: TallyId): AsyncIterable<string | Uint8Array>;
  retention(options: { readonly isDryRun: boolean; readonly isConfirmed: boolean }): Promise<ToldRetention>;
}
