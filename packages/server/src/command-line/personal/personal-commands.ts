import { readdir } from 'node:fs/promises';
import { parseTallyId, TallybookError } from '@tallybook/domain';
import { confirms } from '../confirms.js';
import { writeOutput } from '../write-output.js';
import { describeErasure, describeRetention, describeTag } from './describe-personal.js';
import type { PersonalConfig, PersonalData } from './personal-data.js';
import { withPersonalData } from './with-personal-data.js';

type TagIds = Parameters<PersonalData['erase']>[0];

/**
 * `tallybook erase`: erases persons by their tags. Unless it is already confirmed, it first lists the data and asks. Resolves with
 * lines for people.
 */
export async function erase(
  config: PersonalConfig,
  texts: readonly string[],
  { isDryRun, isConfirmed }: { readonly isDryRun: boolean; readonly isConfirmed: boolean },
): Promise<readonly string[]> {
  const ids = texts.map((text) => parseTallyId(text));
  const asks = !isDryRun && !isConfirmed;
  if (asks && !process.stdin.isTTY) {
    throw new TallybookError(
      'INVALID_OPTION',
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
export function person(config: PersonalConfig, text: string): Promise<void> {
  const id = parseTallyId(text);
  return withPersonalData(config, '/api/person/data', (data) => writeOutput(data.person(id)));
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
  throw new TallybookError('INVALID_OPTION', 'nothing was erased');
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
  throw new TallybookError('INVALID_OPTION', 'nothing was removed');
}
