import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** @returns The path of the only file in a folder whose name ends so. */
export function findOne(folder: string, ending: string): string {
  const found = readdirSync(folder).filter((name) => name.endsWith(ending));
  if (found.length !== 1) throw new Error(`${folder} has ${found.length} files *${ending}`);
  return join(folder, found[0] ?? '');
}

/**
 * Copies a package, as another version.
 *
 * @param scratch A new folder, which is removed.
 * @param change Changes the unpacked package.
 */
export function repack(
  file: string,
  out: string,
  { version, scratch }: { readonly version: string; readonly scratch: string },
  change?: (folder: string) => void,
): void {
  execFileSync('dpkg-deb', ['--raw-extract', file, scratch]);
  edit(join(scratch, 'DEBIAN/control'), /^Version: .*$/m, `Version: ${version}`);
  edit(join(scratch, 'usr/lib/tallybook/package.json'), /"version": "[^"]*"/, `"version": "${version}"`);
  change?.(scratch);
  execFileSync('dpkg-deb', ['-Znone', '--build', scratch, out], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  rmSync(scratch, { recursive: true });
}

export function edit(file: string, from: RegExp | string, to: string): void {
  const text = readFileSync(file, 'utf8');
  const next = text.replace(from, to);
  if (next === text) throw new Error(`${file} has no ${from}`);
  writeFileSync(file, next);
}
