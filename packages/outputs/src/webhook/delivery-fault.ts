import { STATUS_CODES } from 'node:http';
import { AccessFileError } from '@tallybook/devices';
import { TallybookError } from '@tallybook/domain';
import { SilentEndpointError } from './endpoint.js';

type Problem = readonly [reason: string, message: string];

/** The receiver took the request, and shows a browser where to go on. The other redirects ask for the same request elsewhere. */
const SEE_OTHER: ReadonlySet<number> = new Set([302, 303]);
/** Answers about the content of a request: the same content gets the same answer. */
const REFUSALS: ReadonlySet<number> = new Set([400, 413, 422]);

const UNPROVEN: Problem = ['refused', 'check that both ends have the same secret, and the right time'];
/** What is wrong with the address, by the status, and by what `details.reason` of the fault says. */
const ADDRESS: Readonly<Record<number, Problem>> = {
  401: UNPROVEN,
  403: UNPROVEN,
  404: ['no-receiver', 'check the path'],
  405: ['no-receiver', 'check the path; it takes no POST'],
  410: ['gone', 'it wants no more requests; remove the setting'],
};
const REDIRECT: Problem = [
  'redirect',
  'redirects are not followed; set the address to which it redirects, or redirects=accepted if it answers 302 or 303 to requests that it has stored',
];
const ADDRESS_REASONS: ReadonlySet<unknown> = new Set(
  [...Object.values(ADDRESS), REDIRECT].map(([reason]) => reason),
);
const STOPPED = 'Nothing more is sent until somebody corrects that and restarts the service, or sends again';

/** Problems of a connection, by the code of Node. */
const PROBLEMS: readonly (readonly [RegExp, ...Problem])[] = [
  [
    /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_|ERR_SSL_|ERR_OSSL_|EPROTO)/,
    'certificate',
    'has no certificate that is trusted; check the host, or give the authority with ca=FILE',
  ],
  [/^(?:ENOTFOUND|EAI_)/, 'missing', 'is not known by this name; check the host and the network'],
  [/^ECONNREFUSED$/, 'missing', 'does not listen there; check the host and the port'],
  [/^(?:ECONNRESET|EPIPE)$/, 'lost', 'closes the connection without an answer'],
];

/** The fault of an answer; `undefined` if the request succeeded. */
export function createAnswerFault(
  url: URL,
  status: number,
  acceptsRedirects: boolean,
): TallybookError | undefined {
  if ((status >= 200 && status <= 299) || (acceptsRedirects && SEE_OTHER.has(status))) return undefined;
  const text = `answers ${status} (${STATUS_CODES[status] ?? 'unknown'})`;
  const problem = ADDRESS[status] ?? (status >= 300 && status <= 399 ? REDIRECT : undefined);
  if (problem !== undefined) return createFault(url, [problem[0], `${text}: ${problem[1]}. ${STOPPED}`]);
  return REFUSALS.has(status)
    ? createFault(url, [
        'change',
        `${text}: it does not take this change, which is set aside after three attempts`,
      ])
    : createFault(url, ['answer', `${text}; trying again`]);
}

/** Whether no request will succeed until somebody corrects the receiver or the setting. */
export function isAboutAddress({ details }: TallybookError): boolean {
  return ADDRESS_REASONS.has(details['reason']);
}

/** Whether the receiver does not take this change, but may take others. */
export function isAboutChange({ details }: TallybookError): boolean {
  return details['reason'] === 'change';
}

/** The fault of a request without an answer. */
export function createRequestFault(url: URL, cause: unknown): TallybookError {
  if (cause instanceof AccessFileError)
    return createFault(url, ['file', `gets no requests: ${cause.message}`], cause);
  if (cause instanceof SilentEndpointError)
    return createFault(url, ['time-out', 'does not answer in time; trying again'], cause);
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const [, reason = 'missing', message] = PROBLEMS.find(([pattern]) => pattern.test(code)) ?? [];
  const text = cause instanceof Error ? cause.message : String(cause);
  const why = message === undefined ? `cannot be reached (${text})` : `${message} (${code})`;
  return createFault(url, [reason, `${why}; trying again`], cause);
}

/** The fault of a file with a secret that others than its owner may read. */
export function createOpenSecretFault(url: URL, file: string): TallybookError {
  const message = `has a secret that others can read, in ${file}; run "chmod 600" on it, and make another secret`;
  return createFault(url, ['secret', message]);
}

/** Names only the host: the path may be a secret of the receiver. */
function createFault({ host }: URL, [reason, message]: Problem, cause?: unknown): TallybookError {
  return new TallybookError('OUTPUT_FAILED', `the webhook at ${host} ${message}`, {
    ...(cause === undefined ? {} : { cause }),
    details: { host, reason },
  });
}
