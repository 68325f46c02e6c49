/* oxlint-disable typescript/no-unnecessary-type-assertion -- isolatedDeclarations wants the types of texts that are computed */
import { parseDuration } from '@tallybook/devices';
import {
  BACKLOG_DEFAULT_LIMIT,
  BACKLOG_MAX_LIMIT,
  Calendar,
  JOURNAL_DAYS_RANGE,
  JOURNAL_DEFAULT_DAYS,
  JOURNAL_DEFAULT_LIMIT,
  JOURNAL_LIMIT_RANGE,
  RepeatWindow,
} from '@tallybook/domain';
import { roles, type Role } from '@tallybook/domain/access';
import { parseKeep, type Keep } from '@tallybook/domain/personal';
import { checkHostName } from '@tallybook/http-koa';
import { indicatorSchemes, publisherSchemes } from '@tallybook/outputs';
import { oidcSettings } from './oidc-settings.js';
import { readerSchemes } from '@tallybook/readers';
import { parseCentreUrl } from '@tallybook/upstream-http';
import {
  parseGroupRole,
  parseHeaderName,
  parseHost,
  parseInterval,
  checkNetwork,
  parseOneOf,
  parseWhole,
  splitAtCommas,
  splitGroupRoles,
} from './parse-setting.js';
import { createStorage } from './stores.js';

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Reactions of the server to a damaged store at the start. */
const damageReactions = ['refuse', 'repair'] as const;
export type DamageReaction = (typeof damageReactions)[number];

/** Trust in the clock of the system: as the system reports, or always, because the operator vouches for it. */
const clockModes = ['system', 'trusted'] as const;
type ClockMode = (typeof clockModes)[number];

/** The common part of settings with one value or several. */
interface Described {
  /** Name of the flag without dashes: `repeat-window`. It is also the key in a configuration file. */
  readonly flag: string;
  /** Placeholder of the value in the help: `<duration>`. */
  readonly value: string;
  /** The environment variable. */
  readonly variable: `TALLYBOOK_${string}`;
  /** Text for `--help`. */
  readonly help: string;
  /** Allowed values, for the reference, in Markdown. */
  readonly allowed: string;
}

/** A setting that has one value. */
interface Single extends Described {
  /** The default, as text. */
  readonly default: string;
  /** @throws {TallybookError} `INVALID_OPTION` with the allowed values and the given one. */
  readonly parse: (text: string) => unknown;
}

/** A setting that may be given several times. URLs of devices are checked together, by `checkDevices`. */
interface List extends Described {
  readonly default: readonly string[];
  /** Splits the variable into values, if they are not URLs. */
  readonly split?: (text: string) => readonly string[];
  /** @throws {TallybookError} `INVALID_OPTION` with the allowed values and the given one. */
  readonly check?: (value: string) => void;
}

export type Setting = Single | List;

/** The words as code in Markdown. */
function code(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(', ');
}

const ownSettings = {
  host: {
    flag: 'host',
    value: '<address>',
    variable: 'TALLYBOOK_HOST',
    default: '127.0.0.1',
    help: 'address to listen on',
    allowed: 'an address of this machine, or a host name. `0.0.0.0` is every IPv4 address',
    parse: (text: string): string => parseHost(text),
  },
  port: {
    flag: 'port',
    value: '<port>',
    variable: 'TALLYBOOK_PORT',
    default: '8080',
    help: 'port to listen on, 0 for a free one',
    allowed: '0 to 65535; 0 takes a free port, and the log names it',
    parse: (text: string): number => parseWhole(text, 0, 65_535),
  },
  store: {
    flag: 'store',
    value: '<url>',
    variable: 'TALLYBOOK_STORE',
    default: 'level:./tallybook-data',
    help: 'store: level:PATH, postgres://USER@HOST/DATABASE?site=NAME or memory:',
    allowed: 'see [stores](#stores)',
    parse: (text: string): string => {
      createStorage(text);
      return text;
    },
  },
  onDamage: {
    flag: 'on-damage',
    value: '<reaction>',
    variable: 'TALLYBOOK_ON_DAMAGE',
    default: 'refuse',
    help: `reaction to a damaged store at the start: ${damageReactions.join(' or ')}` as string,
    allowed:
      `${code(damageReactions)}: see [Repair a damaged store](../how-to/repair-a-damaged-store.md)` as string,
    parse: (text: string): DamageReaction => parseOneOf(damageReactions, text),
  },
  readers: {
    flag: 'reader',
    value: '<url>',
    variable: 'TALLYBOOK_READERS',
    default: ['stdin:'],
    help: `reader, may be repeated: ${Object.values(readerSchemes).join(', ')}` as string,
    allowed: 'see [readers](#readers)',
  },
  indicators: {
    flag: 'indicator',
    value: '<url>',
    variable: 'TALLYBOOK_INDICATORS',
    default: [],
    help: `lights, buzzer or display at a reader, may be repeated: ${Object.values(indicatorSchemes).join(', ')}` as string,
    allowed: 'see [indicators](#indicators)',
  },
  publishers: {
    flag: 'publish',
    value: '<url>',
    variable: 'TALLYBOOK_PUBLISH',
    default: [],
    help: `where to publish every change except names, may be repeated: ${Object.values(publisherSchemes).join(', ')}` as string,
    allowed: 'see [publishers](#publishers)',
  },
  upstream: {
    flag: 'upstream',
    value: '<url>',
    variable: 'TALLYBOOK_UPSTREAM',
    default: '',
    help: 'centre that gets the record of this device; needs --upstream-token-file',
    allowed:
      '`https://HOST`, with a path if there is one; if not set, this device has no centre. See [Send to a centre](../how-to/send-to-a-centre.md)',
    parse: (text: string): string | undefined => (text === '' ? undefined : parseCentreUrl(text, true).href),
  },
  upstreamTokenFile: {
    flag: 'upstream-token-file',
    value: '<file>',
    variable: 'TALLYBOOK_UPSTREAM_TOKEN_FILE',
    default: '',
    help: 'file with the token of this station (role station), in one line',
    allowed: 'a file; needs `--upstream`. Read again for each request',
    parse: (text: string): string | undefined => (text === '' ? undefined : text),
  },
  isUpstreamInsecure: {
    flag: 'upstream-insecure',
    value: '[true]',
    variable: 'TALLYBOOK_UPSTREAM_INSECURE',
    default: 'false',
    help: 'allow plain http to the centre: everybody on the way can read and change it',
    allowed: '`true` or `false`; the flag alone is `true`. Not needed for `http://` to this machine',
    parse: (text: string): boolean => parseOneOf(['true', 'false'], text) === 'true',
  },
  zone: {
    flag: 'zone',
    value: '<zone>',
    variable: 'TALLYBOOK_ZONE',
    default: 'UTC',
    help: 'IANA time zone of the days',
    allowed: 'an IANA time zone: `Europe/Berlin`',
    parse: (zone: string): string => {
      new Calendar({ zone });
      return zone;
    },
  },
  dayStart: {
    flag: 'day-start',
    value: '<HH:MM>',
    variable: 'TALLYBOOK_DAY_START',
    default: '00:00',
    help: 'time of day at which a day begins',
    allowed: '00:00 to 23:59',
    parse: (dayStart: string): string => {
      new Calendar({ dayStart });
      return dayStart;
    },
  },
  repeatWindowMs: {
    flag: 'repeat-window',
    value: '<duration>',
    variable: 'TALLYBOOK_REPEAT_WINDOW',
    default: '2s',
    help: 'a tag seen again within this time is the same tap, 0 for off',
    allowed: '0 to one day: a number and `ms`, `s`, `m`, `h` or `d`; 0 is off',
    parse: (text: string): number => {
      const windowMs = parseDuration(text);
      new RepeatWindow(windowMs);
      return windowMs;
    },
  },
  clock: {
    flag: 'clock',
    value: '<mode>',
    variable: 'TALLYBOOK_CLOCK',
    default: 'system',
    help: 'system: trusted while the system says so; trusted: always, for a device with a battery clock',
    allowed: code(clockModes) as string,
    parse: (text: string): ClockMode => parseOneOf(clockModes, text),
  },
  approveCorrections: {
    flag: 'approve-corrections',
    value: '[true]',
    variable: 'TALLYBOOK_APPROVE_CORRECTIONS',
    default: 'false',
    help: 'a second person has to approve each correction',
    allowed:
      '`true` or `false`; the flag alone is `true`. See [Correct the record](../how-to/correct-the-record.md)',
    parse: (text: string): boolean => parseOneOf(['true', 'false'], text) === 'true',
  },
  backlogLimit: {
    flag: 'backlog',
    value: '<n>',
    variable: 'TALLYBOOK_BACKLOG',
    default: String(BACKLOG_DEFAULT_LIMIT) as string,
    help: 'maximum number of scans in memory while the store cannot write',
    allowed: `0 to ${BACKLOG_MAX_LIMIT}` as string,
    parse: (text: string): number => parseWhole(text, 0, BACKLOG_MAX_LIMIT),
  },
  backupFolder: {
    flag: 'backup',
    value: '<folder>',
    variable: 'TALLYBOOK_BACKUP',
    default: '',
    help: 'folder for backups, best on another card',
    allowed: 'a folder; if not set, no backups. See [Back up and restore](../how-to/back-up-and-restore.md)',
    parse: (text: string): string | undefined => (text === '' ? undefined : text),
  },
  backupEveryMs: {
    flag: 'backup-every',
    value: '<duration>',
    variable: 'TALLYBOOK_BACKUP_EVERY',
    default: '1d',
    help: 'time between two backups',
    allowed: '`1m` to `366d`',
    parse: (text: string): number => parseInterval(text),
  },
  backupKeep: {
    flag: 'backup-keep',
    value: '<n>',
    variable: 'TALLYBOOK_BACKUP_KEEP',
    default: '14',
    help: 'number of backups to keep',
    allowed: '1 to 10000',
    parse: (text: string): number => parseWhole(text, 1, 10_000),
  },
  keep: {
    flag: 'keep',
    value: '<time>',
    variable: 'TALLYBOOK_KEEP',
    default: '',
    help: 'how long days are kept, such as 24months; older ones are removed once a day',
    allowed:
      'a number and `days`, `months` or `years`; if not set, for ever. See [Personal data](../explanation/personal-data.md#retention)',
    parse: (text: string): Keep | undefined => (text === '' ? undefined : parseKeep(text)),
  },
  journalLimit: {
    flag: 'journal-limit',
    value: '<n>',
    variable: 'TALLYBOOK_JOURNAL_LIMIT',
    default: String(JOURNAL_DEFAULT_LIMIT) as string,
    help: 'maximum number of changes in the journal',
    allowed: `${JOURNAL_LIMIT_RANGE.lowest} to ${JOURNAL_LIMIT_RANGE.highest}` as string,
    parse: (text: string): number =>
      parseWhole(text, JOURNAL_LIMIT_RANGE.lowest, JOURNAL_LIMIT_RANGE.highest),
  },
  journalDays: {
    flag: 'journal-days',
    value: '<n>',
    variable: 'TALLYBOOK_JOURNAL_DAYS',
    default: String(JOURNAL_DEFAULT_DAYS) as string,
    help: 'days for which the journal keeps a change',
    allowed: `${JOURNAL_DAYS_RANGE.lowest} to ${JOURNAL_DAYS_RANGE.highest}` as string,
    parse: (text: string): number => parseWhole(text, JOURNAL_DAYS_RANGE.lowest, JOURNAL_DAYS_RANGE.highest),
  },
  auditDays: {
    flag: 'audit-days',
    value: '<n>',
    variable: 'TALLYBOOK_AUDIT_DAYS',
    default: '400',
    help: 'days for which the audit trail keeps an entry; 0 for ever',
    allowed: '0 to 36500; 0 keeps all',
    parse: (text: string): number => parseWhole(text, 0, 36_500),
  },
  maxSubscribers: {
    flag: 'max-subscribers',
    value: '<n>',
    variable: 'TALLYBOOK_MAX_SUBSCRIBERS',
    default: '1000',
    help: 'maximum number of event streams',
    allowed: '1 to 100000',
    parse: (text: string): number => parseWhole(text, 1, 100_000),
  },
  maxStreamsPerAddress: {
    flag: 'max-streams-per-address',
    value: '<n>',
    variable: 'TALLYBOOK_MAX_STREAMS_PER_ADDRESS',
    default: '100',
    help: 'maximum number of event streams of one other machine',
    allowed: '1 to 100000. Programs on this machine have no such limit',
    parse: (text: string): number => parseWhole(text, 1, 100_000),
  },
  maxStreamsPerSession: {
    flag: 'max-streams-per-session',
    value: '<n>',
    variable: 'TALLYBOOK_MAX_STREAMS_PER_SESSION',
    default: '20',
    help: 'maximum number of event streams of one session or token',
    allowed: '1 to 100000',
    parse: (text: string): number => parseWhole(text, 1, 100_000),
  },
  maxReadsPerSecond: {
    flag: 'max-reads-per-second',
    value: '<n>',
    variable: 'TALLYBOOK_MAX_READS_PER_SECOND',
    default: '200',
    help: 'maximum number of reads a second by one other machine, 0 for no limit',
    allowed:
      '0 to 100000, and ten times as many in a burst; 0 is no limit. Programs on this machine have no such limit',
    parse: (text: string): number => parseWhole(text, 0, 100_000),
  },
  maxWritesPerSecond: {
    flag: 'max-writes-per-second',
    value: '<n>',
    variable: 'TALLYBOOK_MAX_WRITES_PER_SECOND',
    default: '50',
    help: 'maximum number of changes a second by one other machine, 0 for no limit',
    allowed:
      '0 to 100000, and ten times as many in a burst; 0 is no limit. Programs on this machine have no such limit',
    parse: (text: string): number => parseWhole(text, 0, 100_000),
  },
  maxExportsPerMinute: {
    flag: 'max-exports-per-minute',
    value: '<n>',
    variable: 'TALLYBOOK_MAX_EXPORTS_PER_MINUTE',
    default: '60',
    help: 'maximum number of tables and files a minute for one other machine, 0 for no limit',
    allowed:
      '0 to 100000, all of them at once if needed; 0 is no limit. Programs on this machine have no such limit',
    parse: (text: string): number => parseWhole(text, 0, 100_000),
  },
  maxExports: {
    flag: 'max-exports',
    value: '<n>',
    variable: 'TALLYBOOK_MAX_EXPORTS',
    default: '2',
    help: 'maximum number of files written at a time',
    allowed:
      '1 to 100: number of backups and of CSV and XLSX files at a time. While one is written, the store cannot free space',
    parse: (text: string): number => parseWhole(text, 1, 100),
  },
  maxConnections: {
    flag: 'max-connections',
    value: '<n>',
    variable: 'TALLYBOOK_MAX_CONNECTIONS',
    default: '1500',
    help: 'maximum number of connections',
    allowed: '1 to 100000',
    parse: (text: string): number => parseWhole(text, 1, 100_000),
  },
  maxConnectionsPerAddress: {
    flag: 'max-connections-per-address',
    value: '<n>',
    variable: 'TALLYBOOK_MAX_CONNECTIONS_PER_ADDRESS',
    default: '200',
    help: 'maximum number of connections from one other machine',
    allowed: '1 to 100000. Programs on this machine have no such limit',
    parse: (text: string): number => parseWhole(text, 1, 100_000),
  },
  allowedHosts: {
    flag: 'allowed-host',
    value: '<name>',
    variable: 'TALLYBOOK_ALLOWED_HOSTS',
    default: [],
    help: 'further host name of the service, may be repeated; addresses, *.local and the name of the machine are always allowed',
    allowed: 'a host name without scheme and port: see **Allowed hosts** below',
    split: (text: string): readonly string[] => splitAtCommas(text),
    check: (name: string): void => checkHostName(name),
  },
  tlsCert: {
    flag: 'tls-cert',
    value: '<file>',
    variable: 'TALLYBOOK_TLS_CERT',
    default: '',
    help: 'certificate for https, in PEM; needs --tls-key',
    allowed:
      'a file; if not set, plain http. Read again when it changes. See [Serve over https](../how-to/serve-over-https.md)',
    parse: (text: string): string | undefined => (text === '' ? undefined : text),
  },
  tlsKey: {
    flag: 'tls-key',
    value: '<file>',
    variable: 'TALLYBOOK_TLS_KEY',
    default: '',
    help: 'private key of the certificate, in PEM without a passphrase',
    allowed: 'a file; needs `--tls-cert`',
    parse: (text: string): string | undefined => (text === '' ? undefined : text),
  },
  isInsecure: {
    flag: 'insecure',
    value: '[true]',
    variable: 'TALLYBOOK_INSECURE',
    default: 'false',
    help: 'while there are no users, let in everybody who reaches the service',
    allowed:
      '`true` or `false`; the flag alone is `true`. It has no effect once there are users. See [access](access.md)',
    parse: (text: string): boolean => parseOneOf(['true', 'false'], text) === 'true',
  },
  trustedProxies: {
    flag: 'trusted-proxy',
    value: '<address>',
    variable: 'TALLYBOOK_TRUSTED_PROXIES',
    default: [],
    help: 'address or network of a proxy whose X-Forwarded-* headers count, may be repeated',
    allowed: 'an address or a network: `127.0.0.1`, `172.16.0.0/12`, `fd00::/8`',
    split: (text: string): readonly string[] => splitAtCommas(text),
    check: (text: string): void => checkNetwork(text),
  },
  authHeader: {
    flag: 'auth-header',
    value: '<name>',
    variable: 'TALLYBOOK_AUTH_HEADER',
    default: '',
    help: 'header in which a trusted proxy names the user',
    allowed:
      'the name of a header such as `Remote-User`; needs `--trusted-proxy`. If not set, nobody signs in by a proxy',
    parse: (text: string): string | undefined => (text === '' ? undefined : parseHeaderName(text)),
  },
  authHeaderRole: {
    flag: 'auth-header-role',
    value: '<role>',
    variable: 'TALLYBOOK_AUTH_HEADER_ROLE',
    default: '',
    help: 'role of people whom the proxy names, but who are not users here',
    allowed:
      `${code(roles)}; needs \`--auth-header\`. If not set, only users and members of groups get in` as string,
    parse: (text: string): Role | undefined => (text === '' ? undefined : parseOneOf(roles, text)),
  },
  authGroupsHeader: {
    flag: 'auth-groups-header',
    value: '<name>',
    variable: 'TALLYBOOK_AUTH_GROUPS_HEADER',
    default: '',
    help: 'header in which a trusted proxy lists the groups of the user',
    allowed:
      'the name of a header such as `Remote-Groups`, with a list of groups and bars, semicolons or commas between them; needs `--auth-header`. If not set, groups do not count',
    parse: (text: string): string | undefined => (text === '' ? undefined : parseHeaderName(text)),
  },
  authGroupRoles: {
    flag: 'auth-group-role',
    value: '<group=role>',
    variable: 'TALLYBOOK_AUTH_GROUP_ROLES',
    default: [],
    split: (text: string): readonly string[] => splitGroupRoles(text),
    help: 'role of a group in --auth-groups-header, may be repeated; of several roles, a person gets the one with the most rights',
    allowed:
      `the name of a group, \`=\` and a role, such as \`staff=viewer\`. The role is one of ${code(roles)}. Needs \`--auth-groups-header\`` as string,
    check: (text: string): void => void parseGroupRole(text),
  },
  logLevel: {
    flag: 'log-level',
    value: '<level>',
    variable: 'TALLYBOOK_LOG_LEVEL',
    default: 'info',
    help: logLevels.join(', ') as string,
    allowed: code(logLevels) as string,
    parse: (text: string): LogLevel => parseOneOf(logLevels, text),
  },
} as const;

/**
 * Every setting of the server, by its name in the configuration. The flags, the variables, the keys of the
 * configuration file, `--help`, the reference and the type of the configuration all come from here.
 */
export const settings: typeof ownSettings & typeof oidcSettings = { ...ownSettings, ...oidcSettings };
