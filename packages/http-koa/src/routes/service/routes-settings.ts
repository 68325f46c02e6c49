import { quote, TallybookError, type AuditNotes } from '@tallybook/domain';
import type {
  BackupPlace,
  FoundReader,
  ReaderTrial,
  Settings as SettingsJson,
  StoredSetting,
} from '@tallybook/http-contract';
import { principalOf } from '../../access/principal-of.js';
import type { Shown } from '../../answers/json-of.js';
import { requireStill } from '../../held-right.js';
import { emptyAnswer, type Handlers } from '../implement.js';

/** Values that somebody wants to store, not yet checked; null is the default again. */
export type SettingChanges = Readonly<Partial<Record<StoredSetting, unknown>>>;

/** Settings that are stored with the record, and what is needed to choose them. */
export interface SettingsSource {
  /** Whether {@link restart} works: something starts the service again. */
  readonly canRestart: boolean;
  read(): Promise<Shown<SettingsJson>>;
  /**
   * Stores all of the changes, or none.
   *
   * Rejects with `INVALID_SETTING` if one is not allowed, and with `SETTING_FIXED` if it is given in another way.
   *
   * @param confirm Called before they are written. If it throws, nothing is written.
   */
  store(changes: SettingChanges, confirm: () => void): Promise<void>;
  findReaders(): Promise<readonly Shown<FoundReader>[]>;
  /**
   * Waits for one tag, which is not recorded. Rejects with `INVALID_SETTING` if there is no such reader, and with `READER_BUSY`
   * while another trial runs.
   *
   * @param signal Ends the trial.
   */
  tryReader(url: string, signal: AbortSignal): Promise<Shown<ReaderTrial>>;
  findBackupPlaces(): Promise<readonly BackupPlace[]>;
  /** Begins to stop the service. Call it only if {@link canRestart}. */
  restart(): void;
}

interface SettingDependencies {
  readonly settings: SettingsSource;
  readonly audit: AuditNotes | undefined;
}

/** Settings for the next start, trials of readers, and the restart. */
export function settingHandlers({
  settings,
  audit,
}: SettingDependencies): Handlers<
  | 'GET /api/settings'
  | 'PUT /api/settings'
  | 'GET /api/settings/readers'
  | 'POST /api/settings/reader-trial'
  | 'GET /api/settings/backup-places'
  | 'POST /api/restart'
> {
  return {
    'GET /api/settings': () => settings.read(),
    'PUT /api/settings': async ({ ctx, body }) => {
      await settings.store(body, () => requireStill(ctx));
      const isStored = Object.entries(body).map(([name, value]) => [name, value !== null] as const);
      await audit?.note(principalOf(ctx).name, 'settings-stored', Object.fromEntries(isStored));
      return settings.read();
    },
    'GET /api/settings/readers': () => settings.findReaders(),
    'POST /api/settings/reader-trial': async ({ ctx, body: { reader } }) => {
      if (typeof reader !== 'string')
        throw new TallybookError('INVALID_SETTING', `reader: must be a URL; got ${quote(reader)}`);
      const leaving = new AbortController();
      const leave = (): void => leaving.abort();
      // The request itself is closed as soon as its body is read.
      const { socket } = ctx.req;
      if (socket.destroyed) leave();
      socket.once('close', leave);
      try {
        const trial = await settings.tryReader(reader, leaving.signal);
        requireStill(ctx);
        return trial;
      } finally {
        socket.off('close', leave);
      }
    },
    'GET /api/settings/backup-places': () => settings.findBackupPlaces(),
    'POST /api/restart': async ({ ctx }) => {
      if (!settings.canRestart)
        throw new TallybookError(
          'RESTART_UNAVAILABLE',
          'systemd does not supervise this service, so nothing would start it again; restart it in the way in which it was started',
        );
      const noted = audit?.note(principalOf(ctx).name, 'restarted');
      settings.restart();
      await noted;
      return emptyAnswer(202);
    },
  };
}
