import { readFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { invalidOption } from '@tallybook/devices';
import { quote } from '@tallybook/domain';
import type { SettingChanges } from '@tallybook/http-koa';
import type { Adapters } from './adapters.js';
import { checkDevices } from './check-devices.js';
import type { Setting } from './setting.js';
import { settingsOf } from './settings.js';
import { storeFolderOf } from './stores.js';

/** The name of the file with the stored settings, in the folder of a store. */
export const SETTINGS_FILE = 'settings.json';
/** Its name while it is being written. `store-level` knows both names. */
const UNFINISHED = '.settings.json.unfinished';

/** The name of a setting that can be stored, in the file and over HTTP. */
export type StoredName = keyof SettingChanges;

/** The names of the settings that can be stored, with those in the configuration. */
export const storable = {
  name: 'name',
  zone: 'zone',
  dayStart: 'dayStart',
  keep: 'keep',
  keepGuests: 'keepGuests',
  readers: 'readers',
  backup: 'backupFolder',
} as const satisfies Readonly<Record<StoredName, string>>;

export const storedNames: readonly StoredName[] = Object.keys(storable) as StoredName[];

/** Stored values as text; `readers` may have several. */
export type StoredTexts = Readonly<Partial<Record<StoredName, readonly string[]>>>;

/** What the file has. */
export interface StoredSettings {
  /** The folder of the store. */
  readonly folder: string;
  /** Whether there is a file. */
  readonly isThere: boolean;
  readonly texts: StoredTexts;
  /** Other members, perhaps of a later version. They stay. */
  readonly others: Readonly<Record<string, unknown>>;
  /** What is ignored, and why. */
  readonly problems: readonly string[];
}

/** The stored settings of the store of a URL; `undefined` if this kind of store has none. Never throws. */
export function readStoredSettings(store: string): StoredSettings | undefined {
  const folder = storeFolderOf(store);
  return folder === undefined ? undefined : readSettingsIn(folder);
}

/** The stored settings in the folder of a store. Never throws: what cannot be read is ignored. */
export function readSettingsIn(folder: string): StoredSettings {
  const path = join(folder, SETTINGS_FILE);
  const nothing = { folder, isThere: true, texts: {}, others: {} };
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path)));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { ...nothing, isThere: false, problems: [] };
    return { ...nothing, problems: [`${path}: ignored, because it cannot be read: ${message}`] };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { ...nothing, problems: [`${path}: ignored, because it is not a JSON object`] };
  const texts: Partial<Record<StoredName, readonly string[]>> = {};
  const others: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [key, each] of Object.entries(value)) {
    const name = storedNames.find((known) => known === key);
    const found = name && textsOf(name, each);
    if (name !== undefined && found !== undefined) texts[name] = found;
    else
      problems.push(
        `${path}: ${key}: ignored, because ${name ? 'it is not a text' : 'there is no such setting'}`,
      );
    if (name === undefined) others[key] = each;
  }
  return { folder, isThere: true, texts, others, problems };
}

/** The texts of a value as JSON has it; `undefined` if the setting cannot have it. */
export function textsOf(name: StoredName, value: unknown): readonly string[] | undefined {
  if (name !== 'readers') return typeof value === 'string' ? [value] : undefined;
  const isList = Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string');
  return isList ? value : undefined;
}

/** The value of a setting as JSON has it; `undefined` if it is not set. */
export function valueOf(
  name: StoredName,
  texts: readonly string[] | undefined,
): string | readonly string[] | undefined {
  return name === 'readers' ? texts : texts?.[0];
}

/** Replaces the file, all of it or nothing. When this resolves, the file survives a power cut. */
export async function writeSettings({
  folder,
  texts,
  others,
}: Pick<StoredSettings, 'folder' | 'texts' | 'others'>): Promise<void> {
  const values = storedNames.map((name) => [name, valueOf(name, texts[name])] as const);
  const unfinished = join(folder, UNFINISHED);
  await rm(unfinished, { force: true });
  await using file = await open(unfinished, 'wx', 0o600);
  await file.writeFile(`${JSON.stringify({ ...Object.fromEntries(values), ...others }, undefined, 2)}\n`);
  await file.sync();
  await rename(unfinished, join(folder, SETTINGS_FILE));
  await using handle = await open(folder);
  await handle.sync();
}

/** Devices with which stored readers have to fit together. */
interface OtherDevices {
  readonly adapters: Adapters;
  readonly indicators: readonly string[];
  readonly publishers: readonly string[];
}

/**
 * Checks a value that is or will be stored.
 *
 * @throws {TallybookError} `INVALID_OPTION` with the allowed values and the given one.
 */
export function checkStored(name: StoredName, texts: readonly string[], devices: OtherDevices): void {
  const { adapters, indicators, publishers } = devices;
  const setting: Setting = settingsOf(adapters)[storable[name]];
  if (!('parse' in setting)) {
    checkDevices({ readers: texts, indicators, publishers }, adapters, (_list, run) => run());
    return;
  }
  const [text = ''] = texts;
  // An empty text would be the default.
  if (text.trim() === '') throw invalidOption(`${setting.help}; got ${quote(text)}`);
  if (name === 'backup' && !isAbsolute(text))
    throw invalidOption(`the whole path of a folder, which begins with /; got ${quote(text)}`);
  setting.parse(text);
}
