import { readdir } from 'node:fs/promises';
import { parseTallyId, TallybookError } from '@tallybook/domain';
import { confirms } from '../confirms.js';
import { writeOutput } from '../write-output.js';
import { describeErasure, describeRetention, describeTag } from './describe-personal.js';
import type { PersonalConfig, PersonalData } from './personal-data.js';
import { withPersonalData } from './with-personal-data.js';

type TagIds = Parameters<PersonalData['erase']>[0];

/**
 * `tallybook erase`: erases persons by their tags. It says first what will go, and asks, unless that is confirmed already.
 * Resolves with what it says about it.
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
      'what is erased is gone for good, and without a terminal nobody can be asked: look at it with --dry-run, then add --confirm; nothing was erased',
    );
  }
  await requireFolder(config.backupFolder);
  return withPersonalData(config, '/api/erasures', async (data) => {
    if (asks) await requireMeant(data, ids);
    return describeErasure(await data.erase(ids, { isDryRun }), data.searched, data.isInDatabase);
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

/** A tag may be mistyped: so it is said whose it is. */
async function requireMeant(data: PersonalData, ids: TagIds): Promise<void> {
  const { tags } = await data.erase(ids, { isDryRun: true });
  for (const tag of tags) {
    const name = tag.hasName ? await data.nameOf(tag.id) : undefined;
    process.stderr.write(`${describeTag(tag, { isDryRun: true, name })}\n`);
  }
  if (await confirms('erase that from everything, and for good?')) return;
  throw new TallybookError('INVALID_OPTION', 'nothing was erased');
}
