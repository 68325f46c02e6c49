import { TallybookError, quote, isTallybookError } from '@tallybook/domain';

/** Whole numbers from `lowest` to `highest`, both included. */
export interface Range {
  readonly lowest: number;
  readonly highest: number;
}

/** The error `INVALID_OPTION`. If a parameter is wrong, its name is in `details.parameter`. */
export function invalidOption(message: string, parameter?: string, cause?: unknown): TallybookError {
  return new TallybookError('INVALID_OPTION', message, {
    ...(cause === undefined ? {} : { cause }),
    ...(parameter === undefined ? {} : { details: { parameter } }),
  });
}

const NAME = /^\P{Cc}{1,100}$/u;

/** @throws {TallybookError} `INVALID_OPTION` if it cannot be the name of a device. */
export function checkName(name: string): string {
  if (NAME.test(name)) return name;
  throw invalidOption(`name is 1 to 100 characters without control characters; got ${quote(name)}`, 'name');
}

/**
 * Checks an option that is a whole number.
 *
 * @param got Text that the message shows instead of the number.
 * @throws {TallybookError} `INVALID_OPTION`, with the name in `details.parameter`, if it is out of range.
 */
export function checkRange(
  parameter: string,
  value: number,
  { lowest, highest }: Range,
  got: string = String(value),
): number {
  if (Number.isInteger(value) && value >= lowest && value <= highest) return value;
  throw invalidOption(`${parameter} is a whole number from ${lowest} to ${highest}; got ${got}`, parameter);
}

const SPELLING = /^(?:0|([0-9]+)(ms|s|m|h|d))$/;
const UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/**
 * Reads a length of time: digits and a unit without a space between, such as `500ms`, `5s`, `2m`, `12h` or `1d`;
 * or a bare `0`.
 *
 * @returns Milliseconds, a safe integer.
 * @throws {TallybookError} `INVALID_OPTION` if the text is anything else.
 */
export function parseDuration(text: unknown): number {
  const match = typeof text === 'string' ? SPELLING.exec(text) : null;
  if (match !== null) {
    const [, digits = '0', unit = 'ms'] = match;
    const milliseconds = Number(digits) * (UNITS_MS[unit] ?? NaN);
    if (Number.isSafeInteger(milliseconds)) return milliseconds;
  }
  throw invalidOption(
    `a duration is digits and one of the units ms, s, m, h, d, such as 500ms or 2m, or a bare 0; got ${quote(text)}`,
  );
}

const DIGITS = /^[0-9]+$/;
/** By the rules of URLs, a host follows `http:` even without slashes. */
const HTTP_PATH = /^http:(?!\/)/i;

/**
 * The URL of a device, `scheme:path?parameter=value&…` or `scheme://host:port/path?…`. The factory of the scheme
 * reads the parameters that it allows; {@link refuseOthers} refuses the rest.
 *
 * All methods throw `INVALID_OPTION` with a message about the wrong part of the URL.
 */
export class DeviceUrl {
  readonly scheme: string;
  /** The path, percent-decoded; empty if there is none. */
  readonly path: string;
  /** The path as it is in the URL. */
  readonly encodedPath: string;
  readonly #address: string;
  readonly #parameters: ReadonlyMap<string, string>;
  readonly #asked = new Set<string>();
  #isAddressAsked = false;

  /**
   * @param login Advice where to put a user and a password. It is part of the message that refuses them in a URL.
   * Default: none.
   */
  constructor(text: string, login?: string) {
    // Checked before parsing: with an unescaped password, the text may be no URL, or a URL with another meaning.
    if (text.includes('@')) {
      throw invalidOption(
        `it has a user or a password, which do not belong in a URL, because URLs are logged${login === undefined ? '' : `; ${login}`}. If it is an @ in the path or in a value, write %40`,
      );
    }
    const isHttpPath = HTTP_PATH.test(text);
    const parsed = isHttpPath ? text.replace(HTTP_PATH, 'device:') : text;
    const url = URL.canParse(parsed) ? new URL(parsed) : undefined;
    if (url === undefined) throw invalidOption('it is not a URL, such as serial:/dev/ttyUSB0 or stdin:');
    // Searched in the text: `URL` shows no hash for a # with nothing after it.
    if (text.includes('#')) throw invalidOption('it has a #; write %23 for one in the path or in a value');
    this.scheme = isHttpPath ? 'http' : url.protocol.slice(0, -1);
    this.path = decodePath(url.pathname);
    this.encodedPath = url.pathname;
    this.#address = url.host;
    this.#parameters = collect(url.searchParams);
  }

  /** Host, and port if there is one, such as `broker.local:1883`; empty if there is no host. */
  get address(): string {
    this.#isAddressAsked = true;
    return this.#address;
  }

  text(parameter: string): string | undefined {
    this.#asked.add(parameter);
    return this.#parameters.get(parameter);
  }

  choice<T extends string>(parameter: string, allowed: readonly T[]): T | undefined {
    const value = this.text(parameter);
    if (value === undefined) return undefined;
    const choice = allowed.find((each) => each === value);
    if (choice === undefined) {
      throw invalidOption(`${parameter} is one of ${allowed.join(', ')}; got ${quote(value)}`, parameter);
    }
    return choice;
  }

  wholeNumber(parameter: string, range: Range): number | undefined {
    const value = this.text(parameter);
    if (value === undefined) return undefined;
    return checkRange(parameter, DIGITS.test(value) ? Number(value) : NaN, range, quote(value));
  }

  durationMs(parameter: string): number | undefined {
    const value = this.text(parameter);
    if (value === undefined) return undefined;
    try {
      return parseDuration(value);
    } catch (cause) {
      if (!isTallybookError(cause)) throw cause;
      throw invalidOption(`${parameter}: ${cause.message}`, parameter, cause);
    }
  }

  refusePath(): void {
    if (this.path !== '') throw invalidOption(`${this.scheme}: has no path; got ${quote(this.path)}`);
  }

  /** Refuses a host and parameters that were not read. */
  refuseOthers(): void {
    if (this.#address !== '' && !this.#isAddressAsked) {
      throw invalidOption(`it has the host ${quote(this.#address)}; write ${this.scheme}:/… with one slash`);
    }
    for (const parameter of this.#parameters.keys()) {
      if (this.#asked.has(parameter)) continue;
      const allowed = [...this.#asked].sort().join(', ');
      throw invalidOption(`the parameter ${quote(parameter)} is unknown; allowed are ${allowed}`, parameter);
    }
  }
}

function decodePath(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch (cause) {
    throw invalidOption('its path has a % that begins no escape; write %25 for one', undefined, cause);
  }
}

function collect(search: URLSearchParams): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const [parameter, value] of search) {
    if (parameters.has(parameter)) {
      throw invalidOption(`the parameter ${quote(parameter)} is given twice; allowed is once`, parameter);
    }
    parameters.set(parameter, value);
  }
  return parameters;
}
