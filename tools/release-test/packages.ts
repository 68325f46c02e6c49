import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A version after every released one. */
export const NEXT = '99.0.0';

/** @returns The path of the only file in a folder whose name ends so. */
export function findOne(folder: string, ending: string): string {
  const found = readdirSync(folder).filter((name) => name.endsWith(ending));
  if (found.length !== 1) throw new Error(`${folder} has ${found.length} files *${ending}`);
  return join(folder, found[0] ?? '');
}

/** Copies a package, as a newer version {@link NEXT}. */
export function repackAsNext(
  file: string,
  out: string,
  scratch: string,
  change?: (folder: string) => void,
): void {
  execFileSync('dpkg-deb', ['--raw-extract', file, scratch]);
  edit(join(scratch, 'DEBIAN/control'), /^Version: .*$/m, `Version: ${NEXT}`);
  edit(join(scratch, 'usr/lib/tallybook/package.json'), /"version": "[^"]*"/, `"version": "${NEXT}"`);
  change?.(scratch);
  execFileSync('dpkg-deb', ['-Zgzip', '-z1', '--build', scratch, out], {
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
