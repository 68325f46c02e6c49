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
import { findOwner } from './access/with-owner.js';
import { noteAsOwner } from '../audit/command-trail.js';
import type { OwnerClient } from '../control/owner-client.js';
import { describeStore, requireStore } from '../config/stores.js';
import { createStampingStores } from './stamping-stores.js';

/** Largest list, in bytes; the same limit as over HTTP. */
const MAX_BYTES = 1_048_576;

/** Number of refused lines that are shown. More of them would look alike. */
const MAX_REFUSED = 50;

/**
 * Reads names from a list into a store, which is made if it does not exist. If a service has the store open, that service takes
 * the names. Either the whole list is taken, or nothing.
 *
 * @returns The changes, as lines for people.
 * @throws {TallybookError} `STORE_UNAVAILABLE` if there is no store for a dry run, `INVALID_OPTION` if the file cannot be read,
 * `INVALID_NAME_LIST` with the refused lines in the message; and the errors of opening the store.
 */
export async function importNames(
  store: string,
  file: string,
  { isDryRun = false }: { readonly isDryRun?: boolean } = {},
): Promise<string> {
  const bytes = await readList(file);
  // A dry run must not make a store.
  if (isDryRun) await requireStore(store);
  const client = await findOwner(store);
  const report = await (client === undefined
    ? takeHere(store, bytes, isDryRun)
    : takeThere(client, bytes, isDryRun));
  if (report.refused.length > 0) throw refusal(file, report.refused);
  return describe(report, store, isDryRun);
}

type Report = Pick<NameListReport, 'added' | 'changed' | 'same' | 'refused'>;

async function takeHere(store: string, bytes: Buffer, isDryRun: boolean): Promise<Report> {
  const { stores, stamping } = createStampingStores(store);
  const { mapping } = stores;
  const opened = await openAll([...stamping, mapping]).catch((error: unknown) => {
    throw isTallybookError(error, 'STORE_LOCKED') ? explained(error) : error;
  });
  try {
    // Loaded here, so that the start of a server does not load it.
    const { readNameList } = await import('@tallybook/spreadsheets');
    const report = await new NameService(mapping).importList(readNameList(bytes), { isDryRun });
    const { added, changed, refused } = report;
    if (!isDryRun && refused.length === 0 && added + changed > 0) {
      await noteAsOwner(stores, 'names-imported', { added, changed });
    }
    return report;
  } finally {
    await opened.close();
  }
}

/** Sends the list to the service, first as a dry run, which reports all refused lines. */
async function takeThere(client: OwnerClient, bytes: Buffer, isDryRun: boolean): Promise<Report> {
  const list = { type: 'text/plain', bytes };
  const trial = await client.send<Report>('/api/people?dry-run=1', list);
  return isDryRun || trial.refused.length > 0 ? trial : client.send('/api/people', list);
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
    [`${file} was not imported, because lines are wrong:`, ...lines, ...more].join('\n'),
  );
}

function describe({ added, changed, same }: Report, store: string, isDryRun: boolean): string {
  const verb = isDryRun ? 'would change' : 'changed';
  return `${verb} names in ${describeStore(store)}: ${added} new, ${changed} in place of others; ${same} the same as before`;
}
