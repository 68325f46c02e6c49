import { Calendar, isTallybookError, quote, RepeatWindow, TallybookError } from '@tallybook/domain';
import { createReader, parseDuration } from '@tallybook/readers';
import { createStores } from './stores.js';
import { SystemClock } from './system-clock.js';

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export type LogLevel = (typeof logLevels)[number];

/** The settings of the server, checked. */
export interface Config {
  /** Address to listen on. */
  readonly host: string;
  /** TCP port, 0..65535; 0 lets the system choose a free one. */
  readonly port: number;
  /** Store URL: `level:PATH` or `memory:`. */
  readonly store: string;
  /** Reader URLs, each with a reader name of its own. */
  readonly readers: readonly string[];
  /** IANA time zone in which days are counted. */
  readonly zone: string;
  /** Time on the wall clock at which a day begins, `HH:MM`. */
  readonly dayStart: string;
  /** Milliseconds, 0..86400000; 0 is off. */
  readonly repeatWindowMs: number;
  /** Most event streams at a time, 1..100000. */
  readonly maxSubscribers: number;
  readonly logLevel: LogLevel;
}

/** Settings as they are written: flags as parsed from the command line. What is absent has its default. */
export interface Settings {
  readonly host?: string;
  readonly port?: string;
  readonly store?: string;
  readonly reader?: readonly string[];
  readonly zone?: string;
  readonly dayStart?: string;
  readonly repeatWindow?: string;
  readonly maxSubscribers?: string;
  readonly logLevel?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The defaults, as they would be written. */
export const defaultSettings: Required<Settings> = Object.freeze({
  host: '127.0.0.1',
  port: '8080',
  store: 'level:./tallybook-data',
  reader: Object.freeze(['stdin:']),
  zone: 'UTC',
  dayStart: '00:00',
  repeatWindow: '2s',
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
  const readers = variable('TALLYBOOK_READERS')
    ?.split(',')
    .map((url) => url.trim());
  const written: Required<Settings> = {
    host: flags.host ?? variable('TALLYBOOK_HOST') ?? defaultSettings.host,
    port: flags.port ?? variable('TALLYBOOK_PORT') ?? defaultSettings.port,
    store: flags.store ?? variable('TALLYBOOK_STORE') ?? defaultSettings.store,
    reader: flags.reader ?? readers ?? defaultSettings.reader,
    zone: flags.zone ?? variable('TALLYBOOK_ZONE') ?? defaultSettings.zone,
    dayStart: flags.dayStart ?? variable('TALLYBOOK_DAY_START') ?? defaultSettings.dayStart,
    repeatWindow: flags.repeatWindow ?? variable('TALLYBOOK_REPEAT_WINDOW') ?? defaultSettings.repeatWindow,
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
  const names = new Map<string, string>();
  const host = check('--host', () => parseHost(written.host));
  const port = check('--port', () => parseWhole(written.port, 0, 65_535));
  check('--store', () => createStores(written.store));
  for (const url of written.reader) {
    check('--reader', () => {
      const { name } = createReader(url, { clock });
      const twin = names.get(name);
      if (twin !== undefined) {
        throw new TallybookError(
          'INVALID_OPTION',
          `${quote(twin)} and ${quote(url)} are both named ${quote(name)}; give one of them name=…`,
        );
      }
      names.set(name, url);
    });
  }
  const calendar = check('--zone', () => new Calendar({ zone: written.zone }));
  check('--day-start', () => new Calendar({ dayStart: written.dayStart }));
  const repeatWindowMs = check('--repeat-window', () => parseWindow(written.repeatWindow));
  const maxSubscribers = check('--max-subscribers', () => parseWhole(written.maxSubscribers, 1, 100_000));
  const logLevel = check('--log-level', () => parseLogLevel(written.logLevel));

  if (
    host === undefined ||
    port === undefined ||
    calendar === undefined ||
    repeatWindowMs === undefined ||
    maxSubscribers === undefined ||
    logLevel === undefined ||
    problems.length > 0
  ) {
    throw new TallybookError('INVALID_OPTION', problems.join('\n'));
  }
  return Object.freeze({
    host,
    port,
    store: written.store,
    readers: Object.freeze([...written.reader]),
    zone: written.zone,
    dayStart: written.dayStart,
    repeatWindowMs,
    maxSubscribers,
    logLevel,
  });
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

function parseLogLevel(text: string): LogLevel {
  const level = logLevels.find((each) => each === text);
  if (level !== undefined) return level;
  throw new TallybookError('INVALID_OPTION', `one of ${logLevels.join(', ')}; got ${quote(text)}`);
}
