import type { ErrorCode } from '@tallybook/domain';

/**
 * The HTTP status of every error of the domain: 4xx where the request is to blame, 500 where it is not.
 *
 * There is no other place for them, and a code that is missing here does not compile.
 */
export const statusOf: Readonly<Record<ErrorCode, 400 | 404 | 409 | 422 | 500>> = {
  INVALID_TALLY_ID: 400,
  BLANK_TALLY_ID: 400,
  UNSTABLE_TALLY_ID: 400,
  INVALID_NAME: 400,
  INVALID_NAME_LIST: 422,
  NAME_NOT_FOUND: 404,
  INVALID_TIMESTAMP: 400,
  INVALID_DAY: 400,
  RANGE_TOO_LONG: 400,
  INVALID_OPTION: 500,
  INVALID_BACKUP: 500,
  BACKUP_FAILED: 500,
  CLOCK_SYNCHRONISED: 409,
  TIME_NOT_CONFIRMED: 409,
  NOT_OPEN: 500,
  STORE_LOCKED: 500,
  STORE_CORRUPT: 500,
  STORE_FORMAT_UNSUPPORTED: 500,
  STORE_UNAVAILABLE: 500,
  STORE_READ_FAILED: 500,
  STORE_WRITE_FAILED: 500,
  READER_DISCONNECTED: 500,
  FRAME_INVALID: 500,
  OUTPUT_FAILED: 500,
  TOO_MANY_SUBSCRIBERS: 500,
  LISTEN_FAILED: 500,
};
