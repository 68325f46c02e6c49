import { invalidOption, parseDuration } from '@tallybook/devices';
import {
  BACKLOG_DEFAULT_LIMIT,
  BACKLOG_MAX_LIMIT,
  Calendar,
  JOURNAL_DAYS_RANGE,
  JOURNAL_LIMIT_RANGE,
  RepeatWindow,
} from '@tallybook/domain';
import { parseKeep, type Keep } from '@tallybook/domain/personal';
import { checkHostName, httpLimits } from '@tallybook/http-koa';
import { parseCentreUrl } from '@tallybook/upstream-http';
import {
  parseHeaderName,
  parseHost,
  parseInterval,
  parsePlaceName,
  checkNetwork,
  splitAtCommas,
} from './parse-setting.js';
import { adaptersOf, type Adapters } from './adapters.js';
import {
  groupRoles,
  list,
  oneOf,
  optional,
  path,
  roleOfOthers,
  single,
  toggle,
  whole,
  type Single,
} from './setting.js';
import { checkPageUrl, identitySettings } from './own-identity.js';
import { DEFAULT_READER, DEFAULT_STORE, ownAdapters } from './own-adapters.js';
import { createServedStorage } from './stores.js';

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Reactions of the server to a damaged store at the start. */
const damageReactions = ['refuse', 'repair'] as const;
export type DamageReaction = (typeof damageReactions)[number];

/** Limits of the HTTP interface for one service: above 100,000, a device has other limits. */
const limited = (name: keyof typeof httpLimits): readonly [number, number, number] => {
  const [lowest, highest, byDefault] = httpLimits[name];
  return [lowest, Math.min(highest, 100_000), byDefault];
};

const OTHERS_ONLY = 'Programs on this machine have no such limit';
const IN_A_BURST = `Ten times as many in a burst; 0 is no limit. ${OTHERS_ONLY}`;

/** The forms of the URLs of devices, for the help. */
const formsOf = ({ usages }: { readonly usages: Readonly<Record<string, string>> }): string =>
  Object.values(usages).join(', ');

/**
 * Every setting of the server, by its name in the configuration. The flags, the variables, the keys of the
 * configuration file, `--help`, the reference and the type of the configuration all come from here.
 */
const makeSettings = (adapters: Adapters) => ({
  host: single('host', '<address>', parseHost, {
    default: '127.0.0.1',
    help: 'address to listen on',
    allowed: 'an address of this machine, or a host name. `0.0.0.0` is every IPv4 address',
  }),
  port: whole('port', [0, 65_535, 8_080], {
    value: '<port>',
    help: 'port to listen on, 0 for a free one',
    note: '0 takes a free port, and the log names it',
  }),
  use: list('use', '<package>', {
    variable: 'TALLYBOOK_USE',
    help: 'package or path of a third-party adapter, may be repeated',
    allowed:
      'a package, or a path that begins with `.` or `/`: see [third-party adapters](#third-party-adapters)',
    split: splitAtCommas,
  }),
  store: single('store', '<url>', parseStore(adapters), {
    default: DEFAULT_STORE,
    help: `store: ${[...new Set(adapters.stores.map(({ usage }) => usage))].join(', ')}`,
    allowed: 'see [stores](#stores)',
  }),
  onDamage: oneOf('on-damage', '<reaction>', damageReactions, {
    default: 'refuse',
    help: `reaction to a damaged store at the start: ${damageReactions.join(' or ')}`,
    note: 'See [Repair a damaged store](../how-to/repair-a-damaged-store.md)',
  }),
  readers: list('reader', '<url>', {
    variable: 'TALLYBOOK_READERS',
    default: [DEFAULT_READER],
    help: `reader, may be repeated: ${formsOf(adapters.readers)}`,
    allowed: 'see [readers](#readers)',
    note: 'Under systemd, none is the default',
  }),
  indicators: list('indicator', '<url>', {
    variable: 'TALLYBOOK_INDICATORS',
    help: `lights, buzzer or display at a reader, may be repeated: ${formsOf(adapters.indicators)}`,
    allowed: 'see [indicators](#indicators)',
  }),
  publishers: list('publish', '<url>', {
    variable: 'TALLYBOOK_PUBLISH',
    help: `where to publish every change except names, may be repeated: ${formsOf(adapters.publishers)}`,
    allowed: 'see [publishers](#publishers)',
  }),
  upstream: optional('upstream', '<url>', (text) => parseCentreUrl(text, true).href, {
    help: 'centre that gets the record of this device',
    allowed: '`https://HOST`, with a path if there is one',
    needs: ['upstream-token-file'],
    note: 'If not set, this device has no centre. See [Send to a centre](../how-to/send-to-a-centre.md)',
  }),
  upstreamTokenFile: path('upstream-token-file', '<file>', {
    help: 'file with the token of this station (role station), in one line',
    needs: ['upstream'],
    note: 'Read again for each request',
  }),
  isUpstreamInsecure: toggle('upstream-insecure', {
    help: 'allow plain http to the centre: everybody on the way can read and change it',
    needs: ['upstream'],
    note: 'Not needed for `http://` to this machine',
  }),
  name: optional('name', '<text>', parsePlaceName, {
    help: 'name of the place, which the page shows',
    allowed: '1 to 80 characters, such as `Fire station Northwood`',
  }),
  zone: single('zone', '<zone>', parseZone, {
    default: 'UTC',
    help: 'IANA time zone of the days',
    allowed: 'an IANA time zone: `Europe/Berlin`',
  }),
  dayStart: single('day-start', '<HH:MM>', parseDayStart, {
    default: '00:00',
    help: 'time of day at which a day begins',
    allowed: '00:00 to 23:59',
  }),
  repeatWindowMs: single('repeat-window', '<duration>', parseRepeatWindow, {
    default: '2s',
    help: 'a tag seen again within this time is the same tap, 0 for off',
    allowed: '0 to one day: a number and `ms`, `s`, `m`, `h` or `d`; 0 is off',
  }),
  clock: oneOf('clock', '<mode>', ['system', 'trusted'], {
    default: 'system',
    help: 'system: trusted while the system says so; trusted: always, for a device with a battery clock',
  }),
  approveCorrections: toggle('approve-corrections', {
    help: 'a second person has to approve each correction',
    note: 'See [Correct the record](../how-to/correct-the-record.md)',
  }),
  backlogLimit: whole('backlog', [0, BACKLOG_MAX_LIMIT, BACKLOG_DEFAULT_LIMIT], {
    help: 'maximum number of scans in memory while the store cannot write',
  }),
  backupFolder: path('backup', '<folder>', {
    help: 'folder for backups, best on another card',
    note: 'If not set, no backups. See [Back up and restore](../how-to/back-up-and-restore.md)',
  }),
  backupEveryMs: single('backup-every', '<duration>', parseInterval, {
    default: '1d',
    help: 'time between two backups',
    allowed: '`1m` to `366d`',
  }),
  backupKeep: whole('backup-keep', [1, 10_000, 14], { help: 'number of backups to keep' }),
  keep: optional('keep', '<time>', parseKeep, {
    help: 'how long days are kept, such as 24months; older ones are removed once a day',
    allowed: 'a number and `days`, `months` or `years`',
    note: 'If not set, for ever. See [Personal data](../explanation/personal-data.md#retention)',
  }),
  keepGuests: single('keep-guests', '<time>', parseGuestKeep, {
    default: '30days',
    help: 'how long guests are kept after their last day, or never: then they are erased with their scans',
    allowed: 'a number and `days`, `months` or `years`; or `never`: they are never erased',
    note: 'Not used by a station: its centre erases. See [Guests](../how-to/guests.md)',
  }),
  journalLimit: whole(
    'journal-limit',
    [JOURNAL_LIMIT_RANGE.lowest, JOURNAL_LIMIT_RANGE.highest, JOURNAL_LIMIT_RANGE.default],
    { help: 'maximum number of changes in the journal' },
  ),
  journalDays: whole(
    'journal-days',
    [JOURNAL_DAYS_RANGE.lowest, JOURNAL_DAYS_RANGE.highest, JOURNAL_DAYS_RANGE.default],
    { help: 'days for which the journal keeps a change' },
  ),
  auditDays: whole('audit-days', [0, 36_500, 400], {
    help: 'days for which the audit trail keeps an entry; 0 for ever',
    note: '0 keeps all',
  }),
  maxSubscribers: whole('max-subscribers', limited('maxSubscribers'), {
    help: 'maximum number of event streams',
  }),
  maxStreamsPerAddress: whole('max-streams-per-address', limited('maxStreamsPerAddress'), {
    help: 'maximum number of event streams of one other machine',
    note: OTHERS_ONLY,
  }),
  maxStreamsPerSession: whole('max-streams-per-session', limited('maxStreamsPerSession'), {
    help: 'maximum number of event streams of one session or token',
  }),
  maxReadsPerSecond: whole('max-reads-per-second', limited('maxReadsPerSecond'), {
    help: 'maximum number of reads a second by one other machine, 0 for no limit',
    note: IN_A_BURST,
  }),
  maxWritesPerSecond: whole('max-writes-per-second', limited('maxWritesPerSecond'), {
    help: 'maximum number of changes a second by one other machine, 0 for no limit',
    note: IN_A_BURST,
  }),
  maxExportsPerMinute: whole('max-exports-per-minute', limited('maxExportsPerMinute'), {
    help: 'maximum number of tables and files a minute for one other machine, 0 for no limit',
    note: `All of them at once if needed; 0 is no limit. ${OTHERS_ONLY}`,
  }),
  maxExports: whole('max-exports', limited('maxExports'), {
    help: 'maximum number of files written at a time',
    note: 'Number of backups and of CSV and XLSX files at a time. While one is written, the store cannot free space',
  }),
  maxConnections: whole('max-connections', [1, 100_000, 1_500], {
    help: 'maximum number of connections',
  }),
  maxConnectionsPerAddress: whole('max-connections-per-address', [1, 100_000, 200], {
    help: 'maximum number of connections from one other machine',
    note: OTHERS_ONLY,
  }),
  allowedHosts: list('allowed-host', '<name>', {
    variable: 'TALLYBOOK_ALLOWED_HOSTS',
    help: 'further host name of the service, may be repeated; addresses, *.local and the name of the machine are always allowed',
    allowed: 'a host name without scheme and port: see **Allowed hosts** below',
    split: splitAtCommas,
    check: checkHostName,
  }),
  tlsCert: path('tls-cert', '<file>', {
    help: 'certificate for https, in PEM',
    needs: ['tls-key'],
    note: 'If not set, plain http. Read again when it changes. See [Serve over https](../how-to/serve-over-https.md)',
  }),
  tlsKey: path('tls-key', '<file>', {
    help: 'private key of the certificate, in PEM without a passphrase',
    needs: ['tls-cert'],
  }),
  isInsecure: toggle('insecure', {
    help: 'while there are no users, let in everybody who reaches the service',
    note: 'It has no effect once there are users. See [access](access.md)',
  }),
  trustedProxies: list('trusted-proxy', '<address>', {
    variable: 'TALLYBOOK_TRUSTED_PROXIES',
    help: 'address or network of a proxy whose X-Forwarded-* headers count, may be repeated',
    allowed: 'an address or a network: `127.0.0.1`, `172.16.0.0/12`, `fd00::/8`',
    split: splitAtCommas,
    check: checkNetwork,
  }),
  authHeader: optional('auth-header', '<name>', parseHeaderName, {
    help: 'header in which a trusted proxy names the user',
    allowed: 'the name of a header such as `Remote-User`',
    needs: ['trusted-proxy'],
    note: 'If not set, nobody signs in by a proxy',
  }),
  authHeaderRole: roleOfOthers('auth-header-role', 'the proxy names', ['auth-header']),
  authGroupsHeader: optional('auth-groups-header', '<name>', parseHeaderName, {
    help: 'header in which a trusted proxy lists the groups of the user',
    allowed:
      'the name of a header such as `Remote-Groups`, with a list of groups and bars, semicolons or commas between them',
    needs: ['auth-header'],
    note: 'If not set, groups do not count',
  }),
  authGroupRoles: groupRoles('auth-group-role', 'TALLYBOOK_AUTH_GROUP_ROLES', 'auth-groups-header'),
  logLevel: oneOf('log-level', '<level>', logLevels, { default: 'info', help: logLevels.join(', ') }),
  publicUrl: optional('public-url', '<url>', parsePublicUrl, {
    help: 'where people reach the page from outside, such as https://tally.example.org/',
    allowed:
      'an https URL, or an http URL of this machine, with the path that a proxy adds. An identity provider needs it, because it sends people back to this URL. Its host name is allowed, as with `--allowed-host`',
  }),
  ...identitySettings,
});

/** The settings of third-party identity providers, each a text. */
function settingsOfOthers({ identities }: Adapters): Readonly<Record<string, Single>> {
  const others = identities.filter((each) => !ownAdapters.includes(each));
  return Object.fromEntries(
    others.flatMap(({ settings: own = {} }) =>
      Object.entries(own).map(([flag, { help, default: byDefault = '' }]) => [
        flag.replace(/-(.)/g, (_dash, letter: string) => letter.toUpperCase()),
        single(flag, '<text>', (text) => text || undefined, { help, allowed: 'a text', default: byDefault }),
      ]),
    ),
  );
}

export const settings = makeSettings(adaptersOf());

/**
 * The settings with the third-party adapters: in their help, and those of their identity providers.
 *
 * @throws {TallybookError} `INVALID_OPTION` if one has a setting that the program has.
 */
export function settingsOf(adapters: Adapters): typeof settings {
  if (adapters === adaptersOf()) return settings;
  const others = settingsOfOthers(adapters);
  const taken = Object.values(others).find(({ flag }) =>
    Object.values(settings).some((own) => own.flag === flag),
  );
  if (taken !== undefined)
    throw invalidOption(`an identity provider has the setting --${taken.flag}, which is taken`);
  return { ...makeSettings(adapters), ...others };
}

function parseStore(adapters: Adapters): (url: string) => string {
  return (url) => {
    createServedStorage(adapters, url);
    return url;
  };
}

function parseZone(zone: string): string {
  new Calendar({ zone });
  return zone;
}

function parseDayStart(dayStart: string): string {
  new Calendar({ dayStart });
  return dayStart;
}

function parseRepeatWindow(text: string): number {
  const windowMs = parseDuration(text);
  new RepeatWindow(windowMs);
  return windowMs;
}

function parseGuestKeep(text: string): Keep | 'never' {
  return text === 'never' ? text : parseKeep(text);
}

/** The URL of a page ends with a slash: the paths of its requests are below it. */
function parsePublicUrl(text: string): string {
  const url = checkPageUrl(text);
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url.href;
}
