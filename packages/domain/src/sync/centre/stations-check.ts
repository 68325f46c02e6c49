import type { TrustedTime } from '../../time/timekeeper.js';
import { counted } from '../../errors.js';
import { worstOf, type HealthCheck, type NamedFinding } from '../../record/health/health.js';
import type { StationRecord } from '../ports/station-store.js';
import type { Timestamp } from '../../values/timestamp.js';
import type { CentreSync } from './centre-sync.js';

/**
 * A station without a batch for this many seconds is reported: a working station reports its state every few minutes.
 */
const SILENT_STATION_S = 86_400;

/**
 * Whether the stations of this centre send batches, have trusted clocks, and had no refused items lately. It never fails:
 * stations keep their scans meanwhile.
 */
export function stationsCheck(centre: Pick<CentreSync, 'stations'>, timekeeper: TrustedTime): HealthCheck {
  return {
    part: 'stations',
    check: async () => {
      const now = timekeeper.now();
      const items = (await centre.stations()).map((record) => findingOf(record, now));
      return { status: worstOf(items.map(({ status }) => status)), items };
    },
  };
}

function findingOf({ name, heardAt, status, refused }: StationRecord, now: Timestamp): NamedFinding {
  const hours = Math.floor((now - heardAt) / 3_600);
  if (now - heardAt > SILENT_STATION_S)
    return { name, status: 'warn', detail: `not heard for ${counted(hours, 'hour')}` };
  if (!status.isClockTrusted) {
    const detail = `its clock may be wrong: ${counted(status.provisional, 'scan waits', 'scans wait')} for the right time`;
    return { name, status: 'warn', detail };
  }
  const last = refused.at(-1);
  if (last === undefined || now - last.at > SILENT_STATION_S) return { name, status: 'ok' };
  return { name, status: 'warn', detail: `an item was refused: ${last.message} (${last.code})` };
}
