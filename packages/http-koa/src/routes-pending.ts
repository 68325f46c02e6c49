import type Router from '@koa/router';
import type { AttendanceService, Filing, ProvisionalScan } from '@tallybook/domain';
import { sendState } from './representation.js';

/** `GET /api/provisional` and `GET /api/backlog`: the scans that no day has yet, or has by an estimate only. */
export function addPendingRoutes(router: Router, attendance: AttendanceService): void {
  router.get('/api/provisional', async (ctx) => {
    const scans = await attendance.listProvisional();
    sendState(ctx, {
      waiting: scans.filter(({ filing }) => filing?.isRecorded !== true).map(formatWaiting),
      estimated: scans.flatMap((scan) =>
        scan.filing?.isRecorded === true ? formatFiled(scan, scan.filing) : [],
      ),
    });
  });

  router.get('/api/backlog', (ctx) => {
    const { waiting, limit, refused } = attendance.backlog;
    sendState(ctx, { waiting, limit, refused });
  });
}

function formatWaiting({ sequence, id, reader, shown, notBefore }: ProvisionalScan): object {
  return { sequence, id, reader, shown, notBefore };
}

function formatFiled({ sequence, id, reader }: ProvisionalScan, { day, at, estimate }: Filing): object[] {
  // A filing that is certain is about to be removed.
  return estimate === undefined
    ? []
    : [{ sequence, id, reader, day, at, earliest: estimate.earliest, latest: estimate.latest }];
}
