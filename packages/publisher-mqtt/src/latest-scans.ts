import type { Day, TallyId, Timestamp } from '@tallybook/domain';
import type { ScanMessage } from './scan-message.js';

/** The latest second of published scans, with their tags: later scans were not published. */
export interface LatestScans {
  readonly day: Day;
  readonly at: Timestamp;
  readonly ids: readonly TallyId[];
}

/** The latest scans after one more message. A provisional or failed scan has no time, and changes nothing. */
export function noteLatest(latest: LatestScans | undefined, message: ScanMessage): LatestScans | undefined {
  const { id, day, at } = message;
  if (day === null || at === null || (latest !== undefined && at < latest.at)) return latest;
  if (latest === undefined || at > latest.at) return { day, at, ids: [id] };
  return latest.ids.includes(id) ? latest : { ...latest, ids: [...latest.ids, id] };
}

/** Whether a scan was not published, as far as is known. */
export function isUntold(
  { at, ids }: LatestScans,
  scan: { readonly id: TallyId; readonly at: Timestamp },
): boolean {
  return scan.at > at || (scan.at === at && !ids.includes(scan.id));
}
