import { invalidOption } from '@tallybook/devices';
import { readdir } from 'node:fs/promises';
import { parsePersonId, TallybookError, type PersonId } from '@tallybook/domain';
import { decidedReading, type FoundTag } from '@tallybook/domain/record';
import { findOwner } from '../access/with-owner.js';
import { confirms, chooseTag, typedIdsOf } from '../questions.js';
import { writeOutput } from '../terminal-output.js';
import {
  describeErasure,
  describePerson,
  describeRetention,
  describeTag,
  type PersonalConfig,
  type PersonalData,
  type Wanted,
} from './personal-data.js';
import { advising } from '../of-command.js';
import { withPersonalData } from './with-personal-data.js';

type TagIds = Wanted['ids'];

/** Spelling of the ids of a command, `--format`; `undefined` if the readers decide. */
type Format = string | undefined;

/** Texts for which a command is called: ids of tags, and ids of persons. */
interface Given {
  readonly tags: readonly string[];
  readonly persons: readonly string[];
  readonly format?: Format;
}

/**
 * `tallybook erase`: erases persons, by their tags or their own ids. Unless it is already confirmed, it first lists the data and
 * asks. Resolves with lines for people.
 */
export async function erase(
  config: PersonalConfig,
  given: Given,
  { isDryRun, isConfirmed }: { readonly isDryRun: boolean; readonly isConfirmed: boolean },
): Promise<readonly string[]> {
  if (given.tags.length + given.persons.length === 0) throw invalidOption('give a tag, or --person');
  const wanted = await wantedOf(config, given);
  const asks = !isDryRun && !isConfirmed;
  if (asks && !process.stdin.isTTY) {
    throw invalidOption(
      'nothing was erased: without a terminal this command cannot ask; check with --dry-run, then add --confirm',
    );
  }
  await requireFolder(config.backupFolder);
  if (asks) await requireMeant(config, wanted);
  return withPersonalData(config, '/api/erasures', async (data) => {
    const lines = isDryRun ? await describeAll(data, wanted.persons) : [];
    const report = await eraseOf(data, wanted, isDryRun);
    if (!isDryRun) lines.push(...wanted.persons.map((id) => `person ${id}: erased`));
    return [...lines, ...describeErasure(report, data.searched, data.isInDatabase)];
  });
}

/** `tallybook person`: writes all data of a person, or of the holder of a tag, to standard output. */
export async function person(config: PersonalConfig, given: Given): Promise<void> {
  if (given.tags.length + given.persons.length !== 1) throw invalidOption('give either a tag or --person');
  const { ids, persons } = await wantedOf(config, given);
  const [wanted] = [...ids, ...persons.map((id) => ({ person: id }))];
  if (wanted === undefined) return;
  await withPersonalData(config, '/api/person/data', (data) =>
    naming(() => writeOutput(data.person(wanted))),
  );
}

async function wantedOf(config: PersonalConfig, { tags, persons, format }: Given): Promise<Wanted> {
  const parsed = persons.map(parsePersonId);
  return { ids: tags.length === 0 ? [] : await tagsOf(config, tags, format), persons: parsed };
}

async function describeAll(data: PersonalData, persons: readonly PersonId[]): Promise<string[]> {
  const lines: string[] = [];
  for (const id of persons) lines.push(describePerson(await data.show(id)));
  return lines;
}

function eraseOf(data: PersonalData, wanted: Wanted, isDryRun: boolean): ReturnType<PersonalData['erase']> {
  return naming(() => data.erase(wanted, { isDryRun }));
}

/** If a tag does not say which person is meant, the error also names the option that does. */
function naming<T>(work: () => Promise<T>): Promise<T> {
  return advising(' with --person', work, 'PERSON_CONFLICT');
}

/**
 * The tags that a person means: by the readers of the service, or of the configuration if none runs. The store is closed while a
 * person chooses.
 */
async function tagsOf(config: PersonalConfig, texts: readonly string[], format: Format): Promise<TagIds> {
  if ((await findOwner(config.store)) === undefined) {
    const typed = typedIdsOf(config);
    const decided = texts.map((text) => decidedReading(typed.readings(text, format)));
    const ids = decided.flatMap((reading) => (reading?.format === 'hex' ? [reading.id] : []));
    if (ids.length === texts.length) {
      if (format === undefined) doubtDigits(texts);
      return ids;
    }
  }
  const found = await withPersonalData(config, '/api/id', async (data) => {
    const each: (readonly FoundTag[])[] = [];
    for (const text of texts) each.push(await data.look(text, format));
    return each;
  });
  const ids: TagIds[number][] = [];
  for (const [index, text] of texts.entries()) ids.push(await chooseTag(text, found[index] ?? []));
  return ids;
}

/** A stopped service may have had readers of numbers that the settings of this command do not name. */
function doubtDigits(texts: readonly string[]): void {
  for (const text of texts.filter((each) => /^[0-9]+$/.test(each)))
    process.stderr.write(`${text} is read as hex; if it is a number, give --format\n`);
}

/**
 * `tallybook retention`: removes days that are too old. On a terminal it first lists them and asks, unless that is already
 * confirmed. Without a terminal it removes only if there is no doubt. Resolves with lines for people.
 */
export async function retention(
  config: PersonalConfig,
  { isDryRun, isConfirmed }: { readonly isDryRun: boolean; readonly isConfirmed: boolean },
): Promise<readonly string[]> {
  const asks = !isDryRun && !isConfirmed && process.stdin.isTTY;
  const isMeant = isConfirmed || (asks && (await confirmsRetention(config)));
  return withPersonalData(config, '/api/retention', async (data) =>
    describeRetention(await data.retention({ isDryRun, isConfirmed: isMeant })),
  );
}

/** Checked before anything is erased: if the folder is missing, its backups cannot be searched. */
async function requireFolder(folder: string | undefined): Promise<void> {
  if (folder === undefined) return;
  await readdir(folder).catch((cause: unknown) => {
    const message = `--backup: the folder cannot be read: ${(cause as Error).message}; nothing was erased`;
    throw new TallybookError('INVALID_OPTION', message, { cause });
  });
}

/**
 * An id may be mistyped, so the person is named. The store is closed while the person reads that, so a service may
 * start meanwhile.
 */
async function requireMeant(config: PersonalConfig, wanted: Wanted): Promise<void> {
  // Backups are searched at the end.
  await withPersonalData({ ...config, backupFolder: undefined }, '/api/erasures', async (data) => {
    for (const line of await describeAll(data, wanted.persons)) process.stderr.write(`${line}\n`);
    const { tags } = await eraseOf(data, wanted, true);
    for (const tag of tags) {
      const name = tag.hasName ? await data.nameOf(tag.id) : undefined;
      process.stderr.write(`${describeTag(tag, { isDryRun: true, name })}\n`);
    }
  });
  if (await confirms('erase that from everything, and for good?')) return;
  throw invalidOption('nothing was erased');
}

/**
 * A time may be mistyped, so the days to remove are listed. The store is closed while the person reads that. Resolves with `true`
 * if a doubt was confirmed. A doubt that arises later was not confirmed.
 */
async function confirmsRetention(config: PersonalConfig): Promise<boolean> {
  const plan = await withPersonalData(config, '/api/retention', (data) =>
    data.retention({ isDryRun: true, isConfirmed: false }),
  );
  const isNothing = plan.days.length + plan.backups.length + plan.guests.length === 0;
  // A clock that may be wrong is refused, even with a confirmation.
  if (isNothing || plan.doubt === 'clock-not-trusted') return false;
  process.stderr.write(`${describeRetention(plan).join('\n')}\n`);
  if (await confirms('remove that for good?')) return plan.doubt !== undefined;
  throw invalidOption('nothing was removed');
}
