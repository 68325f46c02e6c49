import { Option, type Command } from 'commander';
import { readConfigFile, type FileSettings } from '../config/config-file.js';
import { loadConfig, loadStoreUrl, type Config, type Settings } from '../config/config.js';
import { settings, type Setting } from '../config/settings.js';

/** The settings as flags, and the name of the configuration file. */
export interface Flags extends Settings {
  readonly config?: string;
}

/** The store that flags, variables and the file name. */
export async function storeOf({ config: file, store }: Flags): Promise<string> {
  const flags = store === undefined ? {} : { store };
  return loadStoreUrl(flags, process.env, { file: await fileOf(file), refusesUnknown: true });
}

/** The configuration from flags, variables and the file. */
export async function configOf({ config: file, ...flags }: Flags): Promise<Config> {
  return loadConfig(flags, process.env, { file: await fileOf(file), refusesUnknown: true });
}

/** Adds the options by which a store is found, to a command that has no arguments but those it names. */
export function addStoreOptions(command: Command): Command {
  return addSettings(command, [settings.store]);
}

/** Adds the options of some settings, to a command that has no arguments but those it names. */
export function addSettings(command: Command, of: readonly Setting[]): Command {
  command.addOption(
    new Option('--config <file>', 'file of settings, TOML or JSON (default: none, env: TALLYBOOK_CONFIG)'),
  );
  for (const setting of of) command.addOption(optionOf(setting));
  return command.allowExcessArguments(false);
}

async function fileOf(flag: string | undefined): Promise<FileSettings | undefined> {
  const name = flag ?? (process.env['TALLYBOOK_CONFIG'] ?? '').trim();
  return name === '' ? undefined : readConfigFile(name);
}

/** The default and the variable are for the help only: `loadConfig` joins them, so that one place knows precedence. */
function optionOf(setting: Setting): Option {
  const { flag, value, help, variable } = setting;
  const byDefault = String(setting.default) || 'none';
  const option = new Option(`--${flag} ${value}`, `${help} (default: ${byDefault}, env: ${variable})`);
  // For one that may stand alone.
  option.preset('true');
  return 'parse' in setting ? option : option.argParser(collect);
}

/** Collects the values of an option that may be repeated. */
function collect(value: string, values: readonly string[] | undefined): readonly string[] {
  return [...(values ?? []), value];
}
