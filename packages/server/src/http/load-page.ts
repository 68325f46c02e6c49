import { createRequire } from 'node:module';
import { readPage, type Page } from '@tallybook/http-koa';

/** The page of `@tallybook/web`; `undefined` where that is not installed, or not built. */
export async function loadPage(): Promise<Page | undefined> {
  const manifest = findManifest();
  return manifest === undefined ? undefined : readPage(manifest);
}

function findManifest(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve('@tallybook/web/files.json');
  } catch {
    return undefined;
  }
}
