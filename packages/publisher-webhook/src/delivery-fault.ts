import { STATUS_CODES } from 'node:http';
import { AccessFileError } from '@tallybook/devices';
import { TallybookError } from '@tallybook/domain';
import { SilentEndpointError } from './endpoint.js';

interface Problem {
  readonly reason: string;
  readonly message: string;
}

const GONE = 410;

/** Problems of a connection, by the code of Node. */
const PROBLEMS: readonly (readonly [RegExp, Problem])[] = [
  [
    /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_|ERR_SSL_|ERR_OSSL_|EPROTO)/,
    {
      reason: 'certificate',
      message: 'has no certificate that is trusted; check the host, or give the authority with ca=FILE',
    },
  ],
  [
    /^(?:ENOTFOUND|EAI_)/,
    { reason: 'missing', message: 'is not known by this name; check the host and the network' },
  ],
  [/^ECONNREFUSED$/, { reason: 'missing', message: 'does not listen there; check the host and the port' }],
  [/^(?:ECONNRESET|EPIPE)$/, { reason: 'lost', message: 'closes the connection without an answer' }],
];

/** The fault of an answer; `undefined` if the request succeeded. */
export function createAnswerFault(url: URL, status: number): TallybookError | undefined {
  if (status >= 200 && status <= 299) return undefined;
  const text = `answers ${status} (${STATUS_CODES[status] ?? 'unknown'})`;
  if (status === GONE) {
    const message = `${text}: it wants no more requests. None is sent until the next start; remove the setting`;
    return createFault(url, { reason: 'gone', message });
  }
  if (status >= 300 && status <= 399) {
    const message = `${text}: redirects are not followed; set the address to which it redirects`;
    return createFault(url, { reason: 'redirect', message });
  }
  if (status === 401 || status === 403) {
    const message = `${text}: check that both ends have the same secret, and the right time`;
    return createFault(url, { reason: 'refused', message });
  }
  return createFault(url, { reason: 'answer', message: `${text}; trying again` });
}

/** The fault of a request without an answer. */
export function createRequestFault(url: URL, cause: unknown): TallybookError {
  if (cause instanceof AccessFileError) {
    const message = `gets no requests: ${cause.message}`;
    return createFault(url, { reason: 'file', message }, cause);
  }
  if (cause instanceof SilentEndpointError) {
    const message = 'does not answer in time; trying again';
    return createFault(url, { reason: 'time-out', message }, cause);
  }
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const known = PROBLEMS.find(([pattern]) => pattern.test(code))?.[1];
  const text = cause instanceof Error ? cause.message : String(cause);
  return createFault(
    url,
    known === undefined
      ? { reason: 'missing', message: `cannot be reached (${text}); trying again` }
      : { ...known, message: `${known.message} (${code}); trying again` },
    cause,
  );
}

/** The fault of a file with a secret that others than its owner may read. */
export function createOpenSecretFault(url: URL, file: string): TallybookError {
  const message = `has a secret that others can read, in ${file}; run "chmod 600" on it, and make another secret`;
  return createFault(url, { reason: 'secret', message });
}

/** Names only the host: the path may be a secret of the receiver. */
function createFault({ host }: URL, { reason, message }: Problem, cause?: unknown): TallybookError {
  return new TallybookError('OUTPUT_FAILED', `the webhook at ${host} ${message}`, {
    ...(cause === undefined ? {} : { cause }),
    details: { host, reason },
  });
}
