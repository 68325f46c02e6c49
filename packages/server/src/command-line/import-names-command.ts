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
import type { Encoding, ListChoices } from '@tallybook/spreadsheets';
import { findOwner } from './access/with-owner.js';
import { noteAsOwner } from '../audit/command-trail.js';
import type { OwnerClient } from '../control/owner-client.js';
import { describeStore, requireStore } from '../config/stores.js';
import { createStampingStores } from './stamping-stores.js';

/** Largest list, in bytes; the same limit as over HTTP. */
const MAX_BYTES = 1_048_576;

/** Number of refused lines that are shown. More of them would look alike. */
const MAX_REFUSED = 50;

/** What the caller of the command chooses. */
export interface ImportChoices {
  readonly isDryRun?: boolean;
  readonly encoding?: string | undefined;
  /** A title, or a number from 1; so are the others. */
  readonly idColumn?: string | undefined;
  readonly firstColumn?: string | undefined;
  readonly lastColumn?: string | undefined;
  /** Gets what was guessed and left out, line by line. */
  readonly remark?: (line: string) => void;
}

/**
 * Reads names from a list into a store, which is made if it does not exist. If a service has the store open, that service takes
 * the names. Either the whole list is taken, or nothing.
 *
 * @returns The changes, as a line for people.
 * @throws {TallybookError} `STORE_UNAVAILABLE` if there is no store for a dry run, `INVALID_OPTION` if the file cannot be read,
 * `INVALID_NAME_LIST` with the refused lines in the message; and the errors of opening the store.
 */
export async function importNames(
  store: string,
  file: string,
  { isDryRun = false, encoding, idColumn, firstColumn, lastColumn, remark }: ImportChoices = {},
): Promise<string> {
  const choices = {
    encoding: await parseEncoding(encoding),
    id: idColumn,
    first: firstColumn,
    last: lastColumn,
  };
  const bytes = await readList(file);
  // A dry run must not make a store.
  if (isDryRun) await requireStore(store);
  const client = await findOwner(store);
  const report = await (client === undefined
    ? takeHere(store, bytes, isDryRun, choices)
    : takeThere(client, bytes, isDryRun, choices));
  const { remarks } = report.reading;
  if (report.refused.length > 0) throw refusal(file, report.refused, remarks);
  for (const line of remarks) remark?.(line);
  return describe(report, store, isDryRun);
}

interface Report extends Pick<NameListReport, 'added' | 'changed' | 'same' | 'refused'> {
  readonly reading: { readonly remarks: readonly string[] };
}

async function takeHere(
  store: string,
  bytes: Buffer,
  isDryRun: boolean,
  choices: ListChoices,
): Promise<Report> {
  const { stores, stamping } = createStampingStores(store);
  const { mapping } = stores;
  const opened = await openAll([...stamping, mapping]).catch((error: unknown) => {
    throw isTallybookError(error, 'STORE_LOCKED') ? explained(error) : error;
  });
  try {
    const { readNameList, remarksOf } = await import('@tallybook/spreadsheets');
    const lines = readNameList(bytes, choices);
    const report = await new NameService(mapping).importList(lines, { isDryRun });
    const { added, changed, refused } = report;
    if (!isDryRun && refused.length === 0 && added + changed > 0) {
      await noteAsOwner(stores, 'names-imported', { added, changed });
    }
    return { ...report, reading: { remarks: remarksOf(lines.reading) } };
  } finally {
    await opened.close();
  }
}

/** Sends the list to the service, first as a dry run, which reports all refused lines. */
async function takeThere(
  client: OwnerClient,
  bytes: Buffer,
  isDryRun: boolean,
  { encoding, id, first, last }: ListChoices,
): Promise<Report> {
  const list = { type: 'text/plain', bytes };
  const query = new URLSearchParams();
  const chosen = { encoding, 'id-column': id, 'first-column': first, 'last-column': last };
  for (const [name, value] of Object.entries(chosen)) if (value !== undefined) query.set(name, value);
  const trial = await client.send<Report>(`/api/people?dry-run=1&${query.toString()}`, list);
  if (isDryRun || trial.refused.length > 0) return trial;
  return client.send(`/api/people?${query.toString()}`, list);
}

/** Loaded here, so that the start of a server does not load the list. */
async function parseEncoding(name: string | undefined): Promise<Encoding | undefined> {
  const { encodings } = await import('@tallybook/spreadsheets');
  const encoding = encodings.find((each) => each === name);
  if (encoding !== undefined || name === undefined) return encoding;
  throw new TallybookError(
    'INVALID_OPTION',
    `--encoding is one of ${encodings.join(', ')}; got ${quote(name)}`,
  );
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

function refusal(file: string, refused: readonly RefusedLine[], remarks: readonly string[]): TallybookError {
  const lines = refused.slice(0, MAX_REFUSED).map(({ line, message }) => `line ${line}: ${message}`);
  const more = refused.length > MAX_REFUSED ? [`and ${refused.length - MAX_REFUSED} more`] : [];
  return new TallybookError(
    'INVALID_NAME_LIST',
    [`${file} was not imported, because lines are wrong:`, ...lines, ...more, ...remarks].join('\n'),
  );
}

function describe({ added, changed, same }: Report, store: string, isDryRun: boolean): string {
  const verb = isDryRun ? 'would change' : 'changed';
  return `${verb} names in ${describeStore(store)}: ${added} new, ${changed} in place of others; ${same} the same as before`;
}
