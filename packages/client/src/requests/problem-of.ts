import { TallybookClientError } from '../tallybook-client-error.js';
import type { RefusedLine } from '../values/names.js';
import { invalidAnswer } from './read-answer.js';

/** Problem details of a refused request, as in RFC 9457. */
interface Problem {
  readonly detail?: string;
  readonly code?: string;
  readonly refused?: readonly RefusedLine[];
  readonly expected?: number;
  readonly roles?: unknown;
  readonly subject?: string;
}

/** The error of an answer that is no success. Reads its body. */
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
