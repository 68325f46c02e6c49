import { createRequire } from 'node:module';
import { readPage, type Page } from '@tallybook/http-koa';

/**
 * The page of `@tallybook/web`; `undefined` if that is not installed or not built.
 *
 * @param from The file whose installed packages are searched. Default: this file.
 */
export async function loadPage(from: string | URL = import.meta.url): Promise<Page | undefined> {
  const manifest = findManifest(from);
  return manifest === undefined ? undefined : readPage(manifest);
}

/** Whether `@tallybook/web` is installed and built. */
export function hasPage(from: string | URL = import.meta.url): boolean {
  return findManifest(from) !== undefined;
}

function findManifest(from: string | URL): string | undefined {
  try {
    return createRequire(from).resolve('@tallybook/web/files.json');
  } catch {
    return undefined;
  }
}
