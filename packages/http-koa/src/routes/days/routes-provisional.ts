import type { AttendanceService, ProvisionalScan } from '@tallybook/domain';
import type { Answers, Resource } from '../../answers/answers.js';
import { listOf, piecesOf, type Part } from '../list-pieces.js';
import type { Handlers } from '../implement.js';

/** Provisional and estimated scans, and the number of scans in memory. */
export function provisionalHandlers(
  attendance: AttendanceService,
  answers: Answers,
): Handlers<'GET /api/provisional' | 'GET /api/backlog'> {
  const provisional: Resource = {
    key: 'provisional',
    read: async () => piecesOf(...partsOf(await attendance.listProvisional())),
  };
  return {
    'GET /api/provisional': ({ ctx }) => answers.send(ctx, provisional),
    'GET /api/backlog': () => {
      const { waiting, limit, refused } = attendance.backlog;
      return { waiting, limit, refused };
    },
  };
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
