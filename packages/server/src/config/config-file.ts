import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { quote, TallybookError } from '@tallybook/domain';

/** What a configuration file says, not yet checked. */
export interface FileSettings {
  /** As it was named. */
  readonly name: string;
  /** As they would be written behind the flags, by the flags' names. */
  readonly values: Readonly<Record<string, readonly string[]>>;
}

/**
 * Reads a configuration file: JSON if its name ends with `.json`, TOML otherwise. Its keys are the names of the flags;
 * values are texts, numbers, `true` and `false`, and lists of texts.
 *
 * Rejects with `INVALID_OPTION` if it cannot be read, is neither, or a value is something else.
 */
export async function readConfigFile(name: string): Promise<FileSettings> {
  const text = await readText(name);
  const table = extname(name) === '.json' ? parseJson(name, text) : await parseToml(name, text);
  const values = Object.entries(table).map(([key, value]) => [key, textsOf(name, key, value)] as const);
  return { name, values: Object.fromEntries(values) };
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
  // Loaded here, so that a start without a file does not pay for it.
  const { parse, TomlError } = await import('smol-toml');
  try {
    return parse(text);
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause;
    const [reason = ''] = cause.message.split('\n');
    throw invalid(name, `is not TOML: line ${cause.line}, column ${cause.column}: ${reason}`, cause);
  }
}

function textsOf(name: string, key: string, value: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.map((each) => {
    if (typeof each === 'string') return each;
    if (typeof each === 'boolean' || Number.isSafeInteger(each)) return String(each);
    throw invalid(
      name,
      `${quote(key)} must be a text, a whole number, true or false, or a list of texts; a time or a date is a text, in quotes`,
    );
  });
}

function invalid(name: string, problem: string, cause?: unknown): TallybookError {
  return new TallybookError('INVALID_OPTION', `--config: ${name} ${problem}`, { cause });
}
