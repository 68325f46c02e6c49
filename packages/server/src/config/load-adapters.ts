import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { invalidOption, type Registration } from '@tallybook/devices';
import { isTallybookError, quote } from '@tallybook/domain';
import { checkRegistration } from './adapters.js';

/** An adapter of others, and where it is from. */
export interface Used {
  readonly registration: Registration;
  /** A package or a path as it was given; `undefined` for one of the program itself. */
  readonly from: string | undefined;
}

/**
 * Loads adapters of others.
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
    const values = await load(name, folders);
    for (const value of values) {
      try {
        const before = used.map(({ registration }) => registration);
        used.push({ registration: checkRegistration(value, before), from: name });
      } catch (error) {
        if (!isTallybookError(error)) throw error;
        throw invalidOption(`${name}: ${error.message}`, undefined, error);
      }
    }
  }
  return used;
}

/** What a package exports as `adapters`. */
async function load(name: string, folders: readonly string[]): Promise<readonly unknown[]> {
  const file = find(name, folders);
  try {
    const { adapters } = (await import(pathToFileURL(file).href)) as { readonly adapters?: unknown };
    if (Array.isArray(adapters)) return adapters as readonly unknown[];
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw invalidOption(`${name} cannot be loaded: ${reason}`, undefined, cause);
  }
  throw invalidOption(`${name}: it exports no list of registrations with the name adapters`);
}

function find(name: string, folders: readonly string[]): string {
  for (const folder of folders) {
    const path = resolve(folder, name);
    const place = statSync(path, { throwIfNoEntry: false });
    const isPath = /^[./]/.test(name);
    if (isPath && place?.isFile() === true) return path;
    if (isPath && place?.isDirectory() !== true) continue;
    try {
      // A package may import itself by its name.
      return isPath ? findFrom(path, nameOf(path)) : findFrom(folder, name);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND' && !isPath) continue;
      throw invalidOption(`${name} cannot be loaded: ${(cause as Error).message}`, undefined, cause);
    }
  }
  const what = /^[./]/.test(name) ? 'file or package' : 'package';
  throw invalidOption(`there is no ${what} ${quote(name)} in ${folders.join(' or ')}`);
}

function findFrom(folder: string, name: string): string {
  return createRequire(join(folder, 'package.json')).resolve(name);
}

function nameOf(folder: string): string {
  return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly name: string }).name;
}

/** The folders in which a name of a settings file, or of the command line, is looked for. */
export function placesOf(settingsFile: string | undefined): readonly string[] {
  const here = process.cwd();
  return settingsFile === undefined ? [here] : [...new Set([dirname(resolve(settingsFile)), here])];
}
