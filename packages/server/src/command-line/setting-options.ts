import { Option } from 'commander';
import { readConfigFile, type FileSettings } from '../config/config-file.js';
import { loadConfig, loadStoreUrl, type Config, type Settings } from '../config/config.js';
import type { Setting } from '../config/settings.js';

/** The settings as flags, and the file that has more of them. */
export interface Flags extends Settings {
  readonly config?: string;
}

/** The URL of the store that flags, variables and the file name. */
export async function storeOf({ config: file, store }: Flags): Promise<string> {
  const flags = store === undefined ? {} : { store };
  return loadStoreUrl(flags, process.env, { file: await fileOf(file), refusesUnknown: true });
}

/** All settings, as flags, variables and the file have them. */
export async function configOf({ config: file, ...flags }: Flags): Promise<Config> {
  return loadConfig(flags, process.env, { file: await fileOf(file), refusesUnknown: true });
}

async function fileOf(flag: string | undefined): Promise<FileSettings | undefined> {
  const name = flag ?? (process.env['TALLYBOOK_CONFIG'] ?? '').trim();
  return name === '' ? undefined : readConfigFile(name);
}

/** Names the file. */
export function configOption(): Option {
  return new Option(
    '--config <file>',
    'file of settings, TOML or JSON (default: none, env: TALLYBOOK_CONFIG)',
  );
}

/**
 * The option of a setting. Default and variable are for the help only: `loadConfig` joins them, so that one place knows
 * precedence.
 */
export function optionOf(setting: Setting): Option {
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
