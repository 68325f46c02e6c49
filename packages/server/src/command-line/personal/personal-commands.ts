import { invalidOption } from '@tallybook/devices';
import { readdir } from 'node:fs/promises';
import { TallybookError } from '@tallybook/domain';
import { decidedReading, type FoundTag } from '@tallybook/domain/record';
import { findOwner } from '../access/with-owner.js';
import { confirms, chooseTag, typedIdsOf } from '../questions.js';
import { writeOutput } from '../terminal-output.js';
import {
  describeErasure,
  describeRetention,
  describeTag,
  type PersonalConfig,
  type PersonalData,
} from './personal-data.js';
import { withPersonalData } from './with-personal-data.js';

type TagIds = Parameters<PersonalData['erase']>[0];

/** Spelling of the ids of a command, `--format`; `undefined` if the readers decide. */
type Format = string | undefined;

/**
 * `tallybook erase`: erases persons by their tags. Unless it is already confirmed, it first lists the data and asks. Resolves with
 * lines for people.
 */
export async function erase(
  config: PersonalConfig,
  texts: readonly string[],
  {
    isDryRun,
    isConfirmed,
    format,
  }: { readonly isDryRun: boolean; readonly isConfirmed: boolean; readonly format?: Format },
): Promise<readonly string[]> {
  const ids = await tagsOf(config, texts, format);
  const asks = !isDryRun && !isConfirmed;
  if (asks && !process.stdin.isTTY) {
    throw invalidOption(
      'nothing was erased: without a terminal this command cannot ask; check with --dry-run, then add --confirm',
    );
  }
  await requireFolder(config.backupFolder);
  if (asks) await requireMeant(config, ids);
  return withPersonalData(config, '/api/erasures', async (data) =>
    describeErasure(await data.erase(ids, { isDryRun }), data.searched, data.isInDatabase),
  );
}

/** `tallybook person`: writes all data of a tag to standard output. */
export async function person(config: PersonalConfig, text: string, format?: Format): Promise<void> {
  const [id] = await tagsOf(config, [text], format);
  if (id === undefined) return;
  await withPersonalData(config, '/api/person/data', (data) => writeOutput(data.person(id)));
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
 * A tag may be mistyped, so its holder is named. The store is closed while the person reads that, so a service may
 * start meanwhile.
 */
async function requireMeant(config: PersonalConfig, ids: TagIds): Promise<void> {
  // Backups are searched at the end.
  await withPersonalData({ ...config, backupFolder: undefined }, '/api/erasures', async (data) => {
    const { tags } = await data.erase(ids, { isDryRun: true });
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
  const isNothing = plan.days.length === 0 && plan.backups.length === 0;
  // A clock that may be wrong is refused, even with a confirmation.
  if (isNothing || plan.doubt === 'clock-not-trusted') return false;
  process.stderr.write(`${describeRetention(plan).join('\n')}\n`);
  if (await confirms('remove that for good?')) return plan.doubt !== undefined;
  throw invalidOption('nothing was removed');
}
