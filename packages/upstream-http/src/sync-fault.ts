import {
  isTallybookError,
  printable,
  TallybookError,
  type ErrorCode,
  type ErrorDetails,
} from '@tallybook/domain';
import { OversizeError, readText } from './read-bounded.js';

/** Largest number of bytes that are read of a refusal. */
const PROBLEM_BYTES = 16_384;
/** Largest number of characters of a centre's text that a message shows. */
const DETAIL_LENGTH = 200;

/** Codes of a centre that a station understands. */
const CODES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'SYNC_GAP',
  'SYNC_TOO_OLD',
  'INVALID_SYNC',
  'NOT_ALLOWED',
  'NOT_SIGNED_IN',
  'NOT_CLAIMED',
]);

/** Advice by the status, if the answer of the centre has none. */
const WORDS: Readonly<Record<number, string>> = {
  401: 'does not know the token; make another one there: tallybook token add NAME --role station',
  403: 'does not allow it; the token must be one of the role station',
  404: 'has no such interface: it is not a Tallybook',
  413: 'refuses the batch as too large',
  421: 'does not know itself by this name; set --allowed-host there',
  429: 'gets too many requests',
};

const REASONS: Readonly<Record<number, string>> = {
  401: 'refused',
  403: 'refused',
  404: 'no-centre',
  405: 'no-centre',
};

/** Problems of a connection, by the code of Node. */
const PROBLEMS: readonly (readonly [RegExp, reason: string, words: string])[] = [
  [
    // The answer to the first message of TLS is not TLS.
    /^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)$/,
    'answer',
    'speaks http, not https; check the port, or write http:// (see --upstream-insecure)',
  ],
  [
    /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_|ERR_SSL_|ERR_OSSL_|EPROTO)/,
    'certificate',
    'has no certificate that is trusted; check the host, or name the authority in NODE_EXTRA_CA_CERTS',
  ],
  [/^(?:ENOTFOUND|EAI_)/, 'missing', 'is not known by this name; check the host and the network'],
  [/^ECONNREFUSED$/, 'missing', 'does not listen there'],
  [/^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'lost', 'closes the connection without an answer'],
  [
    /^(?:ENETUNREACH|EHOSTUNREACH|ENETDOWN|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/,
    'missing',
    'cannot be reached',
  ],
];

/** Whether an answer is for a browser, as that of a sign-in page. A centre never gives one here. */
export function isPage({ headers }: Response): boolean {
  return /^text\/html\b/i.test(headers.get('Content-Type') ?? '');
}

const NO_SIGN_IN = 'let requests for api/sync pass without it: the token is their sign-in';

/** The error of an answer for a browser. */
export async function faultOfPage(url: URL, { status, body }: Response): Promise<TallybookError> {
  await body?.cancel();
  const words = `answers with a page for people (${status}), as a sign-in page in front of it does; ${NO_SIGN_IN}`;
  return fault(url, words, { status, reason: 'page' });
}

/** The error of an answer with a status other than success. Reads a bounded part of its body. */
export async function faultOfAnswer(url: URL, response: Response): Promise<TallybookError> {
  const { status, headers, type } = response;
  if (type === 'opaqueredirect' || (status >= 300 && status <= 399)) {
    await response.body?.cancel();
    return fault(
      url,
      `redirects, and redirects are not followed; set the address to which it redirects. If that is a page to sign in, ${NO_SIGN_IN}`,
      { reason: 'redirect' },
    );
  }
  if ((status === 401 || status === 403) && isPage(response)) return faultOfPage(url, response);
  const problem = await problemOf(response);
  const said = problem.detail === undefined ? undefined : ` (${problem.detail})`;
  const retryAfter = Number(headers.get('Retry-After') ?? Number.NaN);
  const details: ErrorDetails = {
    status,
    reason: REASONS[status] ?? 'answer',
    ...(problem.expected === undefined ? {} : { expected: problem.expected }),
    ...(Number.isFinite(retryAfter) && { retryAfterSeconds: retryAfter }),
  };
  const words = `${WORDS[status] ?? `answers ${status}`}${said ?? ''}`;
  return fault(url, words, details, problem.code ?? codeOf(status));
}

/** The error of a request without an answer, or with an incomplete one. */
export function faultOfRequest(url: URL, error: unknown, isOverdue: boolean): TallybookError {
  if (isTallybookError(error)) return error;
  const options = { cause: error };
  if (isOverdue) return fault(url, 'does not answer in time', { reason: 'time-out' }, undefined, options);
  if (error instanceof OversizeError || isNoText(error)) {
    return strangeAnswer(url, error);
  }
  const code = systemCodeOf(error);
  const [, reason, words] = PROBLEMS.find(([pattern]) => pattern.test(code)) ?? [];
  const detail = code === '' ? '' : ` (${code})`;
  return fault(
    url,
    `${words ?? 'cannot be reached'}${detail}`,
    { reason: reason ?? 'missing' },
    undefined,
    options,
  );
}

/** The error of an answer with an unexpected content. */
export function strangeAnswer(url: URL, cause: unknown): TallybookError {
  return fault(url, 'gives an answer that no centre gives', { reason: 'answer' }, undefined, { cause });
}

/** Names only the host: the path may be a secret of the centre. */
function fault(
  { host }: URL,
  words: string,
  details: ErrorDetails,
  code: ErrorCode = 'UPSTREAM_UNAVAILABLE',
  options: { readonly cause?: unknown } = {},
): TallybookError {
  return new TallybookError(code, `the centre at ${host} ${words}`, {
    ...options,
    details: { host, ...details },
  });
}

function codeOf(status: number): ErrorCode {
  return status === 401 || status === 403 ? 'NOT_ALLOWED' : 'UPSTREAM_UNAVAILABLE';
}

interface Problem {
  readonly code?: ErrorCode;
  readonly detail?: string;
  readonly expected?: number;
}

async function problemOf(response: Response): Promise<Problem> {
  const text = await readText(response, PROBLEM_BYTES).catch(() => '');
  if (!(response.headers.get('Content-Type') ?? '').startsWith('application/problem+json')) return {};
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return {};
  }
  const { code, detail, expected } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const known = CODES.has(code as ErrorCode) ? (code as ErrorCode) : undefined;
  return {
    ...(known !== undefined && { code: known }),
    ...(typeof detail === 'string' && { detail: printable(detail.slice(0, DETAIL_LENGTH)) }),
    ...(Number.isSafeInteger(expected) && { expected: expected as number }),
  };
}

/**
 * The code of an error of `fetch`. Its message is only "fetch failed"; the code is in its cause, or in the first of
 * several causes.
 */
function systemCodeOf(error: unknown): string {
  for (let each = error, depth = 0; each instanceof Error && depth < 5; depth++) {
    if ('code' in each && typeof each.code === 'string' && each.code !== '') return each.code;
    each =
      each instanceof AggregateError && each.errors.length > 0 ? (each.errors[0] as unknown) : each.cause;
  }
  return '';
}

/** Whether an error means that an answer is not UTF-8. */
function isNoText(error: unknown): boolean {
  return error instanceof TypeError && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
}
