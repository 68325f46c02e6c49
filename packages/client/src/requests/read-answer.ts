import type { RefusedLine } from '@tallybook/http-contract';
import { TallybookClientError } from '../tallybook-client-error.js';

/**
 * Requires an answer to have a media type.
 *
 * @throws {TallybookClientError} `invalid-answer` if it has another one: another program answered.
 */
export function requireType(response: Response, expected: string): void {
  const type = response.headers.get('Content-Type') ?? '';
  if (type.split(';')[0] !== expected) throw invalidAnswer(response, `${type || 'nothing'}, not ${expected}`);
}

/**
 * Refuses a page in place of a file.
 *
 * @throws {TallybookClientError} `invalid-answer`: another program answered.
 */
export function refusePage(response: Response): void {
  const type = response.headers.get('Content-Type') ?? '';
  if (type === '' || type.startsWith('text/html'))
    throw invalidAnswer(response, `${type || 'nothing'}, not a file`);
}

/** The JSON of an answer. */
export async function readJson(response: Response): Promise<unknown> {
  requireType(response, 'application/json');
  const text = await response.text();
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw invalidAnswer(response, 'invalid JSON', cause);
  }
}

/**
 * Reads an answer that must be empty. An answer with a body comes from another program than Tallybook, so no data was changed.
 */
export async function readNothing(response: Response): Promise<void> {
  if ((await response.text()) !== '') throw invalidAnswer(response, 'a page, not an empty answer');
}

function invalidAnswer({ status }: Response, got: string, cause?: unknown): TallybookClientError {
  return new TallybookClientError('invalid-answer', `this is not Tallybook: it sent ${got}`, {
    status,
    cause,
  });
}

/** The error that callers get for a failed request. */
export function failureOf(error: unknown, signal: AbortSignal | undefined): TallybookClientError {
  if (signal?.aborted === true) return new TallybookClientError('aborted', 'aborted', { cause: error });
  if (error instanceof TallybookClientError) return error;
  return new TallybookClientError('network', 'the service cannot be reached', { cause: error });
}

/** Problem details of a refused request, as in RFC 9457. */
interface Problem {
  readonly detail?: string;
  readonly code?: string;
  readonly refused?: readonly RefusedLine[];
  readonly expected?: number;
  readonly roles?: unknown;
  readonly subject?: string;
}

/** The error of an answer that is not a success. Reads its body. */
export async function problemOf(response: Response): Promise<TallybookClientError> {
  const { status, headers } = response;
  const text = await response.text();
  const isOfService = (headers.get('Content-Type') ?? '').startsWith('application/problem+json');
  // A 404 without problem details comes from a wrong base URL. It does not mean that the requested data is missing.
  if (status === 404 && !isOfService) return invalidAnswer(response, '404 without a reason');
  const { detail, code, refused, expected, roles, subject } = isOfService ? parseProblem(text) : {};
  const seconds = Number(headers.get('Retry-After') ?? Number.NaN);
  return new TallybookClientError('http', detail ?? `the service answered ${status}`, {
    status,
    code,
    refused,
    expected,
    subject,
    roles: Array.isArray(roles) ? roles.map(String) : undefined,
    retryAfterMs: Number.isFinite(seconds) ? seconds * 1000 : undefined,
  });
}

function parseProblem(text: string): Problem {
  try {
    return (JSON.parse(text) as Problem | null) ?? {};
  } catch {
    return {};
  }
}
