import { readdir } from 'node:fs/promises';
import { parseTallyId, TallybookError } from '@tallybook/domain';
import { confirms } from '../confirms.js';
import { writeOutput } from '../write-output.js';
import { describeErasure, describeRetention, isUnknown } from './describe-personal.js';
import type { PersonalConfig, PersonalData } from './personal-data.js';
import { withPersonalData } from './with-personal-data.js';

type TagIds = Parameters<PersonalData['erase']>[0];

/**
 * `tallybook erase`: erases persons by their tags. On a terminal it asks before it erases a tag of which nothing is known.
 * Resolves with what it says about it.
 */
export async function erase(
  config: PersonalConfig,
  texts: readonly string[],
  options: { readonly isDryRun: boolean },
): Promise<readonly string[]> {
  const ids = texts.map((text) => parseTallyId(text));
  await requireFolder(config.backupFolder);
  return withPersonalData(config, '/api/erasures', async (data) => {
    if (!options.isDryRun && process.stdin.isTTY) await requireMeant(data, ids);
    return describeErasure(await data.erase(ids, options), data.searched, data.isInDatabase);
  });
}

/** `tallybook person`: writes everything that is kept of a tag to standard output. */
export function person(config: PersonalConfig, text: string): Promise<void> {
  const id = parseTallyId(text);
  return withPersonalData(config, '/api/person/data', (data) => writeOutput(data.person(id)));
}

/** `tallybook retention`: removes what was kept long enough. Resolves with what it says about it. */
export function retention(
  config: PersonalConfig,
  options: { readonly isDryRun: boolean; readonly isConfirmed: boolean },
): Promise<readonly string[]> {
  return withPersonalData(config, '/api/retention', async (data) =>
    describeRetention(await data.retention(options)),
  );
}

/** Before anything is erased: that no backup holds a person must not be said of a folder that is not there. */
async function requireFolder(folder: string | undefined): Promise<void> {
  if (folder === undefined) return;
  await readdir(folder).catch((cause: unknown) => {
    const message = `--backup: the folder cannot be read: ${(cause as Error).message}; nothing was erased`;
    throw new TallybookError('INVALID_OPTION', message, { cause });
  });
}

/** A tag of which nothing is known may be mistyped, or known to a station that is offline. */
async function requireMeant(data: PersonalData, ids: TagIds): Promise<void> {
  const { tags } = await data.erase(ids, { isDryRun: true });
  const unknown = tags.filter(isUnknown).map(({ id }) => id);
  if (unknown.length === 0) return;
  const question = `nothing is known of ${unknown.join(', ')}: refuse all the same what a station or an import has of it?`;
  if (await confirms(question)) return;
  throw new TallybookError('INVALID_OPTION', 'nothing was erased');
}
