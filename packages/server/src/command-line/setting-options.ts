import { Option, type Command } from 'commander';
import { readConfigFile, type FileSettings } from '../config/config-file.js';
import { loadConfig, loadStoreUrl, type Config, type Settings } from '../config/config.js';
import type { Setting } from '../config/setting.js';
import { settings } from '../config/settings.js';

/** The settings as flags, and the name of the configuration file. */
export interface Flags extends Settings {
  readonly config?: string;
}

/** Spelling of the ids of a command. */
export interface Written {
  readonly format?: string;
}

export const formatOption = [
  '--format <spelling>',
  `spelling of the ids, such as hex or dec10 (default: as the readers of the service write them)`,
] as const;

/** The URL of the store, from flags, variables and the file. */
export async function storeOf({ config: file, store }: Flags): Promise<string> {
  const flags = store === undefined ? {} : { store };
  return loadStoreUrl(flags, process.env, { file: await fileOf(file), warn });
}

/** The configuration from flags, variables and the file. */
export async function configOf({ config: file, ...flags }: Flags): Promise<Config> {
  return loadConfig(flags, process.env, { file: await fileOf(file), warn });
}

/** Adds the options for the store to a command. The command takes no arguments except its defined ones. */
export function addStoreOptions(command: Command): Command {
  return addSettings(command, [settings.store]);
}

/** Adds the options of some settings to a command. The command takes no arguments except its defined ones. */
export function addSettings(command: Command, of: readonly Setting[]): Command {
  command.addOption(
    new Option('--config <file>', 'file of settings, TOML or JSON (default: none, env: TALLYBOOK_CONFIG)'),
  );
  for (const setting of of) command.addOption(optionOf(setting));
  return command.allowExcessArguments(false);
}

/** On standard error, because the output of a command may be data. */
function warn(problem: string): void {
  process.stderr.write(`tallybook: ${problem}\n`);
}

async function fileOf(flag: string | undefined): Promise<FileSettings | undefined> {
  const name = flag ?? (process.env['TALLYBOOK_CONFIG'] ?? '').trim();
  return name === '' ? undefined : readConfigFile(name);
}

/**
 * The option of a setting. Its default and its variable are only for the help: `loadConfig` joins them, so that only
 * one place knows the precedence.
 */
function optionOf(setting: Setting): Option {
  const { flag, value, help, variable } = setting;
  const byDefault = String(setting.default) || 'none';
  const option = new Option(`--${flag} ${value}`, `${help} (default: ${byDefault}, env: ${variable})`);
  // For an option that may be given without a value.
  option.preset('true');
  return 'parse' in setting ? option : option.argParser(collect);
}

/** Collects the values of an option that may be repeated. */
function collect(value: string, values: readonly string[] | undefined): readonly string[] {
  return [...(values ?? []), value];
}
