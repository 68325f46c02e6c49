import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { TallybookError } from '@tallybook/domain';

/** A host and its port. A host that begins with `/` is the folder of a Unix socket. */
export interface PostgresHost {
  readonly host: string;
  readonly port: number;
}

/** How the connection is protected, as libpq names it. */
type TlsMode = 'disable' | 'require' | 'verify-ca' | 'verify-full';

/** Where a password was found, for messages. */
export type PasswordSource = 'the URL' | 'PGPASSWORD';

/** The database that a URL and the environment name. */
export interface PostgresTarget {
  /** Tried in turn: the first host that accepts writes is used. */
  readonly hosts: readonly PostgresHost[];
  readonly user: string;
  readonly database: string;
  readonly password: string | undefined;
  /** `undefined` without a password: then it is read from PGPASSFILE or `~/.pgpass`. */
  readonly passwordFrom: PasswordSource | undefined;
  readonly site: string;
  /** `undefined`: it depends on the host. */
  readonly tlsMode: TlsMode | undefined;
  readonly rootCertificate: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_SITE = 'main';
const DEFAULT_PORT = 5432;
const TLS_MODES: readonly TlsMode[] = ['disable', 'require', 'verify-ca', 'verify-full'];
const SITE = /^[A-Za-z0-9._-]{1,63}$/;
const PARAMETERS = ['host', 'port', 'site', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey'];
/** Parameters of libpq that hosts write into their URLs. They ask for what is done anyway, or change nothing here. */
const ACCEPTED: Readonly<Record<string, RegExp>> = {
  target_session_attrs: /^(?:any|read-write|primary)$/,
  channel_binding: /^(?:disable|prefer|require)$/,
  gssencmode: /^(?:disable|prefer)$/,
  sslnegotiation: /^postgres$/,
  application_name: /./,
  connect_timeout: /^\d+$/,
};

/** The parts of a URL. No message quotes a part, so that no password gets into a message. */
const URL_PARTS =
  /^postgres(?:ql)?:\/\/(?:(?<user>[^:@/?#]*)(?::(?<password>[^@/?#]*))?@)?(?<hosts>[^/?#@]*)(?:\/(?<database>[^?#/]*))?(?:\?(?<query>[^#]*))?$/;
const HOST = /^(?:\[(?<v6>[0-9A-Fa-f:.]+)\]|(?<host>[^:[\]]*))(?::(?<port>\d{1,5}))?$/;

/** Whether a text is the URL of a PostgreSQL, right or wrong. */
export function isPostgresUrl(text: string): boolean {
  return /^postgres(?:ql)?:/i.test(text);
}

/**
 * Reads `postgres://USER:PASSWORD@HOST:PORT,HOST:PORT/DATABASE?site=NAME&sslmode=MODE`. Missing parts come from the environment,
 * as with libpq: PGHOST, PGPORT, PGUSER, PGDATABASE, PGPASSWORD, PGSSLMODE, PGSSLROOTCERT, PGSSLCERT and PGSSLKEY.
 *
 * @throws {TallybookError} `INVALID_OPTION`. No message contains the password.
 */
export function parsePostgresUrl(url: string, environment: Environment = {}): PostgresTarget {
  const parts = URL_PARTS.exec(url)?.groups;
  if (parts === undefined) {
    throw invalid('is written postgres://USER@HOST:PORT/DATABASE?site=NAME, special characters as %XX');
  }
  const query = readQuery(parts['query'] ?? '');
  const user = decode('user', parts['user']) ?? environment['PGUSER'] ?? environment['USER'] ?? 'postgres';
  const site = query.get('site') ?? DEFAULT_SITE;
  if (!SITE.test(site)) throw invalid('has a site of 1 to 63 letters, digits, ".", "_" and "-"');
  return {
    hosts: readHosts(
      decode('host', parts['hosts']) ?? query.get('host') ?? environment['PGHOST'] ?? 'localhost',
      query.get('port') ?? environment['PGPORT'],
    ),
    user,
    database: decode('database', parts['database']) ?? environment['PGDATABASE'] ?? user,
    ...passwordOf(decode('password', parts['password']), given(environment['PGPASSWORD'])),
    site,
    tlsMode: readTlsMode(query.get('sslmode') ?? given(environment['PGSSLMODE'])),
    rootCertificate: query.get('sslrootcert') ?? given(environment['PGSSLROOTCERT']),
    certificate: query.get('sslcert') ?? given(environment['PGSSLCERT']),
    key: query.get('sslkey') ?? given(environment['PGSSLKEY']),
  };
}

function passwordOf(
  inUrl: string | undefined,
  inEnvironment: string | undefined,
): Pick<PostgresTarget, 'password' | 'passwordFrom'> {
  if (inUrl !== undefined) return { password: inUrl, passwordFrom: 'the URL' };
  return { password: inEnvironment, passwordFrom: inEnvironment === undefined ? undefined : 'PGPASSWORD' };
}

/** The target for messages and logs: without the password. */
export function describeTarget({ hosts, user, database, site }: PostgresTarget): string {
  const all = hosts.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`).join(',');
  return `postgres://${user}@${all}/${database}?site=${site}`;
}

/** Whether a host is on this machine, so that nobody can eavesdrop on the connection. */
function isLocal(host: string): boolean {
  return host.startsWith('/') || host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

function readQuery(text: string): ReadonlyMap<string, string> {
  const query = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (ACCEPTED[name]?.test(value) === true) continue;
    if (!PARAMETERS.includes(name)) {
      const known = [...PARAMETERS, ...Object.keys(ACCEPTED)].join(', ');
      throw invalid(
        name in ACCEPTED ? `has a ${name} that does not fit` : `takes ${known} after its "?", and no other`,
      );
    }
    if (query.has(name)) throw invalid(`has ${name} once`);
    if (value !== '') query.set(name, value);
  }
  return query;
}

function readHosts(text: string, defaultPort: string | undefined): readonly PostgresHost[] {
  return text.split(',').map((each) => {
    if (each.startsWith('/')) return { host: each, port: readPort(defaultPort) };
    const parts = HOST.exec(each)?.groups;
    const host = parts?.['v6'] ?? parts?.['host'];
    if (host === undefined) throw invalid('has hosts as NAME:PORT or [ADDRESS]:PORT, a comma between two');
    return { host: host === '' ? 'localhost' : host, port: readPort(parts?.['port'] ?? defaultPort) };
  });
}

function readPort(text: string | undefined): number {
  if (text === undefined || text === '') return DEFAULT_PORT;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw invalid('has ports from 1 to 65535');
}

function readTlsMode(text: string | undefined): TlsMode | undefined {
  const mode = TLS_MODES.find((each) => each === text);
  if (text !== undefined && mode === undefined) throw invalid(`has an sslmode of ${TLS_MODES.join(', ')}`);
  return mode;
}

/** `undefined` if the part is missing or empty. */
function decode(what: string, text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalid(`has a ${what} in which "%" stands before two hex digits`);
  }
}

function given(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

function invalid(reason: string): TallybookError {
  return new TallybookError('INVALID_OPTION', `the URL of a PostgreSQL ${reason}`);
}

/**
 * How to protect the connection to a host; `false`: without TLS. Without a mode, hosts on this machine need no TLS, and all other
 * hosts must show a certificate for their name (`verify-full`).
 *
 * @throws {TallybookError} `STORE_UNAVAILABLE` if a file of a certificate cannot be read.
 */
export function tlsOptions(target: PostgresTarget, { host }: PostgresHost): ConnectionOptions | false {
  // libpq has no TLS on Unix sockets either.
  if (host.startsWith('/')) return false;
  const mode = target.tlsMode ?? (isLocal(host) ? 'disable' : 'verify-full');
  if (mode === 'disable') return false;
  const root = target.rootCertificate === 'system' ? undefined : target.rootCertificate;
  return {
    // As in libpq: if a root certificate is given, the certificate of the host is checked.
    rejectUnauthorized: mode !== 'require' || root !== undefined,
    ...(root !== undefined && { ca: read(root) }),
    ...(target.certificate !== undefined && { cert: read(target.certificate) }),
    ...(target.key !== undefined && { key: read(target.key) }),
    ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
  };
}

function read(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new TallybookError('STORE_UNAVAILABLE', `cannot read the certificate or key ${file}`, {
      cause: error,
    });
  }
}
