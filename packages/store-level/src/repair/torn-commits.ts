import { decodeSequence } from '../rows/codec.js';
import { commitKey } from '../rows/keys.js';
import type { LogContent } from '../leveldb-files/log-file.js';
import { unseal } from '../rows/seal.js';
import { logRowAt, readBatch, type StoredRow } from '../leveldb-files/stored-rows.js';
import { scanRows } from './scan-rows.js';
import { latestCommits } from '../directory/acknowledged-commits.js';

/**
 * Finds out whether the torn end of a log is an acknowledged commit or an interrupted write. LevelDB treats both as an
 * interrupted write, and deletes the log with all rows that can still be read.
 *
 * @param acknowledged The latest acknowledged commit that can be in this log; `undefined` if unknown.
 * @returns The damage; `undefined` if no acknowledged commit is torn.
 */
export function findTornCommits(content: LogContent, acknowledged: number | undefined): string | undefined {
  const end = content.parts.at(-1);
  if (acknowledged === undefined || end === undefined || end.isRecord) return undefined;
  const whole = latestCommit(content.records);
  if (whole !== undefined) {
    const missing = acknowledged - whole;
    return missing > 0
      ? `its end is damaged: ${latestCommits(missing, 'acknowledged commit')} missing`
      : undefined;
  }
  const torn = commitIn(scanRows(end.bytes, (bytes, at) => logRowAt(bytes, at, 0)));
  return torn !== undefined && torn <= acknowledged
    ? 'its end is damaged: an acknowledged commit is torn'
    : undefined;
}

/**
 * The number of the first commit in a log; `undefined` if the log has no commit.
 *
 * An older log has only earlier commits. This matters when the power is cut twice. After the first cut, LevelDB leaves out the
 * torn end of a log and goes on in a new log. After the second cut, the disk may have both logs, and a `CURRENT` that names the
 * old one.
 */
export function firstCommit({ records }: LogContent): number | undefined {
  for (const record of records) {
    const commit = commitIn(readBatch(record));
    if (commit !== undefined) return commit;
  }
  return undefined;
}

/** The number of the latest commit in the records of a log; `undefined` if they hold no commit. */
function latestCommit(records: readonly Buffer[]): number | undefined {
  for (let index = records.length - 1; index >= 0; index--) {
    const commit = commitIn(readBatch(records[index] ?? Buffer.alloc(0)));
    if (commit !== undefined) return commit;
  }
  return undefined;
}

function commitIn(versions: readonly Pick<StoredRow, 'key' | 'value'>[]): number | undefined {
  const row = versions.findLast(({ key, value }) => key.equals(commitKey) && value !== undefined);
  try {
    return row?.value === undefined ? undefined : decodeSequence(unseal(commitKey, row.value));
  } catch {
    return undefined;
  }
}
