import { decodeSequence } from '../rows/codec.js';
import { latestCommits } from '../rows/counted.js';
import { findChanges } from './find-changes.js';
import { commitKey } from '../rows/keys.js';
import type { LogContent } from '../leveldb-files/log-file.js';
import { unseal } from '../rows/seal.js';
import type { RowVersion } from '../leveldb-files/table-block.js';
import type { Testimony } from '../directory/acknowledged-commits.js';
import { readBatch } from '../leveldb-files/write-batch.js';

/**
 * Finds out whether the torn end of a log was acknowledged: then it is no write that was interrupted. LevelDB takes it for
 * one, and deletes the log with what can still be read of it.
 *
 * @param testimony What is known of the commits from elsewhere.
 * @returns What is wrong, `undefined` if nothing is.
 */
export function findTornCommits(
  { records, parts }: LogContent,
  testimony: Testimony | undefined,
): string | undefined {
  const end = parts.at(-1);
  if (testimony === undefined || end === undefined || end.isRecord) return undefined;
  const whole = latestCommit(records);
  if (whole !== undefined) {
    const missing = testimony.commits - whole;
    return missing > 0
      ? `its end is damaged: ${latestCommits(missing, 'acknowledged commit')} missing`
      : undefined;
  }
  const { versions } = findChanges(end.bytes, { after: undefined, before: undefined, mayJump: true });
  const torn = commitIn(versions);
  return torn !== undefined && torn <= testimony.commits
    ? 'its end is damaged: a commit that was acknowledged is not whole'
    : undefined;
}

/** The number of the latest commit in the records of a log; `undefined` if it has none. */
function latestCommit(records: readonly Buffer[]): number | undefined {
  for (let index = records.length - 1; index >= 0; index--) {
    const commit = commitIn(readBatch(records[index] ?? Buffer.alloc(0)));
    if (commit !== undefined) return commit;
  }
  return undefined;
}

function commitIn(versions: readonly RowVersion[]): number | undefined {
  const row = versions.findLast(({ key, value }) => key.equals(commitKey) && value !== undefined);
  try {
    return row?.value === undefined ? undefined : decodeSequence(unseal(commitKey, row.value));
  } catch {
    return undefined;
  }
}
