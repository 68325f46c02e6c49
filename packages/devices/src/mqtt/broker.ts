import { quote } from '@tallybook/domain';
import { checkRange, type DeviceUrl, invalidOption } from '../device-url.js';
import type { BrokerClient } from '../registration.js';
import { AccessFileError, readSmallFile } from '../read-small-file.js';

/** Address and credentials of an MQTT broker. Files are read at each attempt to connect. */
export interface Broker {
  readonly host: string;
  readonly port: number;
  /** Whether the connection is encrypted, and the certificate of the broker is checked. */
  readonly isSecure: boolean;
  /** Default: an id made of the device and the purpose of the connection. */
  readonly clientId?: string | undefined;
  /** Its first line is `user:password`. Default: `TALLYBOOK_MQTT_USERNAME` and `TALLYBOOK_MQTT_PASSWORD`. */
  readonly credentialsFile?: string | undefined;
  /** Certificates (PEM) of the trusted authorities. Default: those of Node. */
  readonly caFile?: string | undefined;
  /** Certificate (PEM) of this client, and its key; both or none. */
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
}

/** Parameters of a URL for a broker, for help texts. */
export const BROKER_PARAMETERS = 'client=ID&credentials=FILE';

/** Advice where to put the user and the password for a broker. It is the `login` of a registration. */
export const BROKER_LOGIN = 'put them into a file: credentials=FILE';

const ADDRESS = /^(?:\[(?<ipv6>[0-9A-Fa-f:.]+)\]|(?<host>[^:[\]]+))(?::(?<port>[0-9]+))?$/;
const CLIENT_ID = /^[\x21-\x7e]{1,64}$/;

/**
 * Reads from `mqtt://HOST:PORT/TOPIC` or `mqtts://…` everything but the topic: the address, `client=`, `credentials=`,
 * and with `mqtts:` also `ca=`, `cert=` and `key=`.
 *
 * @throws {TallybookError} `INVALID_OPTION` if a part of it is wrong.
 */
export function readBroker(url: DeviceUrl): Broker {
  const isSecure = url.scheme === 'mqtts';
  const { ipv6, host = ipv6, port } = ADDRESS.exec(url.address)?.groups ?? {};
  if (host === undefined) {
    throw invalidOption(
      `the URL of a broker is ${url.scheme}://HOST/TOPIC or ${url.scheme}://HOST:PORT/TOPIC; got the host ${quote(url.address)}`,
      'host',
    );
  }
  const broker: Broker = {
    host,
    port: checkRange('port', Number(port ?? (isSecure ? 8883 : 1883)), { lowest: 1, highest: 65_535 }),
    isSecure,
    clientId: readClientId(url),
    credentialsFile: url.text('credentials'),
    ...(isSecure && { caFile: url.text('ca'), certFile: url.text('cert'), keyFile: url.text('key') }),
  };
  if ((broker.certFile === undefined) !== (broker.keyFile === undefined)) {
    throw invalidOption('cert and key are given together, or neither of them', 'cert');
  }
  return broker;
}

/** The client that a broker takes the device of a valid URL for; `undefined` if each connection gets an id of its own. */
export function brokerClientOf(url: DeviceUrl, byDefault?: 'by topic'): BrokerClient | undefined {
  const { host, port, clientId } = readBroker(url);
  if (clientId === undefined && byDefault === undefined) return undefined;
  const client = JSON.stringify([host.toLowerCase(), port, clientId ?? { topic: readTopic(url) }]);
  return { broker: `${host}:${port}`, client };
}

/** The topic of a URL: its path without the slash before it. */
export function readTopic(url: DeviceUrl): string {
  return url.path.replace(/^\//, '');
}

function readClientId(url: DeviceUrl): string | undefined {
  const clientId = url.text('client');
  if (clientId === undefined || CLIENT_ID.test(clientId)) return clientId;
  throw invalidOption(
    `client is 1 to 64 characters of ASCII without spaces; got ${quote(clientId)}`,
    'client',
  );
}

/** Longest topic that MQTT allows, in bytes. */
const LONGEST = 65_535;

/**
 * Checks a topic to publish to.
 *
 * @throws {TallybookError} `INVALID_OPTION` if it is not valid.
 */
export function checkTopic(parameter: string, topic: string): string {
  return check(parameter, topic, !/[+#]/.test(topic), 'without the wildcards + and #');
}

/**
 * Checks a topic filter to subscribe to: `+` stands for one level, `#` for all following levels.
 *
 * @throws {TallybookError} `INVALID_OPTION` if it is not valid.
 */
export function checkTopicFilter(parameter: string, filter: string): string {
  const levels = filter.split('/');
  const isWellPlaced = levels.every(
    (level, index) => level === '+' || (level === '#' && index === levels.length - 1) || !/[+#]/.test(level),
  );
  return check(parameter, filter, isWellPlaced, 'with + as a whole level, # as the last one');
}

/** Whether the filter matches this topic. */
export function matchesTopic(filter: string, topic: string): boolean {
  const levels = topic.split('/');
  const wanted = filter.split('/');
  const isOpen = wanted.at(-1) === '#';
  if (isOpen) wanted.pop();
  const isLongEnough = isOpen ? levels.length >= wanted.length : levels.length === wanted.length;
  return isLongEnough && wanted.every((level, index) => level === '+' || level === levels[index]);
}

function check(parameter: string, topic: string, isWellPlaced: boolean, wildcards: string): string {
  const isSound = topic !== '' && !/\p{Cc}/u.test(topic) && Buffer.byteLength(topic) <= LONGEST;
  if (isSound && isWellPlaced) return topic;
  throw invalidOption(
    `${parameter} is an MQTT topic such as home/door, ${wildcards}; got ${quote(topic)}`,
    parameter,
  );
}

/** Credentials and certificates for a broker. */
export interface Access {
  readonly username?: string;
  readonly password?: string;
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

export interface PublishOptions {
  /**
   * 1 (default): publishing resolves when the broker has acknowledged the message. 0: it resolves when the message is
   * sent.
   */
  readonly qos?: 0 | 1;
  /** Whether the broker retains it for later subscribers. Default: no. */
  readonly retain?: boolean;
}

/** Reads the files of a broker. Rejects with an {@link AccessFileError}. */
export async function readAccess(broker: Broker, env: NodeJS.ProcessEnv): Promise<Access> {
  const [credentials, ca, cert, key] = await Promise.all([
    broker.credentialsFile === undefined ? fromEnvironment(env) : readCredentials(broker.credentialsFile),
    read('ca', broker.caFile),
    read('cert', broker.certFile),
    read('key', broker.keyFile),
  ]);
  return { ...credentials, ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
}

function fromEnvironment(env: NodeJS.ProcessEnv): Access {
  const username = env['TALLYBOOK_MQTT_USERNAME'];
  const password = env['TALLYBOOK_MQTT_PASSWORD'];
  return {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
  };
}

async function readCredentials(file: string): Promise<Access> {
  const [line = ''] = String(await read('credentials', file)).split(/\r?\n/, 1);
  const colon = line.indexOf(':');
  if (colon < 1) throw new AccessFileError(`the first line of credentials=${file} is not user:password`);
  return { username: line.slice(0, colon), password: line.slice(colon + 1) };
}

async function read(parameter: string, file: string | undefined): Promise<Buffer | undefined> {
  return file === undefined ? undefined : readSmallFile(parameter, file);
}
