import { isTallybookError, quote, TallybookError, type Clock } from '@tallybook/domain';
import { Gate } from '@tallybook/domain/record';
import type { SettingChanges, SettingsSource } from '@tallybook/http-koa';
import type { Config, StoredInUse } from '../config/config.js';
import type { Setting } from '../config/setting.js';
import { settingsOf } from '../config/settings.js';
import {
  checkStored,
  readSettingsIn,
  storable,
  storedNames,
  textsOf,
  valueOf,
  writeSettings,
  type StoredName,
  type StoredTexts,
} from '../config/stored-settings.js';
import type { SurveyPart } from '../doctor/device-survey.js';
import type { RestartRequest } from '../systemd/restart-request.js';
import { findBackupPlaces } from './backup-places.js';
import { ReaderTrials, type ReaderTrialParts } from './reader-trials.js';
import { requireOutside, requireWritableFolder } from './writable-folder.js';

export interface SettingsKeeperParts extends Omit<ReaderTrialParts, 'registry' | 'urls'> {
  readonly config: Config;
  /** Those of the configuration. */
  readonly stored: StoredInUse;
  readonly clock: Clock;
  readonly restart: RestartRequest;
  /** Looks for devices. Default: those of this machine. */
  readonly survey?: () => Promise<readonly SurveyPart[]>;
}

/** Keeps settings in the folder of a store, for the next start, and has what is needed to choose them. */
export class SettingsKeeper implements SettingsSource {
  readonly #parts: SettingsKeeperParts;
  readonly #trials: ReaderTrials;
  /** One change at a time, because each one replaces the whole file. */
  readonly #changes = new Gate(1);

  constructor(parts: SettingsKeeperParts) {
    this.#parts = parts;
    const { adapters, readers } = parts.config;
    this.#trials = new ReaderTrials({ ...parts, registry: adapters.readers, urls: readers });
  }

  get canRestart(): boolean {
    return this.#parts.restart.isPossible;
  }

  restart(): void {
    this.#parts.restart.ask();
  }

  read(): ReturnType<SettingsSource['read']> {
    const { folder, inUse } = this.#parts.stored;
    const { texts, isThere } = readSettingsIn(folder);
    return Promise.resolve({
      settings: storedNames.map((name) => ({
        ...{ name, source: inUse[name].source },
        inUse: valueOf(name, inUse[name].texts),
        stored: valueOf(name, texts[name]),
      })),
      isAsked: isThere,
      needsRestart: storedNames.some((name) => this.#willChange(name, texts)),
      canRestart: this.canRestart,
      systemZone: new Intl.DateTimeFormat('en').resolvedOptions().timeZone,
    });
  }

  async store(changes: SettingChanges, confirm: () => void): Promise<void> {
    const { folder } = this.#parts.stored;
    const changed = storedNames.flatMap((name) =>
      changes[name] === undefined ? [] : [[name, this.#toTexts(name, changes[name])] as const],
    );
    const backup = changed.find(([name]) => name === 'backup')?.[1]?.[0];
    if (backup !== undefined) {
      try {
        await requireOutside(folder, backup);
        await requireWritableFolder(backup);
      } catch (error) {
        throw refusalOf('backup', error);
      }
    }
    await this.#changes.run(async () => {
      const { texts, others } = readSettingsIn(folder);
      confirm();
      try {
        await writeSettings({ folder, others, texts: { ...texts, ...Object.fromEntries(changed) } });
      } catch (cause) {
        const reason = (cause as Error).message;
        throw new TallybookError(
          'STORE_WRITE_FAILED',
          `the settings in ${folder} cannot be written: ${reason}`,
          { cause },
        );
      }
    });
  }

  async findReaders(): ReturnType<SettingsSource['findReaders']> {
    const { survey = surveyHere } = this.#parts;
    const parts = await survey();
    const found = parts.flatMap(({ title, devices }) => devices.map((device) => ({ title, ...device })));
    return Promise.all(
      found.map(async ({ title, url, path, label, access, holder }) => ({
        ...{ title, url, path, label, holder },
        isUsable: access.isAllowed,
        why: access.isAllowed ? undefined : `${access.why}; ${access.remedy}`,
        isInUse: await this.#trials.isInUse(url),
      })),
    );
  }

  tryReader(url: string, signal: AbortSignal): ReturnType<SettingsSource['tryReader']> {
    return this.#trials.run(url, signal);
  }

  findBackupPlaces(): ReturnType<SettingsSource['findBackupPlaces']> {
    return findBackupPlaces(this.#parts.stored.folder);
  }

  /** Whether the next start uses another value than now. It ignores a stored value that is not valid. */
  #willChange(name: StoredName, stored: StoredTexts): boolean {
    const { texts, source } = this.#parts.stored.inUse[name];
    if (source === 'given') return false;
    return JSON.stringify(this.#valid(name, stored[name]) ?? this.#defaultOf(name)) !== JSON.stringify(texts);
  }

  #valid(name: StoredName, texts: readonly string[] | undefined): readonly string[] | undefined {
    try {
      if (texts !== undefined) checkStored(name, texts, this.#parts.config);
      return texts;
    } catch (error) {
      if (!isTallybookError(error, 'INVALID_OPTION')) throw error;
      return undefined;
    }
  }

  #defaultOf(name: StoredName): readonly string[] {
    const setting: Setting = settingsOf(this.#parts.config.adapters)[storable[name]];
    return [setting.default].flat().filter((text) => text !== '');
  }

  /**
   * The texts of a new value; `undefined` for the default.
   *
   * @throws {TallybookError} `INVALID_SETTING` or `SETTING_FIXED`
   */
  #toTexts(name: StoredName, value: unknown): readonly string[] | undefined {
    const { source, where } = this.#parts.stored.inUse[name];
    if (source === 'given')
      throw new TallybookError('SETTING_FIXED', `${name}: ${where} gives it, which wins; change it there`, {
        details: { field: name },
      });
    const texts = value === null ? undefined : textsOf(name, value)?.map((text) => text.trim());
    if (value !== null && texts === undefined) {
      const allowed = name === 'readers' ? 'must be a list of URLs, at least one' : 'must be a text';
      throw refusalOf(name, new TallybookError('INVALID_OPTION', `${allowed}, or null; got ${quote(value)}`));
    }
    try {
      // The default readers too have to fit to the lights and the buzzers.
      if (texts !== undefined || name === 'readers')
        checkStored(name, texts ?? this.#defaultOf(name), this.#parts.config);
    } catch (error) {
      throw refusalOf(name, error);
    }
    return texts;
  }
}

/** Loaded only when somebody asks for devices. */
async function surveyHere(): Promise<readonly SurveyPart[]> {
  const { surveyDevices } = await import('../doctor/device-survey.js');
  return surveyDevices();
}

/** The error for whoever chose the value; every other error as it is. */
function refusalOf(name: StoredName, error: unknown): unknown {
  if (!isTallybookError(error, 'INVALID_OPTION')) return error;
  return new TallybookError('INVALID_SETTING', `${name}: ${error.message}`, {
    ...{ cause: error, details: { field: name } },
  });
}
