import type { IncomingMessage } from 'node:http';
import { quote, type AuditNotes, type Journal } from '@tallybook/domain';
import type { ImportCounts } from '@tallybook/domain/record';
import { BACKUP_TYPES } from '@tallybook/http-contract';
import { principalOf } from '../../access/principal-of.js';
import { confirmRight, requireStill } from '../../held-right.js';
import { sendBusy } from '../../problem.js';
import { refuseCodings } from '../../requests/read-body.js';
import type { Handlers } from '../implement.js';

/** What a restore calls on its way. */
export interface RestoreSteps {
  /** Called when all bytes are there, before they are checked. */
  readonly received: () => Promise<void>;
  /** Called before the first write. If it throws, nothing is written. */
  readonly confirm: () => void;
}

/**
 * Keeps the bytes of a backup aside, checks them, and merges them into the record. Rejects with `INVALID_BACKUP` if they are not
 * a backup, and with the errors of the bytes, the steps and the stores.
 */
export type RestoreBackup = (bytes: AsyncIterable<Buffer>, steps: RestoreSteps) => Promise<ImportCounts>;

interface RestoreDependencies {
  readonly restore: RestoreBackup;
  /** Has an entry for every change of the record. */
  readonly journal: Pick<Journal, 'latest'>;
  readonly audit: AuditNotes | undefined;
}

/** A backup that is merged into the record. */
export function restoreHandlers({
  restore,
  journal,
  audit,
}: RestoreDependencies): Handlers<'POST /api/restore'> {
  let isRestoring = false;
  return {
    'POST /api/restore': async ({ ctx }) => {
      if (ctx.is([...BACKUP_TYPES]) === false)
        ctx.throw(
          415,
          `the body must be one of ${BACKUP_TYPES.join(', ')}; got ${quote(ctx.get('Content-Type'))}`,
        );
      refuseCodings(ctx);
      if (isRestoring) {
        ctx.req.resume();
        sendBusy(ctx, 'another backup is being restored', 30);
        return;
      }
      isRestoring = true;
      try {
        const before = await journal.latest();
        const counts = await restore(
          arriving(ctx.req, () => ctx.throw(400, 'the body did not arrive as a whole')),
          {
            received: () => confirmRight(ctx),
            confirm: () => requireStill(ctx),
          },
        );
        const isChanged = (await journal.latest()) !== before;
        await audit?.note(principalOf(ctx).name, 'imported', { ...counts });
        const { persons = 0, names, entries, corrections, provisional, refused = 0 } = counts;
        return { persons, names, entries, corrections, provisional, refused, isChanged };
      } finally {
        isRestoring = false;
      }
    },
  };
}

/**
 * The bytes of a request. It stays open if they are not read to the end, because it gets an answer.
 *
 * @param fail Throws if the client disconnects before the end.
 */
async function* arriving(
  request: IncomingMessage,
  fail: () => never,
): AsyncGenerator<Buffer, void, undefined> {
  try {
    yield* request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } catch {
    fail();
  } finally {
    request.resume();
  }
}
