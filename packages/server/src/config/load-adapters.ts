import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { invalidOption, type Registration } from '@tallybook/devices';
import { isTallybookError, quote } from '@tallybook/domain';
import { adaptersOf, checkRegistration, reasonOf } from './adapters.js';
import { settingsOf } from './settings.js';

/** A third-party adapter, and where it is from. */
export interface Used {
  readonly registration: Registration;
  /** A package or a path as it was given; `undefined` for one of the program itself. */
  readonly from: string | undefined;
}

/**
 * Loads third-party adapters.
 *
 * @param names Packages or paths. A path begins with `.` or `/`; a folder with a `package.json` is a package.
 * @param folders Where each is looked for, the first place first.
 * @param given Adapters that the program has already.
 * @throws {TallybookError} `INVALID_OPTION` if one cannot be loaded or used. The message begins with its name.
 */
export async function loadAdapters(
  names: readonly string[],
  folders: readonly string[],
  given: readonly Used[],
): Promise<readonly Used[]> {
  const used = [...given];
  for (const name of names) {
    const file = find(name, folders);
    try {
      for (const value of await load(file)) {
        const before = used.map(({ registration }) => registration);
        used.push({ registration: checkRegistration(value, before), from: name });
      }
      // Throws if a setting is taken.
      settingsOf(adaptersOf(used.map(({ registration }) => registration)));
    } catch (error) {
      const problem = isTallybookError(error) ? ': ' : ' cannot be loaded: ';
      throw invalidOption(`${name}${problem}${reasonOf(error)}`, undefined, error);
    }
  }
  return used;
}

/** What a file exports as `adapters`. */
async function load(file: string): Promise<readonly unknown[]> {
  const { adapters } = (await unlessStuck(import(pathToFileURL(file).href))) as {
    readonly adapters?: unknown;
  };
  if (Array.isArray(adapters)) return adapters as readonly unknown[];
  throw invalidOption('it exports no list of registrations with the name adapters');
}

/** Rejects if the process would end first, without a word: a top-level `await` of a module may never settle. */
async function unlessStuck<T>(loading: Promise<T>): Promise<T> {
  let onEnd = (): void => undefined;
  const stuck = new Promise<never>((_resolve, reject) => {
    onEnd = () =>
      reject(invalidOption('it never finishes loading, because its top-level await never settles'));
  });
  process.once('beforeExit', onEnd);
  try {
    return await Promise.race([loading, stuck]);
  } finally {
    process.off('beforeExit', onEnd);
  }
}

function find(name: string, folders: readonly string[]): string {
  const isPath = /^[./]/.test(name);
  for (const folder of folders) {
    const path = resolve(folder, name);
    const place = statSync(path, { throwIfNoEntry: false });
    if (isPath && place?.isFile() === true) return path;
    if (isPath && place?.isDirectory() !== true) continue;
    try {
      return isPath ? mainOf(path) : createRequire(join(folder, 'package.json')).resolve(name);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND' && !isPath) continue;
      throw invalidOption(`${name} cannot be loaded: ${reasonOf(cause)}`, undefined, cause);
    }
  }
  const what = isPath ? 'file or package' : 'package';
  throw invalidOption(`there is no ${what} ${quote(name)} in ${folders.join(' or ')}`);
}

/** The file that the package in a folder exports. */
function mainOf(folder: string): string {
  const file = join(folder, 'package.json');
  const about = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly name: string;
    readonly exports?: unknown;
  };
  // A package may import itself by its name, but only if it has exports.
  return createRequire(file).resolve(about.exports === undefined ? folder : about.name);
}

/** The folders in which a name of a settings file, or of the command line, is looked for. */
export function placesOf(settingsFile: string | undefined): readonly string[] {
  const here = process.cwd();
  return settingsFile === undefined ? [here] : [...new Set([dirname(resolve(settingsFile)), here])];
}
