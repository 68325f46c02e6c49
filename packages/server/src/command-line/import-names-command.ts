import { readFile, stat } from 'node:fs/promises';
import {
  isTallybookError,
  NameService,
  openAll,
  quote,
  TallybookError,
  type NameListReport,
  type RefusedLine,
} from '@tallybook/domain';
import { noteAsOwner } from '../audit/command-trail.js';
import { createStores, removesNothing, requireStore } from '../config/stores.js';

/** Most bytes of a list, as over HTTP. */
const MAX_BYTES = 1_048_576;

/** So many lines at fault are written out; they are alike if there are more. */
const MAX_REFUSED = 50;

/**
 * Reads names from a list into a store, which is made if it does not exist. All of the list is taken, or nothing.
 *
 * @returns What it has changed, as lines for people.
 * @throws {TallybookError} `STORE_UNAVAILABLE` if there is no store for a dry run, `INVALID_OPTION` if the file cannot be read, `INVALID_NAME_LIST` with all lines at fault in the
 *   message; and as opening the store does.
 */
export async function importNames(
  store: string,
  file: string,
  { isDryRun = false }: { readonly isDryRun?: boolean } = {},
): Promise<string> {
  const bytes = await readList(file);
  // A dry run makes nothing, no store either.
  if (isDryRun) await requireStore(store);
  const stores = createStores(store, removesNothing);
  const { mapping } = stores;
  const opened = await openAll([mapping]).catch((error: unknown) => {
    throw isTallybookError(error, 'STORE_LOCKED') ? explained(error) : error;
  });
  try {
    // A server that starts does not pay for it.
    const { readNameList } = await import('@tallybook/spreadsheets');
    const report = await new NameService(mapping).importList(readNameList(bytes), { isDryRun });
    if (report.refused.length > 0) throw refusal(file, report.refused);
    const { added, changed } = report;
    if (!isDryRun && added + changed > 0) await noteAsOwner(stores, 'names-imported', { added, changed });
    return describe(report, store);
  } finally {
    await opened.close();
  }
}

async function readList(file: string): Promise<Buffer> {
  try {
    const { size } = await stat(file);
    if (size > MAX_BYTES) throw new Error(`a list has at most ${MAX_BYTES} bytes; it has ${size}`);
    return await readFile(file);
  } catch (cause) {
    throw new TallybookError('INVALID_OPTION', `cannot read ${quote(file)}: ${(cause as Error).message}`, {
      cause,
    });
  }
}

function explained(locked: TallybookError): TallybookError {
  const message = `${locked.message}; or send the list to the server that runs: POST /api/people`;
  return new TallybookError('STORE_LOCKED', message, { cause: locked, details: locked.details });
}

function refusal(file: string, refused: readonly RefusedLine[]): TallybookError {
  const lines = refused.slice(0, MAX_REFUSED).map(({ line, message }) => `line ${line}: ${message}`);
  const more = refused.length > MAX_REFUSED ? [`and ${refused.length - MAX_REFUSED} more`] : [];
  return new TallybookError(
    'INVALID_NAME_LIST',
    [`${file} was not taken, because lines are at fault:`, ...lines, ...more].join('\n'),
  );
}

function describe({ isDryRun, added, changed, same }: NameListReport, store: string): string {
  const verb = isDryRun ? 'would change' : 'changed';
  return `${verb} names in ${store}: ${added} new, ${changed} in place of others; ${same} the same as before`;
}
