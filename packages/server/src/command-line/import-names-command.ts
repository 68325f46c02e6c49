import { invalidOption } from '@tallybook/devices';
import { readFile, stat } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import {
  Calendar,
  counted,
  learnLatestScan,
  openAll,
  PeopleService,
  quote,
  TallybookError,
  Timekeeper,
} from '@tallybook/domain';
import {
  describeDoubts,
  PeopleImport,
  TagFinder,
  type ImportReport,
  type RefusedLine,
} from '@tallybook/domain/record';
import { SystemClock } from '@tallybook/system';
import type { Encoding, ListChoices } from '@tallybook/spreadsheets';
import { findOwner } from './access/with-owner.js';
import { noteAsOwner } from '../audit/command-trail.js';
import type { OwnerClient } from '../control/owner-client.js';
import { RELEASED_AT } from '../config/released-at.js';
import { createStorage, describeStore, requireStore } from '../config/stores.js';
import { requireRecordHere } from '../wiring/record-place.js';
import { advising, ofCommand } from './of-command.js';
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

type ImportSettings = Pick<Config, 'readers' | 'adapters' | 'clock'> &
  ConstructorParameters<typeof Calendar>[0];

/** What the caller of the command chooses. */
export interface ImportChoices {
  /** Only shows what would change. Default false. */
  readonly isDryRun?: boolean;
  /** Spelling of all ids. Default: decided by the readers. */
  readonly format?: string | undefined;
  /** The settings of readers, clock and days, if no service has the store open. Default: ids are hex, and days those of UTC. */
  readonly settings?: ImportSettings;
  readonly encoding?: string | undefined;
  /** Name or number of a sheet of a workbook. */
  readonly sheet?: string | undefined;
  /** A title, or a number from 1; so are the others. */
  readonly idColumn?: string | undefined;
  readonly firstColumn?: string | undefined;
  readonly lastColumn?: string | undefined;
  readonly numberColumn?: string | undefined;
  readonly groupColumn?: string | undefined;
  readonly personColumn?: string | undefined;
  /** What numbers are: `member` or `running`. */
  readonly numbers?: string | undefined;
  /** Gets what was guessed and left out, line by line. */
  readonly remark?: (line: string) => void;
}

/**
 * Reads persons from a list into a store, which is made if it does not exist. If a service has the store open, that service takes
 * them. Either the whole list is taken, or nothing. Before that, it shows how ids were read that are not hex, and asks at a
 * terminal if an id may be two tags, or what numbers are. Who a doubtful row is can be chosen on the page alone.
 *
 * @returns The changes, as a line for people.
 * @throws {TallybookError} `STORE_UNAVAILABLE` if there is no store for a dry run, `INVALID_OPTION` if the file cannot be read,
 * `INVALID_NAME_LIST` with the refused lines in the message; and the errors of opening the store.
 */
export async function importNames(store: string, file: string, choices: ImportChoices = {}): Promise<string> {
  const { isDryRun = false, remark } = choices;
  const settings = choices.settings ?? { readers: [], adapters: adaptersOf(), clock: 'system' as const };
  const columns = {
    ...{ id: choices.idColumn, first: choices.firstColumn, last: choices.lastColumn },
    ...{ number: choices.numberColumn, group: choices.groupColumn, person: choices.personColumn },
  };
  const list = { encoding: await parseEncoding(choices.encoding), sheet: choices.sheet, ...columns };
  const bytes = await readList(file);
  // A dry run must not make a store.
  if (isDryRun) await requireStore(store);
  const client = await findOwner(store);
  const take = (isTrial: boolean, { format, numbers }: Answered): Promise<Report> =>
    client === undefined
      ? takeHere(store, bytes, { ...list, isDryRun: isTrial, format, numbers, settings })
      : takeThere(client, bytes, { ...list, isDryRun: isTrial, format, numbers });
  let answered: Answered = { format: choices.format, numbers: parseNumbers(choices.numbers) };
  let trial = await take(true, answered);
  if (trial.refused.length > 0) {
    const format = await askFormat(trial.refused);
    answered = { ...answered, format: format ?? answered.format };
    if (format !== undefined) trial = await take(true, answered);
  }
  if (trial.runningNumber) {
    answered = { ...answered, numbers: await askNumbers() };
    if (answered.numbers !== undefined) trial = await take(true, answered);
  }
  const { remarks } = trial.reading;
  if (trial.refused.length > 0) throw refusal(file, trial.refused, remarks);
  for (const line of [...remarks, ...readingsOf(trial, choices.format)]) remark?.(line);
  if (isDryRun) return describe(trial, store, isDryRun);
  const doubtful = trial.rows.filter(({ state }) => state === 'doubtful').map(refusalOfDoubtful);
  if (doubtful.length > 0) throw refusal(file, doubtful, remarks);
  const taken = await take(false, answered);
  if (taken.refused.length > 0) throw refusal(file, taken.refused, remarks);
  return describe(taken, store, isDryRun);
}

type Report = Pick<
  ImportReport,
  'new' | 'changed' | 'same' | 'doubtful' | 'withoutTag' | 'runningNumber' | 'rows' | 'refused' | 'left'
> & { readonly reading: { readonly remarks: readonly string[] } };

/** What a person may be asked. */
interface Answered {
  readonly format: string | undefined;
  readonly numbers: 'member' | 'running' | undefined;
}

interface Taking extends ListChoices, Answered {
  readonly isDryRun: boolean;
}

function takeHere(
  store: string,
  bytes: Buffer,
  { isDryRun, format, numbers, settings, ...list }: Taking & { readonly settings: ImportSettings },
): Promise<Report> {
  return advising('; or send the list to the server that runs: POST /api/people', async () => {
    const storage = createStorage(store, ofCommand);
    const { mapping, people, snapshots, days, journal } = storage;
    const clock = new SystemClock({ isTrusted: settings.clock === 'trusted' });
    const timekeeper = new Timekeeper(clock, { builtAt: RELEASED_AT });
    const calendar = new Calendar(settings);
    await using _opened = await openAll([clock, storage]);
    await requireRecordHere(storage, describeStore(store));
    await learnLatestScan({ days, calendar, timekeeper, tapTimes: journal });
    const { readNameList, remarksOf } = await import('@tallybook/spreadsheets');
    const lines = readNameList(bytes, list);
    const imports = new PeopleImport({
      ...{ snapshots, mapping, calendar, timekeeper, pause: setImmediate },
      people: new PeopleService({ people, calendar, timekeeper }),
    });
    const tags = new TagFinder({ typed: typedIdsOf(settings), mapping, people, days, journal });
    const report = await imports.import(lines, { isDryRun, tags, format, numbers });
    const { new: added, changed, refused } = report;
    if (!isDryRun && refused.length === 0 && added + changed > 0)
      await noteAsOwner(storage, 'names-imported', { added, changed });
    return { ...report, reading: { remarks: remarksOf(lines.reading) } };
  });
}

function takeThere(
  client: OwnerClient,
  bytes: Buffer,
  { isDryRun, format, numbers, encoding, sheet, id, first, last, number, group, person }: Taking,
): Promise<Report> {
  const query = new URLSearchParams();
  const columns = {
    ...{ 'id-column': id, 'first-column': first, 'last-column': last },
    ...{ 'number-column': number, 'group-column': group, 'person-column': person },
  };
  const chosen = { 'dry-run': isDryRun ? '1' : undefined, format, numbers, encoding, sheet, ...columns };
  for (const [name, value] of Object.entries(chosen)) if (value !== undefined) query.set(name, value);
  return client.send(`/api/people?${query.toString()}`, { type: 'text/plain', bytes });
}

/** Asks a person what the numbers of a list are, which seem to count its rows. */
async function askNumbers(): Promise<Answered['numbers']> {
  const all = ['running', 'member'] as const;
  const question =
    'the numbers are those of other persons: do they count the rows, or are they those of members?';
  return all[(await choose(question, ['they count the rows', 'they are numbers of members'])) ?? NaN];
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
function readingsOf({ rows }: Report, given: string | undefined): readonly string[] {
  const all = rows.flatMap(({ tags }) => tags);
  const read = all.filter(({ text }) => text !== undefined);
  const seen = read.filter(({ lastSeen }) => lastSeen !== undefined);
  if (read.length === 0) {
    // A stopped service may have had readers of numbers that the settings of this command do not name.
    const isDoubtful = given === undefined && all.length > 0 && all.every(({ id }) => DIGITS.test(id));
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

function parseNumbers(text: string | undefined): Answered['numbers'] {
  if (text === undefined || text === 'member' || text === 'running') return text;
  throw invalidOption(`--numbers is member or running; got ${quote(text)}`);
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

function refusalOfDoubtful({ line, doubts }: Report['rows'][number]): RefusedLine {
  const message = `${describeDoubts(doubts)}, when you import the list on the page`;
  return { line, code: 'INVALID_NAME_LIST', message };
}

function describe(
  { new: added, changed, same, doubtful, withoutTag, left }: Report,
  store: string,
  isDryRun: boolean,
): string {
  const verb = isDryRun ? 'would change' : 'changed';
  const others = [
    ...(doubtful > 0 ? [`${doubtful} doubtful, so that nothing would be written: choose on the page`] : []),
    ...(withoutTag > 0 ? [`${withoutTag} without a tag`] : []),
    ...(left.length > 0 ? [`${counted(left.length, 'member is', 'members are')} not in the list`] : []),
  ];
  return [
    `${verb} persons in ${describeStore(store)}: ${added} new, ${changed} changed; ${same} the same as before`,
    ...others,
  ].join('; ');
}
