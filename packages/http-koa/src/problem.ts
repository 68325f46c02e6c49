import { STATUS_CODES } from 'node:http';
import { isPermanentFailure, isTallybookError, type ErrorCode, type TallybookError } from '@tallybook/domain';
import Koa from 'koa';
import { statusOf } from './error-map.js';

/** Description of a failed request for the client. */
export interface Problem {
  readonly status: number;
  /** One line. */
  readonly detail: string;
  readonly code?: ErrorCode;
  readonly headers?: Readonly<Record<string, string>>;
  /** Further members of the problem details. */
  readonly members?: Readonly<Record<string, unknown>>;
}

const TEXT = 'text/plain';
const PROBLEM = 'application/problem+json';
const JSON_TYPES = [PROBLEM, 'application/json'];

/**
 * Describes an error: with its reason if the request caused it, with only its code if the service caused it. A temporary fault,
 * such as a missing database, is 503 with the time to try again. A disk that cannot be written is 503 with the reason, so that
 * somebody frees space.
 */
export function problemOf(error: unknown): Problem {
  if (isTallybookError(error)) {
    const status = isPassing(error) ? 503 : statusOf[error.code];
    const described = { status, detail: detailOf(status, error), code: error.code };
    return { ...described, headers: headersOf(status, error), members: membersOf(error) };
  }
  if (error instanceof Koa.HttpError) {
    return { status: error.status, detail: detailOf(error.status, error), headers: error.headers ?? {} };
  }
  return { status: 500, detail: 'Internal server error' };
}

/** Answers with a line of text, or with RFC 9457 problem details if the request prefers JSON. */
export function sendProblem(ctx: Koa.Context, problem: Problem): void {
  const { status, detail, code, headers, members } = problem;
  ctx.status = status;
  ctx.set({ ...headers, 'Cache-Control': 'no-store' });
  ctx.vary('Accept');
  const accepted = ctx.accepts(TEXT, ...JSON_TYPES);
  if (accepted === TEXT || accepted === false) {
    ctx.set('Content-Type', `${TEXT}; charset=utf-8`);
    ctx.body = detail;
  } else {
    ctx.set('Content-Type', PROBLEM);
    ctx.body = JSON.stringify({
      type: 'about:blank',
      title: STATUS_CODES[status],
      status,
      detail,
      code,
      ...members,
    });
  }
}

/** Answers that the service is too busy at present. */
export function sendBusy(
  ctx: Koa.Context,
  why = 'other answers that read much are under way',
  seconds = 5,
): void {
  const headers = { 'Retry-After': String(seconds) };
  sendProblem(ctx, { status: 503, detail: `${why}; try again later`, headers });
}

/** Headers that HTTP requires besides the reason. */
function headersOf(status: number, { details }: TallybookError): Readonly<Record<string, string>> {
  const { retryAfterSeconds } = details;
  return {
    // For this scheme, browsers show no password dialog of their own.
    ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
    ...(typeof retryAfterSeconds === 'number' && { 'Retry-After': String(retryAfterSeconds) }),
  };
}

/** Facts from which a program can make its own message. */
function membersOf({ code, details }: TallybookError): Readonly<Record<string, unknown>> {
  const { roles, expected, subject } = details;
  if (code === 'SYNC_GAP') return { expected };
  if (code === 'IDENTITY_UNKNOWN') return { subject };
  return code === 'NOT_ALLOWED' && typeof roles === 'string' ? { roles: roles.split(' ') } : {};
}

function isPassing({ code, details }: TallybookError): boolean {
  const isOwnFault = statusOf[code] === 500 || code === 'STORE_WRITE_FAILED';
  return isOwnFault && typeof details['retryAfterSeconds'] === 'number';
}

/**
 * The reason of a failed outside service may be shown. The reason of the store may not, because it contains the place
 * of the store.
 */
function detailOf(status: number, error: Error): string {
  if (isTallybookError(error) && isPassing(error))
    return 'The store cannot be reached at present; try again later';
  if (isTallybookError(error, 'STORE_WRITE_FAILED')) {
    return isPermanentFailure(error)
      ? 'The store cannot be written: its disk is read-only or broken. Nothing is stored until somebody repairs it; the log says more'
      : 'The store cannot be written at present: its disk is full, or the log says why; try again when it can';
  }
  return status < 500 || status === 503 ? error.message : 'Internal server error';
}
