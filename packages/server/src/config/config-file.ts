import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { quote, TallybookError } from '@tallybook/domain';

/** Allowed values of a setting in a file. */
const ALLOWED =
  'a text, a whole number, true or false, or a list of these; a time or a date is a text, in quotes';

/** The settings of a configuration file, not yet checked. */
export interface FileSettings {
  /** The name of the file, as given. */
  readonly name: string;
  /** The values as text, as they would follow the flags, by the names of the flags. */
  readonly values: Readonly<Record<string, readonly string[]>>;
  /**
   * Mistakes in values that no setting can have, such as 1.5, by the names of the flags: the allowed values and the
   * given one. Default: none.
   */
  readonly mistakes?: Readonly<Record<string, string>>;
}

/**
 * Reads a configuration file: JSON if its name ends with `.json`, else TOML. Its keys are the names of the flags.
 * Values are texts, numbers, `true` and `false`, and lists of these.
 *
 * Rejects with `INVALID_OPTION` if the file cannot be read, or is neither JSON nor TOML.
 */
export async function readConfigFile(name: string): Promise<FileSettings> {
  const text = await readText(name);
  const table = extname(name) === '.json' ? parseJson(name, text) : await parseToml(name, text);
  const values: [key: string, texts: readonly string[]][] = [];
  const mistakes: [key: string, mistake: string][] = [];
  for (const [key, value] of Object.entries(table)) {
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    const texts = items.map(textOf);
    const wrong = texts.indexOf(undefined);
    if (wrong === -1) values.push([key, texts as string[]]);
    else mistakes.push([key, `${ALLOWED}; got ${describe(items[wrong])}`]);
  }
  return { name, values: Object.fromEntries(values), mistakes: Object.fromEntries(mistakes) };
}

async function readText(name: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(name));
  } catch (cause) {
    const reason = cause instanceof TypeError ? 'it is not UTF-8' : (cause as Error).message;
    throw invalid(name, `cannot be read: ${reason}`, cause);
  }
}

function parseJson(name: string, text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (cause) {
    throw invalid(name, `is not JSON: ${(cause as Error).message}`, cause);
  }
  throw invalid(name, 'must be one JSON object');
}

async function parseToml(name: string, text: string): Promise<object> {
  // Loaded here, so that a start without a file does not load it.
  const { parse, TomlError } = await import('smol-toml');
  try {
    return parse(text);
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause;
    const [reason = ''] = cause.message.split('\n');
    throw invalid(name, `is not TOML: line ${cause.line}, column ${cause.column}: ${reason}`, cause);
  }
}

/** The text of a value; `undefined` for a value that no setting can have. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'boolean' || Number.isSafeInteger(value) ? String(value) : undefined;
}

function describe(value: unknown): string {
  if (value instanceof Date) return `the date or time ${value.toJSON()}`;
  return Array.isArray(value) ? 'a list within a list' : quote(value);
}

function invalid(name: string, problem: string, cause?: unknown): TallybookError {
  return new TallybookError('INVALID_OPTION', `--config: ${name} ${problem}`, { cause });
}
