import {
  isTallybookError,
  JOURNAL_DAYS_RANGE,
  JOURNAL_LIMIT_RANGE,
  TallybookError,
  type ErrorCode,
} from '@tallybook/domain';
import {
  createStorage,
  describeStore,
  type FullStorage,
  type StoreNotice,
  type StoreOptions,
} from '../config/stores.js';
import { requireRecordHere } from '../wiring/record-place.js';
import { stampsBy, systemTime } from '../config/system-time.js';
import { unknownEndWords } from '../log/store-log.js';

/**
 * Options of stores for commands. They remove no changes from the journal: only the service does, by its settings. Names get stamps
 * as if the service had written them; only the service knows whether it is a centre.
 */
export const ofCommand: StoreOptions = {
  journal: { limit: JOURNAL_LIMIT_RANGE.highest, days: JOURNAL_DAYS_RANGE.highest },
  stamps: stampsBy(systemTime, false),
  notify: warnOfUnknownEnd,
};

/** Says it on standard error: this opening writes the files again, so the next start of the service does not find it any more. */
export function warnOfUnknownEnd(notice: StoreNotice): void {
  if (notice.kind === 'unknown-end') process.stderr.write(`tallybook: ${notice.path}: ${unknownEndWords}\n`);
}

/** Does work. An error with this code, by default that another process has the store open, also says `advice`. */
export async function advising<T>(
  advice: string,
  work: () => Promise<T>,
  refusal: ErrorCode = 'STORE_LOCKED',
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isTallybookError(error, refusal)) throw error;
    const { code, message, details } = error;
    throw new TallybookError(code, `${message}${advice}`, { cause: error, details });
  }
}

/** Does work with the store of a URL, which is made if it does not exist. */
export async function withStorage<T>(url: string, work: (storage: FullStorage) => Promise<T>): Promise<T> {
  await using storage = createStorage(url, ofCommand);
  await storage.open();
  await requireRecordHere(storage, describeStore(url));
  return await work(storage);
}
