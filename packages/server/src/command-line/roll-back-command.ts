import { join, resolve } from 'node:path';
import { invalidOption } from '@tallybook/devices';
import { counted } from '@tallybook/domain';
import { BackupService } from '@tallybook/domain/record';
import { formerStateOf } from '../config/stores.js';
import { countNewerTaps } from '../copy/count-newer-taps.js';
import { writeBackupFile } from './backup-commands.js';
import { advising, withStorage } from './of-command.js';
import { confirms } from './questions.js';
import { ProgressLine } from './terminal-output.js';

export interface RollBackOptions {
  /** File for a backup of the present store. Default: one in its folder. */
  readonly out?: string | undefined;
  readonly isConfirmed: boolean;
  /** Called with lines that come before the question. */
  readonly tell: (line: string) => void;
}

/**
 * `tallybook rollback`: puts a store back as it was before it got its present format. First writes a backup of the present one, and
 * unless it is already confirmed, asks. Resolves with lines for people.
 */
export async function rollBack(
  store: string,
  { out, isConfirmed, tell }: RollBackOptions,
): Promise<readonly string[]> {
  const { former, path } = await formerStateOf(store);
  if (!isConfirmed && !process.stdin.isTTY) {
    // Where there is nothing to undo, --confirm would not help.
    await former.require(path);
    throw invalidOption(
      'nothing was changed: without a terminal this command cannot ask; add --confirm if the store is to be put back',
    );
  }
  // `store-level` knows this name.
  const file = resolve(out ?? join(path, `rolled-back-${nameOfNow()}.jsonl`));
  const progress = new ProgressLine(process.stderr);
  const ask = async (taps: number): Promise<boolean> => {
    tell(`the present record is in ${file}, and stays there`);
    tell(
      `${counted(taps, 'tap')} since the update ${taps === 1 ? 'is' : 'are'} only there. Names, users, tokens and settings also become those of before the update`,
    );
    return isConfirmed || confirms('put the store back as it was before the update?');
  };
  const { taps, isWanted } = await advising('; stop the service before its store is rolled back', () =>
    withStorage(store, (present) =>
      former.read(path, async (before) => {
        const lines = progress.count(new BackupService(present).export(), (count) => `backup line ${count}`);
        await writeBackupFile(file, lines).finally(() => progress.end());
        const newer = await progress.during('comparing the taps', countNewerTaps(present, before));
        // The store stays in use meanwhile: a service that starts would record taps that are in no backup.
        return { taps: newer, isWanted: await ask(newer) };
      }),
    ),
  );
  if (!isWanted) return ['nothing was changed; the backup stays'];
  await former.putBack(path);
  return [
    'the store is as it was before the update',
    'now install the older version, before the service starts: this version would update the store again',
    `then "tallybook import ${file}" brings back the ${counted(taps, 'tap')} and the names, if that version reads this backup`,
    'tokens, passkeys and users that were removed since the update are valid again: remove them again',
  ];
}

function nameOfNow(): string {
  return new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
}
