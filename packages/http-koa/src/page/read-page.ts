import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FirstAsk, Page, PageFile } from './page.js';

/** Manifest of a built page: `files.json` of `@tallybook/web`. */
interface Manifest {
  /** Folder of the files, beside the manifest. */
  readonly folder: string;
  readonly files: readonly {
    readonly path: string;
    readonly type: string;
    readonly etag: string;
    readonly isImmutable: boolean;
    readonly asksFirst?: readonly FirstAsk[];
    /** Size of the compressed form in bytes, in a file with this suffix; absent if there is none. */
    readonly br?: number;
    readonly gz?: number;
  }[];
}

/**
 * Reads a page from the files that its manifest names, and only from them.
 *
 * @param manifest Path of `files.json`: `createRequire(import.meta.url).resolve('@tallybook/web/files.json')`.
 */
export async function readPage(manifest: string): Promise<Page> {
  const { folder, files } = JSON.parse(await readFile(manifest, 'utf8')) as Manifest;
  const root = join(dirname(manifest), folder);
  const read = async (file: Manifest['files'][number]): Promise<[string, PageFile]> => {
    const { path, br, gz, type, etag, isImmutable, asksFirst } = file;
    const whole = join(root, path);
    const more = {
      ...(asksFirst !== undefined && { asksFirst }),
      body: await readFile(whole),
      ...(br !== undefined && { br: await readFile(`${whole}.br`) }),
      ...(gz !== undefined && { gzip: await readFile(`${whole}.gz`) }),
    };
    return [path, { type, etag, isImmutable, ...more }];
  };
  return new Map(await Promise.all(files.map(read)));
}
