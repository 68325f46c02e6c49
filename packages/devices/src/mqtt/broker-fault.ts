import { TallybookError } from '@tallybook/domain';
import type { Broker } from './broker.js';
import { AccessFileError } from '../read-small-file.js';

/** Code of the faults of a connection: of a reader, or of an output. */
export type BrokerFaultCode = 'READER_DISCONNECTED' | 'OUTPUT_FAILED';

/** Why a broker is not connected. `lost`: it was connected before; `lost-again`: it was lost shortly before too. */
type BrokerReason = 'lost' | 'lost-again' | 'missing' | 'credentials' | 'certificate' | 'file' | 'refused';

type Problem = readonly [reason: BrokerReason, message: string];

/** Problems of a connection, by the code of the operating system or of TLS. */
const PROBLEMS: readonly (readonly [RegExp, ...Problem])[] = [
  [/^ECONNREFUSED$/, 'missing', 'nothing answers at that port; start the broker, or correct the port'],
  [/^(?:ENOTFOUND|EAI_\w+)$/, 'missing', 'there is no host of that name; correct it, or check the network'],
  [
    /^(?:EHOSTUNREACH|ENETUNREACH|ENETDOWN|ETIMEDOUT|EADDRNOTAVAIL)$/,
    'missing',
    'it cannot be reached over the network; check the address and the network',
  ],
  [
    /^CERT_(?:NOT_YET_VALID|HAS_EXPIRED)$/,
    'certificate',
    'its certificate is not valid today; check it, and the clock of this device',
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    'certificate',
    'its certificate is for another host; use the host name of the certificate',
  ],
  [
    /CERT|SIGNATURE|^ERR_(?:TLS|SSL|OSSL)/,
    'certificate',
    'its certificate is not trusted, or ours is not; check ca=FILE, cert= and key=',
  ],
  [/^EPROTO$/, 'certificate', 'it does not speak TLS there; use mqtt: or the port for mqtts:'],
];

const WRONG_CREDENTIALS: Problem = [
  'credentials',
  'it refuses the user or the password; correct credentials=FILE, or TALLYBOOK_MQTT_USERNAME and TALLYBOOK_MQTT_PASSWORD',
];

/** Reasons of a refusal, by the return code of CONNACK. */
const REFUSALS: Readonly<Record<number, Problem>> = {
  1: ['refused', 'it does not speak MQTT 3.1.1'],
  2: ['refused', 'it refuses the client id; set another with client='],
  3: ['refused', 'it says that it is not available'],
  4: WRONG_CREDENTIALS,
  5: WRONG_CREDENTIALS,
};

/** The fault of a broker that cannot be reached or refuses the connection, with the reason in `details.reason`. */
export function createConnectFault(broker: Broker, code: BrokerFaultCode, cause: unknown): TallybookError {
  const [reason, message] = findProblem(cause);
  return createFault(broker, code, reason, `cannot be used: ${message}`, cause);
}

/**
 * The fault of a connection that was lost.
 *
 * @param isFrequent Whether the broker was lost shortly before too, for example because another client has the same
 * client id.
 */
export function createLossFault(
  broker: Broker,
  code: BrokerFaultCode,
  isFrequent: boolean,
  cause: unknown,
): TallybookError {
  const message = isFrequent
    ? 'was lost again; another client may have the same client id: set another one with client=. Or the broker does not allow this client its topics'
    : 'was lost; trying again';
  return createFault(broker, code, isFrequent ? 'lost-again' : 'lost', message, cause);
}

/** The fault of a broker that refuses a subscription. */
export function createSubscribeFault(
  broker: Broker,
  code: BrokerFaultCode,
  filters: readonly string[],
  cause: unknown,
): TallybookError {
  const message = `does not let this client subscribe to ${filters.join(' and ')}; allow it on the broker`;
  return createFault(broker, code, 'refused', message, cause);
}

function findProblem(cause: unknown): Problem {
  if (cause instanceof AccessFileError) return ['file', cause.message];
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  const known = PROBLEMS.find(([pattern]) => pattern.test(String(code)));
  const problem = typeof code === 'number' ? REFUSALS[code] : known && ([known[1], known[2]] as const);
  if (problem !== undefined) return problem;
  const text = cause instanceof Error ? cause.message : String(cause);
  return ['missing', `it does not answer like a broker (${text}); check the port`];
}

function createFault(
  { host, port }: Broker,
  code: BrokerFaultCode,
  reason: BrokerReason,
  message: string,
  cause: unknown,
): TallybookError {
  return new TallybookError(code, `the broker ${host}:${port} ${message}`, {
    cause,
    details: { host, port, reason },
  });
}
