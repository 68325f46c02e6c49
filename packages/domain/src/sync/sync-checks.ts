import type { TrustedTime } from '../time/timekeeper.js';
import { counted, isTallybookError } from '../errors.js';
import { warning, worstOf, type HealthCheck, type NamedFinding } from '../record/health/health.js';
import type { Timestamp } from '../values/timestamp.js';
import type { CentreSync } from './centre/centre-sync.js';
import type { StationRecord } from './ports/station-store.js';
import type { StationSync, UpstreamReport } from './station/station-sync.js';

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

/** An unreachable centre is reported after this many seconds: a network is seldom away for longer. */
const SILENT_UPSTREAM_S = 3_600;
/** Reasons of a transport that another attempt does not change: another address, a sign-in page, no centre there. */
const LASTING: ReadonlySet<unknown> = new Set(['redirect', 'page', 'no-centre']);

/**
 * Whether this device reaches its centre, and the centre refused nothing. It never fails: recording goes on without the
 * centre.
 *
 * @param timekeeper Measures the silence of the centre; the clock need not be trusted.
 */
export function upstreamCheck(station: Pick<StationSync, 'report'>, timekeeper: TrustedTime): HealthCheck {
  const since = timekeeper.now();
  return {
    part: 'upstream',
    check: async () => {
      const report = await station.report();
      const doubts = [silence(report, timekeeper.now() - (report.heardAt ?? since)), refusal(report)];
      return warning(doubts.filter((doubt) => doubt !== undefined).join('; ') || undefined);
    },
  };
}

function silence({ error, status }: UpstreamReport, seconds: number): string | undefined {
  if (error === undefined) return undefined;
  const isRefused =
    isTallybookError(error) &&
    (error.code !== 'UPSTREAM_UNAVAILABLE' || LASTING.has(error.details['reason']));
  // A short break of the network is not reported; an invalid token or a sign-in page is reported at once.
  if (!isRefused && seconds < SILENT_UPSTREAM_S) return undefined;
  const reason = error instanceof Error ? error.message : 'it fails';
  return `the centre is not reached: ${reason}; ${counted(status.waiting, 'change waits', 'changes wait')}`;
}

function refusal({ refusedCount, refused }: UpstreamReport): string | undefined {
  if (refusedCount === 0) return undefined;
  return `the centre refused ${counted(refusedCount, 'change')}, the last one with ${refused.at(-1)?.code ?? 'no code'}`;
}
