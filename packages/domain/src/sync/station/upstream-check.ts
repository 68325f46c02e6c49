import type { TrustedTime } from '../../time/timekeeper.js';
import { counted, isTallybookError } from '../../errors.js';
import type { HealthCheck } from '../../record/health/health.js';
import type { StationSync, UpstreamReport } from './station-sync.js';

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
      const detail = doubts.filter((doubt) => doubt !== undefined).join('; ');
      return detail === '' ? { status: 'ok' } : { status: 'warn', detail };
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
