import { Option, type Command } from 'commander';
import { invalidOption, type Registration } from '@tallybook/devices';
import { isTallybookError } from '@tallybook/domain';
import { checkRegistration } from '../config/adapters.js';
import { readConfigFile } from '../config/config-file.js';
import {
  findUse,
  loadConfig,
  loadStoreUrl,
  type Config,
  type SettingSources,
  type Settings,
} from '../config/config.js';
import type { Setting } from '../config/setting.js';
import { settings } from '../config/settings.js';
import { readStoredSettings } from '../config/stored-settings.js';
import type { CommandRun } from './command-run.js';

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

/**
 * Reads the settings file, and loads the third-party adapters: before the options are defined, because their help names those
 * adapters.
 *
 * @param given Adapters that the program has already.
 */
export async function readSources(
  run: CommandRun,
  args: readonly string[],
  given: readonly Registration[],
): Promise<void> {
  run.used = given.map((registration, index) => ({
    registration: checkRegistration(registration, given.slice(0, index)),
    from: undefined,
  }));
  const name = valuesOf(args, '--config').at(-1) ?? (process.env['TALLYBOOK_CONFIG'] ?? '').trim();
  if (name !== '') run.file = await readConfigFile(name);
  const flags = valuesOf(args, '--use');
  const { names, where, file } = findUse(flags.length === 0 ? {} : { use: flags }, process.env, run.file);
  if (names.length === 0) return;
  try {
    // Loaded here, so that a start without them does not load it.
    const { loadAdapters, placesOf } = await import('../config/load-adapters.js');
    run.used = await loadAdapters(names, placesOf(file), run.used);
  } catch (error) {
    if (!isTallybookError(error)) throw error;
    throw invalidOption(`${where}: ${error.message}`, undefined, error);
  }
}

/** The values of an option that may be repeated, before the options of the command are known. */
function valuesOf(args: readonly string[], flag: string): readonly string[] {
  return args.flatMap((arg, index) => {
    if (arg.startsWith(`${flag}=`)) return [arg.slice(flag.length + 1)];
    return arg === flag ? args.slice(index + 1, index + 2) : [];
  });
}

/** The URL of the store, from flags, variables and the file. */
export function storeOf({ store }: Flags, run: CommandRun): string {
  return loadStoreUrl(store === undefined ? {} : { store }, process.env, sourcesOf(run));
}

/** The configuration from flags, variables, the file, and what is stored with the record. */
export function configOf(flags: Flags, run: CommandRun): Config {
  // systemd gives its services /dev/null to read, which would be a reader that has ended.
  const hasNoInput = process.env['NOTIFY_SOCKET'] !== undefined;
  return loadConfig(flags, process.env, { ...sourcesOf(run), readStored: readStoredSettings, hasNoInput });
}

function sourcesOf({ file, used }: CommandRun): SettingSources {
  return { file, warn, use: used.map(({ registration }) => registration) };
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
  const others = of.filter(({ flag }) => flag !== settings.use.flag);
  for (const setting of [settings.use, ...others]) command.addOption(optionOf(setting));
  return command.allowExcessArguments(false);
}

/** On standard error, because the output of a command may be data. */
function warn(problem: string): void {
  process.stderr.write(`tallybook: ${problem}\n`);
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
export function collect(value: string, values: readonly string[] | undefined): readonly string[] {
  return [...(values ?? []), value];
}
