import type Koa from 'koa';
import type { AttendanceService, ProvisionalScan } from '@tallybook/domain';
import type { Answers, Resource } from '../../answers/answers.js';
import { sendState } from '../../answers/representation.js';
import { listOf, piecesOf, type Part } from '../list-pieces.js';
import type { Route } from '../route.js';

/** `GET /api/provisional`: provisional and estimated scans. `GET /api/backlog`: the number of scans in memory. */
export function provisionalRoutes(attendance: AttendanceService, answers: Answers): readonly Route[] {
  const provisional: Resource = {
    key: 'provisional',
    read: async () => piecesOf(...partsOf(await attendance.listProvisional())),
  };

  const backlog = (ctx: Koa.Context): void => {
    const { waiting, limit, refused } = attendance.backlog;
    sendState(ctx, { waiting, limit, refused });
  };
  return [
    {
      method: 'GET',
      path: '/api/provisional',
      action: 'see-record',
      handle: (ctx) => answers.send(ctx, provisional),
    },
    { method: 'GET', path: '/api/backlog', action: 'see-service', handle: backlog },
  ];
}

function partsOf(scans: readonly ProvisionalScan[]): readonly Part[] {
  // A scan that was filed with certainty is removed soon, so it is left out.
  const estimated = scans.filter(
    ({ filing }) => filing?.isRecorded === true && filing.estimate !== undefined,
  );
  return ['{"waiting":[', waitingOf(scans), '],"estimated":[', listOf(estimated, formatEstimated), ']}'];
}

/** The scans whose day is not known yet. */
export function waitingOf(scans: readonly ProvisionalScan[]): Part {
  return listOf(
    scans.filter(({ filing }) => filing?.isRecorded !== true),
    formatProvisional,
  );
}

function formatProvisional({ sequence, id, reader, shown, notBefore }: ProvisionalScan): string {
  return JSON.stringify({ sequence, id, reader, shown, notBefore });
}

function formatEstimated({ sequence, id, reader, filing }: ProvisionalScan): string {
  const { day, at, estimate } = filing ?? {};
  const { earliest, latest } = estimate ?? {};
  return JSON.stringify({ sequence, id, reader, day, at, earliest, latest });
}
