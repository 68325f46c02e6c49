import {
  invalidOption,
  type IdentityRegistration,
  type IdentityValues,
  type Registration,
} from '@tallybook/devices';
import { isTallybookError, quote } from '@tallybook/domain';
import { adaptersOf, type Adapters } from './adapters.js';
import { checkDevices } from './check-devices.js';
import type { FileSettings } from './config-file.js';
import { find, isInjected, NONE, type Environment, type Written } from './find-setting.js';
import { parseCentreUrl } from '@tallybook/upstream-http';
import type { Setting } from './setting.js';
import { settings, settingsOf } from './settings.js';
import { repairerOf } from './stores.js';
import { acceptStored, type SettingInUse } from './accept-stored.js';
import { storable, storedNames, type StoredName, type StoredSettings } from './stored-settings.js';
import { suggestName } from './suggest-name.js';

type SettingTable = typeof settings;
type SettingName = keyof SettingTable;

type ValueOf<S> = S extends { readonly parse: (text: string) => infer T } ? T : readonly string[];

/** The checked settings of the server. All devices have different names. */
export type Config = { readonly [Name in SettingName]: ValueOf<SettingTable[Name]> } & {
  /** What makes the devices. */
  readonly adapters: Adapters;
  /** The settings that can be stored with the record, as they are in use. Absent where none can be stored. */
  readonly stored?: StoredInUse;
};

/** Settings that can be stored in the folder of a store, as they are in use. */
export interface StoredInUse {
  readonly folder: string;
  readonly inUse: Readonly<Record<StoredName, SettingInUse>>;
}

type CamelCase<Text extends string> = Text extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Text;

type WrittenOf<S> = S extends { readonly parse: unknown } ? string : readonly string[];

/** Settings as text: the flags of the command line. Absent settings have their defaults. */
export type Settings = {
  readonly [Name in SettingName as CamelCase<SettingTable[Name]['flag']>]?: WrittenOf<SettingTable[Name]>;
};

/** Sources of settings besides flags and variables. */
export interface SettingSources {
  /** The result of `readConfigFile`. */
  readonly file?: FileSettings | undefined;
  /**
   * Gets a line for each variable with the prefix `TALLYBOOK_` that is ignored: one may be misspelt. Default: no warnings, because
   * a device app may have its own variables.
   */
  readonly warn?: (problem: string) => void;
  /** Third-party adapters. Those that `--use` names are among them only if the program has loaded them. Default: none. */
  readonly use?: readonly Registration[];
  /**
   * Reads the settings that are stored with the record, in the store of a URL. They come after flags, variables and file. Default:
   * none are stored.
   */
  readonly readStored?: (store: string) => StoredSettings | undefined;
  /** Whether nobody can type, as under systemd: then no reader is the default, in place of standard input. Default: no. */
  readonly hasNoInput?: boolean;
}

/** Variables that other code reads: the file of settings, and the access to a broker. */
const otherVariables = ['TALLYBOOK_CONFIG', 'TALLYBOOK_MQTT_USERNAME', 'TALLYBOOK_MQTT_PASSWORD'] as const;

/**
 * Joins flags, environment variables (`TALLYBOOK_HOST`, …), a configuration file, stored settings and defaults, in this order
 * of precedence, and checks them. An empty variable counts as absent. A stored setting that is not valid is ignored, with a warning.
 *
 * @throws {TallybookError} `INVALID_OPTION` with one line for each wrong setting.
 */
export function loadConfig(
  flags: Settings = {},
  env: Environment = process.env,
  { file, warn, use, readStored, hasNoInput }: SettingSources = {},
): Config {
  const adapters = adaptersOf(use);
  const table = withDefaults(settingsOf(adapters), hasNoInput);
  warnOfVariables(table, env, warn);
  const problems = fileProblems(table, file);
  const check = (where: string, run: () => void): void => {
    try {
      run();
    } catch (error) {
      if (!isTallybookError(error, 'INVALID_OPTION')) throw error;
      problems.push(`${where}: ${error.message}`);
    }
  };

  const config: Record<string, unknown> = { adapters };
  const [store = ''] = find(table.store, flags, env, file).values;
  const stored = readStored?.(store);
  const accepted =
    stored && acceptStored(stored, adapters, (name) => find(table[name], flags, env, file), warn);
  const inUse: Partial<Record<StoredName, SettingInUse>> = {};
  const lists = { readers: NONE, indicators: NONE, publishers: NONE };
  for (const name of Object.keys(table) as SettingName[]) {
    const setting: Setting = table[name];
    let written = NONE;
    check(setting.variable, () => (written = find(setting, flags, env, file)));
    const storedName = storedNames.find((each) => storable[each] === name);
    if (storedName !== undefined) {
      written = accepted?.get(storedName) ?? written;
      const { source, where } = written;
      inUse[storedName] = { source, where, texts: written.values.filter((text) => text !== '') };
    }
    if ('parse' in setting) {
      check(written.where, () => (config[name] = setting.parse(onlyOf(written))));
    } else {
      if (name in lists) lists[name as keyof typeof lists] = written;
      for (const value of written.values) check(written.where, () => setting.check?.(value));
      config[name] = Object.freeze(written.values);
    }
  }
  checkDevices(
    {
      readers: lists.readers.values,
      indicators: lists.indicators.values,
      publishers: lists.publishers.values,
    },
    adapters,
    (list, run) => check(lists[list].where, run),
  );
  if (use === undefined && (config['use'] as readonly string[]).length > 0) {
    problems.push('--use: this program loads no adapters by their names; give them to loadConfig');
  }
  if (stored !== undefined) config['stored'] = { folder: stored.folder, inUse };
  if (problems.length === 0) checkTogether(table, config as Config, check);
  if (problems.length > 0) throw invalidOption(problems.join('\n'));
  return Object.freeze(config) as Config;
}

function withDefaults(table: SettingTable, hasNoInput: boolean | undefined): SettingTable {
  return hasNoInput === true ? { ...table, readers: { ...table.readers, default: [] } } : table;
}

/**
 * The third-party adapters that are to be loaded, and the settings file that names them, if it does.
 *
 * @throws {TallybookError} `INVALID_OPTION` if the file names something else.
 */
export function findUse(
  flags: Pick<Settings, 'use'>,
  env: Environment,
  file: FileSettings | undefined,
): { readonly names: readonly string[]; readonly where: string; readonly file: string | undefined } {
  const { values, where } = find(settings.use, flags, env, file);
  const mistake = file?.mistakes?.[settings.use.flag];
  // The doctor reads no other setting, and would take the file to name none.
  if (mistake !== undefined && flags.use === undefined && where === `--${settings.use.flag}`)
    throw invalidOption(`${file?.name}: ${settings.use.flag}: ${mistake}`);
  const isOfFile = file !== undefined && where === `${file.name}: use`;
  return { names: values, where, file: isOfFile ? file.name : undefined };
}

/** The identity providers that the configuration names, and their settings. A checked configuration names at most one. */
export function identitiesIn(
  config: Config,
): readonly { readonly registration: IdentityRegistration; readonly values: IdentityValues }[] {
  const { adapters } = config;
  const written = Object.entries(settingsOf(adapters)).map(([name, { flag }]) => {
    const value: unknown = config[name as SettingName];
    const text = Array.isArray(value) ? value.join('\n') : (value as string | undefined);
    return [flag, text === '' ? undefined : text] as const;
  });
  return adapters.identities.flatMap((registration) => {
    const names = Object.keys(registration.settings ?? {});
    const values = Object.fromEntries(written.filter(([flag]) => names.includes(flag)));
    return names[0] !== undefined && values[names[0]] !== undefined ? [{ registration, values }] : [];
  });
}

/** Checks settings that need another setting. */
function checkTogether(
  table: SettingTable,
  config: Config,
  check: (where: string, run: () => void) => void,
): void {
  const named = Object.entries(table) as readonly (readonly [SettingName, Setting])[];
  const isGiven = (name: SettingName): boolean => {
    const value = config[name];
    return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
  };
  const given = new Set(named.flatMap(([name, { flag }]) => (isGiven(name) ? [flag] : [])));
  for (const [, { flag, needs }] of named) {
    if (!given.has(flag)) continue;
    for (const other of needs) {
      check(`--${flag}`, () => {
        if (!given.has(other)) throw invalidOption(`only together with --${other}`);
      });
    }
  }
  const identities = identitiesIn(config).map(({ registration }) => registration.scheme);
  if (identities.length > 1) {
    const [, second] = identities;
    check(`--${second}-…`, () => {
      throw invalidOption(`one identity provider; got ${identities.join(' and ')}`);
    });
  }
  const { store, onDamage, upstream, isUpstreamInsecure } = config;
  const repairer = repairerOf(store);
  if (onDamage === 'repair' && repairer !== undefined) {
    check('--on-damage', () => {
      throw invalidOption(`repair is for a store on a disk; ${repairer}`);
    });
  }
  if (upstream !== undefined) check('--upstream', () => void parseCentreUrl(upstream, isUpstreamInsecure));
}

/**
 * Reads only the store URL, for commands that need no other setting. Invalid values of other settings are ignored;
 * unknown settings are not, because one may be a misspelt store.
 *
 * @throws {TallybookError} `INVALID_OPTION` if the text is not the URL of a store.
 */
export function loadStoreUrl(
  flags: Pick<Settings, 'store'> = {},
  env: Environment = process.env,
  { file, warn, use }: SettingSources = {},
): string {
  const table = settingsOf(adaptersOf(use));
  warnOfVariables(table, env, warn);
  const problems = fileProblems(table, file);
  if (problems.length > 0) throw invalidOption(problems.join('\n'));
  return settings.store.parse(onlyOf(find(settings.store, flags, env, file)));
}

/** Warns of variables with the prefix of this service that are no settings. Variables for its tests are ignored. */
function warnOfVariables(
  table: SettingTable,
  env: Environment,
  warn: SettingSources['warn'] = () => undefined,
): void {
  const known: string[] = [...Object.values(table).map(({ variable }) => variable), ...otherVariables];
  const injected = Object.keys(env).filter((name) => isInjected(name, env[name]));
  if (injected.length > 0) {
    warn(
      `${injected.join(', ')}: ignored, because Kubernetes or Docker adds them for a service named tallybook; ` +
        'write enableServiceLinks: false into the spec of the pod, or use another name or --port',
    );
  }
  for (const name of Object.keys(env)) {
    if (!/^TALLYBOOK_(?!TEST_)/.test(name) || known.includes(name) || injected.includes(name)) continue;
    warn(`${name}: ignored, because there is no such setting${suggestName(name, known, 'TALLYBOOK_')}`);
  }
}

/** @throws {TallybookError} `INVALID_OPTION` if there are several values, which a file may have. */
function onlyOf({ values }: Written): string {
  const [value, ...others] = values;
  if (value !== undefined && others.length === 0) return value;
  throw invalidOption(`one value; got a list of ${values.length}`);
}

/** One line for each key of the file that is no setting, or has a value that no setting can have. */
function fileProblems(table: SettingTable, file: FileSettings | undefined): string[] {
  if (file === undefined) return [];
  const { name, values, mistakes = {} } = file;
  const known: string[] = Object.values(table).map(({ flag }) => flag);
  const unknown = Object.keys({ ...values, ...mistakes }).filter((key) => !known.includes(key));
  return [
    ...unknown.map(
      (key) =>
        `${name}: there is no setting ${quote(key)}${suggestName(key, known)}; allowed are ${known.join(', ')}`,
    ),
    ...Object.entries(mistakes)
      .filter(([key]) => known.includes(key))
      .map(([key, mistake]) => `${name}: ${key}: ${mistake}`),
  ];
}
