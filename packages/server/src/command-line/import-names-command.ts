import { invalidOption } from '@tallybook/devices';
import { readFile, stat } from 'node:fs/promises';
import { counted, quote, TallybookError } from '@tallybook/domain';
import {
  importNameList,
  TagFinder,
  type NameListReport,
  type RefusedLine,
  type TypedIds,
} from '@tallybook/domain/record';
import type { Encoding, ListChoices } from '@tallybook/spreadsheets';
import { findOwner } from './access/with-owner.js';
import { noteAsOwner } from '../audit/command-trail.js';
import type { OwnerClient } from '../control/owner-client.js';
import { describeStore, requireStore } from '../config/stores.js';
import { advising, withStorage } from './of-command.js';
import { adaptersOf } from '../config/adapters.js';
import type { Config } from '../config/config.js';
import { choose, describeReading, typedIdsOf } from './questions.js';

/** Largest list, in bytes; the same limit as over HTTP. */
const MAX_BYTES = 1_048_576;

/** Number of refused lines that are shown. More of them would look alike. */
const MAX_REFUSED = 50;

const DIGITS = /^[0-9]+$/;

/** Number of readings of ids that are shown, those of tags that were seen first. */
const READINGS_SHOWN = 5;

/** What the caller of the command chooses. */
export interface ImportChoices {
  /** Only shows what would change. Default false. */
  readonly isDryRun?: boolean;
  /** Spelling of all ids. Default: decided by the readers. */
  readonly format?: string | undefined;
  /** The settings of the readers, if no service has the store open. Default: ids are hex. */
  readonly settings?: Pick<Config, 'readers' | 'adapters'>;
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
 * the names. Either the whole list is taken, or nothing. Before that, it shows how ids were read that are not hex, and asks at a
 * terminal if an id may be two tags.
 *
 * @returns The changes, as a line for people.
 * @throws {TallybookError} `STORE_UNAVAILABLE` if there is no store for a dry run, `INVALID_OPTION` if the file cannot be read,
 * `INVALID_NAME_LIST` with the refused lines in the message; and the errors of opening the store.
 */
export async function importNames(store: string, file: string, choices: ImportChoices = {}): Promise<string> {
  const { isDryRun = false, settings = { readers: [], adapters: adaptersOf() }, remark } = choices;
  const list = {
    encoding: await parseEncoding(choices.encoding),
    id: choices.idColumn,
    first: choices.firstColumn,
    last: choices.lastColumn,
  };
  const bytes = await readList(file);
  // A dry run must not make a store.
  if (isDryRun) await requireStore(store);
  const client = await findOwner(store);
  const take = (isTrial: boolean, format: string | undefined): Promise<Report> =>
    client === undefined
      ? takeHere(store, bytes, { ...list, isDryRun: isTrial, format, typed: typedIdsOf(settings) })
      : takeThere(client, bytes, { ...list, isDryRun: isTrial, format });
  let { format } = choices;
  let trial = await take(true, format);
  if (trial.refused.length > 0) {
    format = await askFormat(trial.refused);
    if (format !== undefined) trial = await take(true, format);
  }
  const { remarks } = trial.reading;
  if (trial.refused.length > 0) throw refusal(file, trial.refused, remarks);
  for (const line of [...remarks, ...readingsOf(trial, choices.format)]) remark?.(line);
  return describe(isDryRun ? trial : await take(false, format), store, isDryRun);
}

interface Report extends Pick<NameListReport, 'added' | 'changed' | 'same' | 'changes' | 'refused'> {
  readonly reading: { readonly remarks: readonly string[] };
}

interface Taking extends ListChoices {
  readonly isDryRun: boolean;
  readonly format: string | undefined;
}

function takeHere(
  store: string,
  bytes: Buffer,
  { isDryRun, format, typed, ...list }: Taking & { readonly typed: TypedIds },
): Promise<Report> {
  return advising('; or send the list to the server that runs: POST /api/people', () =>
    withStorage(store, async (storage) => {
      const { mapping, days, journal } = storage;
      const { namedTags, readNameList, remarksOf } = await import('@tallybook/spreadsheets');
      const lines = readNameList(bytes, list);
      const tags = new TagFinder({ typed, mapping, days, journal });
      const report = await importNameList(mapping, namedTags(lines), { isDryRun, tags, format });
      const { added, changed, refused } = report;
      if (!isDryRun && refused.length === 0 && added + changed > 0) {
        await noteAsOwner(storage, 'names-imported', { added, changed });
      }
      return { ...report, reading: { remarks: remarksOf(lines.reading) } };
    }),
  );
}

function takeThere(
  client: OwnerClient,
  bytes: Buffer,
  { isDryRun, format, encoding, id, first, last }: Taking,
): Promise<Report> {
  const query = new URLSearchParams();
  const columns = { 'id-column': id, 'first-column': first, 'last-column': last };
  const chosen = { 'dry-run': isDryRun ? '1' : undefined, format, encoding, ...columns };
  for (const [name, value] of Object.entries(chosen)) if (value !== undefined) query.set(name, value);
  return client.send(`/api/people?${query.toString()}`, { type: 'text/plain', bytes });
}

/** Asks a person for the spelling of a list, if ids that may be two tags are all that is wrong; else `undefined`. */
async function askFormat(refused: readonly RefusedLine[]): Promise<string | undefined> {
  if (refused.some(({ readings = [] }) => readings.length === 0)) return undefined;
  const [first] = refused;
  const formats = [...new Set(refused.flatMap(({ readings = [] }) => readings.map(({ format }) => format)))];
  const count = counted(refused.length, 'id');
  return formats[
    (await choose(`${count} may be two tags, first in line ${first?.line}: ${first?.message}`, formats)) ??
      NaN
  ];
}

/** Describes how ids were read that are not hex. */
function readingsOf({ changes }: Report, given: string | undefined): readonly string[] {
  const read = changes.filter(({ text }) => text !== undefined);
  const seen = read.filter(({ lastSeen }) => lastSeen !== undefined);
  if (read.length === 0) {
    // A stopped service may have had readers of numbers that the settings of this command do not name.
    const isDoubtful =
      given === undefined && changes.length > 0 && changes.every(({ id }) => DIGITS.test(id));
    return isDoubtful ? ['all ids are digits, and are read as hex; if they are numbers, give --format'] : [];
  }
  const formats = [...new Set(read.map(({ format }) => format))].join(', ');
  return [
    `${counted(read.length, 'id was', 'ids were')} read as ${formats}, and ${counted(seen.length, 'tag was', 'tags were')} seen before`,
    ...[...seen, ...read.filter((each) => !seen.includes(each))]
      .slice(0, READINGS_SHOWN)
      .map((each) => `  ${describeReading(each.text ?? '', each)}`),
  ];
}

/** Loaded here, so that the start of a server does not load the list. */
async function parseEncoding(name: string | undefined): Promise<Encoding | undefined> {
  const { encodings } = await import('@tallybook/spreadsheets');
  const encoding = encodings.find((each) => each === name);
  if (encoding !== undefined || name === undefined) return encoding;
  throw invalidOption(`--encoding is one of ${encodings.join(', ')}; got ${quote(name)}`);
}

async function readList(file: string): Promise<Buffer> {
  try {
    const { size } = await stat(file);
    if (size > MAX_BYTES) throw new Error(`a list has at most ${MAX_BYTES} bytes; it has ${size}`);
    return await readFile(file);
  } catch (cause) {
    throw invalidOption(`cannot read ${quote(file)}: ${(cause as Error).message}`, undefined, cause);
  }
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
