import { invalidOption } from '@tallybook/devices';
import { counted, isTallybookError, TallybookError, toTimestamp } from '@tallybook/domain';
import { createStorage, describeStore, requireStore, type FullStorage } from '../config/stores.js';
import { ofCommand } from './of-command.js';
import { copyStores } from '../copy/copy-stores.js';
import { findForeign } from '../copy/find-foreign.js';
import { recordKinds, surveyStores, type Survey } from '../copy/survey-stores.js';
import { requireRecordHere } from '../wiring/record-place.js';
import { ProgressLine } from './terminal-output.js';

export interface CopyCommandOptions {
  /** Whether the target may have its own record, into which the other one is merged. */
  readonly isMerging: boolean;
  /** Line for the progress. Default: standard error, if that is a terminal. */
  readonly progress?: ProgressLine;
}

/**
 * Copies a store into another one, and compares the data of both afterwards.
 *
 * @param from Store URL. Rejects with `STORE_UNAVAILABLE` if there is no such store.
 * @param to Store URL. Rejects with `INVALID_OPTION` if the target has data that the source does not have, unless it
 * merges; with `STORE_CORRUPT` if they are not the same at the end; and with the errors of opening and writing.
 * @returns The copied data, as lines for people.
 */
export async function copyStore(
  from: string,
  to: string,
  { isMerging, progress = new ProgressLine(process.stderr) }: CopyCommandOptions,
): Promise<readonly string[]> {
  requireLasting('--from', from);
  requireLasting('--to', to);
  if (from === to) throw invalidOption('--from and --to are the same store');
  await using source = await naming('--from', () => createStorage(from, ofCommand));
  await using target = await naming('--to', () => createStorage(to, ofCommand));
  await naming('--from', () => requireStore(from));
  await naming('--from', () => source.open());
  // The target is opened last, because opening creates it.
  await naming('--to', () => target.open());
  await requireRecordHere(source, describeStore(from));
  try {
    return await copyOpened({ from, source }, { to, target }, { isMerging, progress });
  } finally {
    progress.end();
  }
}

/** Does work with the store of a URL. Errors name the flag of the URL. */
async function naming<T>(flag: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isTallybookError(error)) throw error;
    const advice = error.code === 'STORE_LOCKED' ? '; stop the service before its store is copied' : '';
    // Messages of stores name `--store`, the flag of all other commands.
    const message = `${flag}: ${error.message.replaceAll('with --store', `with ${flag}`)}${advice}`;
    throw new TallybookError(error.code, message, { cause: error, details: error.details });
  }
}

async function copyOpened(
  { from, source }: { readonly from: string; readonly source: FullStorage },
  { to, target }: { readonly to: string; readonly target: FullStorage },
  { isMerging, progress }: Required<CopyCommandOptions>,
): Promise<readonly string[]> {
  const onProgress = (text: string): void => progress.show(text);
  if (!isMerging) {
    onProgress('looking for data that only the target has');
    const foreign = await findForeign(source, target);
    if (foreign !== undefined) throw refusal(to, foreign);
  }
  const now = toTimestamp(Math.floor(Date.now() / 1_000));
  const { hasOwnTrail, refused } = await copyStores(source, target, { isMerging, now, onProgress });
  const onDay = (day: number): void => progress.show(`comparing day ${day} since 1970`);
  const survey = await surveyStores(source, onDay);
  if (!isMerging) requireSame(survey, await surveyStores(target, onDay));
  return [
    `${isMerging ? 'merged' : 'copied'} ${describeStore(from)} into ${describeStore(to)}:`,
    ...describe(survey),
    ...(isMerging
      ? ['they were not compared, since the target may hold more']
      : ['both hold the same: they were read again and compared by these digests']),
    ...(hasOwnTrail ? ['the audit trail was not copied: the target has one of its own'] : []),
    ...(refused > 0
      ? [`left out: ${counted(refused, 'record')} of persons who were erased in the target`]
      : []),
    'the journal was not copied: at the target it starts again, and so do its followers',
  ];
}

function requireLasting(flag: string, url: string): void {
  if (!url.startsWith('memory:')) return;
  throw invalidOption(`${flag}: a store in memory belongs to one process; it cannot be copied`);
}

function requireSame(source: Survey, target: Survey): void {
  const other = recordKinds.filter((kind) => source[kind].digest !== target[kind].digest);
  if (other.length === 0) return;
  const counts = other.map((kind) => `${kind} (${source[kind].count} and ${target[kind].count})`);
  throw new TallybookError(
    'STORE_CORRUPT',
    `the stores are not the same after copying: ${counts.join(', ')}; let no service run on them meanwhile, and copy again`,
  );
}

function describe(survey: Survey): readonly string[] {
  const kinds = recordKinds.filter((kind) => survey[kind].count > 0);
  const width = Math.max(0, ...kinds.map((kind) => String(survey[kind].count).length));
  return kinds.map((kind) => {
    const { count, digest } = survey[kind];
    return `  ${String(count).padStart(width)} ${kind.padEnd(17)} sha256 ${digest.slice(0, 16)}`;
  });
}

function refusal(to: string, foreign: string): TallybookError {
  return invalidOption(
    `${describeStore(to)} holds data that the other store does not: ${foreign}; nothing was copied. Copy into an empty one, or add --merge to keep both`,
  );
}
