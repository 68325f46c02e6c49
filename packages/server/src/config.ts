import { SystemClock } from '@tallybook/clock-system';
import { parseDuration } from '@tallybook/devices';
import {
  BACKLOG_DEFAULT_LIMIT,
  BACKLOG_MAX_LIMIT,
  Calendar,
  Emitter,
  isTallybookError,
  quote,
  RepeatWindow,
  TallybookError,
} from '@tallybook/domain';
import { createIndicator } from '@tallybook/indicators';
import { createPublisher, type PublishedAttendance } from '@tallybook/publisher-mqtt';
import { createReader } from '@tallybook/readers';
import { BrokerClients } from './broker-clients.js';
import { createStores } from './stores.js';

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export const damageReactions = ['refuse', 'repair'] as const;

/** What the server does when its store is damaged at the start. */
export type DamageReaction = (typeof damageReactions)[number];

export type LogLevel = (typeof logLevels)[number];

const clockModes = ['system', 'trusted'] as const;

/** How far the system's clock is trusted: as far as the system says, or because the operator vouches for it. */
type ClockMode = (typeof clockModes)[number];

/** Where backups go, how often, and how many of them are kept. */
export interface BackupPlan {
  readonly folder: string;
  /** Milliseconds from one to the next, 60000..31622400000. */
  readonly everyMs: number;
  /** 1..10000. */
  readonly keep: number;
}

/** The settings of the server, checked. */
export interface Config {
  /** Address to listen on. */
  readonly host: string;
  /** TCP port, 0..65535; 0 lets the system choose a free one. */
  readonly port: number;
  /** Store URL: `level:PATH` or `memory:`. */
  readonly store: string;
  /** Whether a damaged store keeps the server from starting, or is repaired. */
  readonly onDamage: DamageReaction;
  /** Reader URLs, each with a reader name of its own. */
  readonly readers: readonly string[];
  /** Indicator URLs, each with a name of its own. */
  readonly indicators: readonly string[];
  /** Publisher URLs, each with a name of its own. */
  readonly publishers: readonly string[];
  /** IANA time zone in which days are counted. */
  readonly zone: string;
  /** Time on the wall clock at which a day begins, `HH:MM`. */
  readonly dayStart: string;
  /** Milliseconds, 0..86400000; 0 is off. */
  readonly repeatWindowMs: number;
  readonly clock: ClockMode;
  /** Most scans that are kept in memory while the store cannot write, 0..1000000. */
  readonly backlogLimit: number;
  /** `undefined`: no backups are made. */
  readonly backup: BackupPlan | undefined;
  /** Most event streams at a time, 1..100000. */
  readonly maxSubscribers: number;
  readonly logLevel: LogLevel;
}

/** Settings as they are written: flags as parsed from the command line. What is absent has its default. */
export interface Settings {
  readonly host?: string;
  readonly port?: string;
  readonly store?: string;
  readonly onDamage?: string;
  readonly reader?: readonly string[];
  readonly indicator?: readonly string[];
  readonly publish?: readonly string[];
  readonly zone?: string;
  readonly dayStart?: string;
  readonly repeatWindow?: string;
  readonly clock?: string;
  readonly backlog?: string;
  readonly backup?: string;
  readonly backupEvery?: string;
  readonly backupKeep?: string;
  readonly maxSubscribers?: string;
  readonly logLevel?: string;
}

/** Not the commas within a URL, as in `bits=26,34`: after those there is no scheme. */
const BETWEEN_URLS = /,(?=\s*[a-z][a-z0-9]*:)/i;

type Environment = Readonly<Record<string, string | undefined>>;

/** The defaults, as they would be written. */
export const defaultSettings: Required<Settings> = Object.freeze({
  host: '127.0.0.1',
  port: '8080',
  store: 'level:./tallybook-data',
  onDamage: 'refuse',
  reader: Object.freeze(['stdin:']),
  indicator: Object.freeze([]),
  publish: Object.freeze([]),
  zone: 'UTC',
  dayStart: '00:00',
  repeatWindow: '2s',
  clock: 'system',
  backlog: String(BACKLOG_DEFAULT_LIMIT),
  backup: '',
  backupEvery: '1d',
  backupKeep: '14',
  maxSubscribers: '1000',
  logLevel: 'info',
});

/**
 * Joins flags, environment variables (`TALLYBOOK_HOST`, …) and defaults, in this order of precedence, and checks
 * them all. An empty variable counts as absent.
 *
 * @throws {TallybookError} `INVALID_OPTION` with one line for each wrong setting.
 */
export function loadConfig(flags: Settings = {}, env: Environment = process.env): Config {
  const variable = (name: string): string | undefined => readVariable(env, name);
  const list = (name: string): readonly string[] | undefined =>
    variable(name)
      ?.split(BETWEEN_URLS)
      .map((url) => url.trim());
  const written: Required<Settings> = {
    host: flags.host ?? variable('TALLYBOOK_HOST') ?? defaultSettings.host,
    port: flags.port ?? variable('TALLYBOOK_PORT') ?? defaultSettings.port,
    store: flags.store ?? variable('TALLYBOOK_STORE') ?? defaultSettings.store,
    onDamage: flags.onDamage ?? variable('TALLYBOOK_ON_DAMAGE') ?? defaultSettings.onDamage,
    reader: flags.reader ?? list('TALLYBOOK_READERS') ?? defaultSettings.reader,
    indicator: flags.indicator ?? list('TALLYBOOK_INDICATORS') ?? defaultSettings.indicator,
    publish: flags.publish ?? list('TALLYBOOK_PUBLISH') ?? defaultSettings.publish,
    zone: flags.zone ?? variable('TALLYBOOK_ZONE') ?? defaultSettings.zone,
    dayStart: flags.dayStart ?? variable('TALLYBOOK_DAY_START') ?? defaultSettings.dayStart,
    repeatWindow: flags.repeatWindow ?? variable('TALLYBOOK_REPEAT_WINDOW') ?? defaultSettings.repeatWindow,
    clock: flags.clock ?? variable('TALLYBOOK_CLOCK') ?? defaultSettings.clock,
    backlog: flags.backlog ?? variable('TALLYBOOK_BACKLOG') ?? defaultSettings.backlog,
    backup: flags.backup ?? variable('TALLYBOOK_BACKUP') ?? defaultSettings.backup,
    backupEvery: flags.backupEvery ?? variable('TALLYBOOK_BACKUP_EVERY') ?? defaultSettings.backupEvery,
    backupKeep: flags.backupKeep ?? variable('TALLYBOOK_BACKUP_KEEP') ?? defaultSettings.backupKeep,
    maxSubscribers:
      flags.maxSubscribers ?? variable('TALLYBOOK_MAX_SUBSCRIBERS') ?? defaultSettings.maxSubscribers,
    logLevel: flags.logLevel ?? variable('TALLYBOOK_LOG_LEVEL') ?? defaultSettings.logLevel,
  };
  return checkSettings(written);
}

/**
 * The store URL alone, for commands that need nothing else, so that no other setting can keep them from working.
 *
 * @throws {TallybookError} `INVALID_OPTION` if it names no kind of store.
 */
export function loadStoreUrl(flags: Pick<Settings, 'store'> = {}, env: Environment = process.env): string {
  const url = flags.store ?? readVariable(env, 'TALLYBOOK_STORE') ?? defaultSettings.store;
  createStores(url);
  return url;
}

/** An empty variable counts as absent. */
function readVariable(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === '' ? undefined : value;
}

function checkSettings(written: Required<Settings>): Config {
  const problems: string[] = [];
  const check = <T>(flag: string, read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      if (!isTallybookError(error, 'INVALID_OPTION')) throw error;
      problems.push(`${flag}: ${error.message}`);
      return undefined;
    }
  };

  const clock = new SystemClock();
  const host = check('--host', () => parseHost(written.host));
  const port = check('--port', () => parseWhole(written.port, 0, 65_535));
  check('--store', () => createStores(written.store));
  const clients = new BrokerClients();
  const readers = new NamedUrls();
  for (const url of written.reader) {
    check('--reader', () => {
      readers.add(createReader(url, { clock }).name, url);
      clients.add(url, true);
    });
  }
  const indicators = new NamedUrls();
  for (const url of written.indicator) {
    check('--indicator', () => {
      const { name, reader } = createIndicator(url, { clock });
      indicators.add(name, url);
      clients.add(url, false);
      if (reader !== undefined) readers.require(reader, url);
    });
  }
  const publishers = new NamedUrls();
  for (const url of written.publish) {
    check('--publish', () => {
      publishers.add(createPublisher(url, { attendance: nobody, clock }).name, url);
      clients.add(url, false);
    });
  }
  const calendar = check('--zone', () => new Calendar({ zone: written.zone }));
  check('--day-start', () => new Calendar({ dayStart: written.dayStart }));
  const repeatWindowMs = check('--repeat-window', () => parseWindow(written.repeatWindow));
  const clockMode = check('--clock', () => parseOneOf(clockModes, written.clock));
  const backlogLimit = check('--backlog', () => parseWhole(written.backlog, 0, BACKLOG_MAX_LIMIT));
  const backupEveryMs = check('--backup-every', () => parseInterval(written.backupEvery));
  const backupKeep = check('--backup-keep', () => parseWhole(written.backupKeep, 1, 10_000));
  const maxSubscribers = check('--max-subscribers', () => parseWhole(written.maxSubscribers, 1, 100_000));
  const onDamage = check('--on-damage', () => parseOneOf(damageReactions, written.onDamage));
  const logLevel = check('--log-level', () => parseOneOf(logLevels, written.logLevel));

  if (
    host === undefined ||
    port === undefined ||
    calendar === undefined ||
    repeatWindowMs === undefined ||
    clockMode === undefined ||
    backlogLimit === undefined ||
    backupEveryMs === undefined ||
    backupKeep === undefined ||
    maxSubscribers === undefined ||
    onDamage === undefined ||
    logLevel === undefined ||
    problems.length > 0
  ) {
    throw new TallybookError('INVALID_OPTION', problems.join('\n'));
  }
  return Object.freeze({
    host,
    port,
    store: written.store,
    onDamage,
    readers: Object.freeze([...written.reader]),
    indicators: Object.freeze([...written.indicator]),
    publishers: Object.freeze([...written.publish]),
    zone: written.zone,
    dayStart: written.dayStart,
    repeatWindowMs,
    clock: clockMode,
    backlogLimit,
    backup:
      written.backup === ''
        ? undefined
        : Object.freeze({ folder: written.backup, everyMs: backupEveryMs, keep: backupKeep }),
    maxSubscribers,
    logLevel,
  });
}

/** What a publisher that is made to be checked only could tell of. */
const nobody: PublishedAttendance = {
  events: new Emitter(),
  listDays: () => Promise.resolve([]),
  loadDay: () => Promise.resolve(undefined),
};

/** The URLs of devices of one sort, by the names of the devices. */
class NamedUrls {
  readonly #urls = new Map<string, string>();

  /** @throws {TallybookError} `INVALID_OPTION` if another one has this name. */
  add(name: string, url: string): void {
    const twin = this.#urls.get(name);
    if (twin !== undefined) {
      throw new TallybookError(
        'INVALID_OPTION',
        `${quote(twin)} and ${quote(url)} are both named ${quote(name)}; give one of them name=…`,
      );
    }
    this.#urls.set(name, url);
  }

  /** @throws {TallybookError} `INVALID_OPTION` if none has this name, nor its part before a slash, as devices behind one have. */
  require(name: string, user: string): void {
    const names = [...this.#urls.keys()];
    if (names.some((each) => name === each || name.startsWith(`${each}/`))) return;
    const allowed = names.map(quote).join(', ');
    throw new TallybookError(
      'INVALID_OPTION',
      `${quote(user)} belongs to the reader ${quote(name)}, which there is not; allowed are ${allowed}`,
    );
  }
}

function parseHost(text: string): string {
  if (/^[^\s/]+$/.test(text)) return text;
  throw new TallybookError(
    'INVALID_OPTION',
    `an address or host name such as 127.0.0.1, :: or localhost; got ${quote(text)}`,
  );
}

function parseWhole(text: string, lowest: number, highest: number): number {
  const value = /^[0-9]+$/.test(text) ? Number(text) : NaN;
  if (value >= lowest && value <= highest) return value;
  throw new TallybookError(
    'INVALID_OPTION',
    `a whole number from ${lowest} to ${highest}; got ${quote(text)}`,
  );
}

function parseWindow(text: string): number {
  const windowMs = parseDuration(text);
  new RepeatWindow(windowMs);
  return windowMs;
}

const MINUTE_MS = 60_000;
const YEAR_MS = 366 * 86_400_000;

function parseInterval(text: string): number {
  const intervalMs = parseDuration(text);
  if (intervalMs >= MINUTE_MS && intervalMs <= YEAR_MS) return intervalMs;
  throw new TallybookError('INVALID_OPTION', `1m to 366d; got ${quote(text)}`);
}

function parseOneOf<T extends string>(allowed: readonly T[], text: string): T {
  const found = allowed.find((each) => each === text);
  if (found !== undefined) return found;
  throw new TallybookError('INVALID_OPTION', `one of ${allowed.join(', ')}; got ${quote(text)}`);
}
