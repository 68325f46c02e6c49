import type { RefusedLine } from '@tallybook/http-contract';

/**
 * Kind of a failure:
 *
 * - `network`: no answer, or only a part of one. It may work later. A change may or may not have been made.
 * - `http`: the service refused, see `status` and `code`.
 * - `aborted`: the signal of the caller ended it.
 * - `invalid-answer`: another program answered, such as the login page of a Wi-Fi.
 */
export type FailureKind = 'network' | 'http' | 'aborted' | 'invalid-answer';

export interface FailureDetails {
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly refused?: readonly RefusedLine[] | undefined;
  readonly expected?: number | undefined;
  readonly roles?: readonly string[] | undefined;
  readonly subject?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** The error of every method. The message is for people, and may change. */
export class TallybookClientError extends Error {
  override readonly name = 'TallybookClientError';
  readonly kind: FailureKind;
  /** The status of the answer, if there was one. */
  readonly status: number | undefined;
  /**
   * Stable code of the service, such as `INVALID_NAME`. Absent if the request was not a valid HTTP request of the
   * interface.
   */
  readonly code: string | undefined;
  /** The refused lines of a list; empty for other failures. */
  readonly refused: readonly RefusedLine[];
  /** With `SYNC_GAP`: the cursor up to which the centre has the changes of the station. */
  readonly expected: number | undefined;
  /** With `NOT_ALLOWED`: the roles that may do it, if the service gives them. */
  readonly roles: readonly string[];
  /** With `IDENTITY_UNKNOWN`: the identity provider's identifier of the person. */
  readonly subject: string | undefined;
  /** Milliseconds that the service asks to wait before another try. */
  readonly retryAfterMs: number | undefined;
  override readonly cause: unknown;

  constructor(kind: FailureKind, message: string, details: FailureDetails = {}) {
    super(message);
    this.kind = kind;
    this.status = details.status;
    this.code = details.code;
    this.refused = details.refused ?? [];
    this.expected = details.expected;
    this.roles = details.roles ?? [];
    this.subject = details.subject;
    this.retryAfterMs = details.retryAfterMs;
    this.cause = details.cause;
  }
}
