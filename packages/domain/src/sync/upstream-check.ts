import type { TrustedTime } from '../backup/erased-records.js';
import { counted } from '../counted.js';
import { isTallybookError } from '../errors.js';
import { worstOf, type HealthCheck, type NamedFinding } from '../health/health.js';
import type { StationRecord } from '../ports/sync/station-store.js';
import type { Timestamp } from '../values/timestamp.js';
import type { CentreSync } from './centre/centre-sync.js';
import type { StationSync, UpstreamReport } from './station/station-sync.js';

/** After so many seconds without its centre, somebody should look: longer than a network is away by itself. */
const SILENT_UPSTREAM_S = 3_600;
/** After so many seconds without a word of a station, somebody should look: it says how it is every few minutes. */
const SILENT_STATION_S = 86_400;

/**
 * Whether this device gets through to its centre. It never fails: recording goes on without it.
 *
 * @param timekeeper Whatever it says of the time, only what has passed counts.
 */
export function upstreamCheck(station: Pick<StationSync, 'report'>, timekeeper: TrustedTime): HealthCheck {
  const since = timekeeper.now();
  return {
    part: 'upstream',
    check: async () => {
      const report = await station.report();
      const doubts = [silence(report, timekeeper.now() - (report.heardAt ?? since)), refusal(report)];
      const detail = doubts.filter((doubt) => doubt !== undefined).join('; ');
      return detail === '' ? { status: 'ok' } : { status: 'warn', detail };
    },
  };
}

function silence({ error, status }: UpstreamReport, seconds: number): string | undefined {
  if (error === undefined) return undefined;
  const isRefused = isTallybookError(error) && error.code !== 'UPSTREAM_UNAVAILABLE';
  // A network that is away for a moment is no news; a token that does not count any more is.
  if (!isRefused && seconds < SILENT_UPSTREAM_S) return undefined;
  const reason = error instanceof Error ? error.message : 'it fails';
  return `the centre is not reached: ${reason}; ${counted(status.waiting, 'change waits', 'changes wait')}`;
}

function refusal({ refusedCount, refused }: UpstreamReport): string | undefined {
  if (refusedCount === 0) return undefined;
  return `the centre refused ${counted(refusedCount, 'change')}, the last one with ${refused.at(-1)?.code ?? 'no code'}`;
}

/** Whether the stations of this centre are heard, and their clocks are right. It never fails: they keep what they have. */
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
  return { name, status: 'warn', detail: `something of it was refused: ${last.message} (${last.code})` };
}
