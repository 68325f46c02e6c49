import type { FileSettings } from './config-file.js';
import type { Setting } from './setting.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A setting as text, and its place: `--port`, `TALLYBOOK_PORT` or `tallybook.toml: port`. */
export interface Written {
  readonly values: readonly string[];
  readonly where: string;
  /** `given`: by a flag, a variable or the file. */
  readonly source: 'given' | 'stored' | 'default';
}

export const NONE: Written = { values: [], where: '', source: 'default' };

/** The commas between URLs. Commas within a URL, as in `bits=26,34`, have no scheme after them. */
const BETWEEN_URLS = /,(?=\s*[a-z][a-z0-9+.-]*:)/i;

/** Variables that Kubernetes, and links of Docker, add for another service: `tcp://10.0.0.1:8080`. */
const INJECTED_NAME =
  /^TALLYBOOK_(?:.+_)?(?:SERVICE_HOST|SERVICE_PORT(?:_.+)?|PORT_\d+_(?:TCP|UDP|SCTP)(?:_.+)?)$/;
const INJECTED_VALUE = /^(?:tcp|udp|sctp):\/\/[^/\s]+$/;

export function isInjected(name: string, value = ''): boolean {
  return (
    INJECTED_NAME.test(name) || (/^TALLYBOOK_(?:.+_)?PORT$/.test(name) && INJECTED_VALUE.test(value.trim()))
  );
}

/** Finds the value of a setting that takes precedence: a flag, a variable, a key of the file, or the default. */
export function find(
  setting: Setting,
  flags: object,
  env: Environment,
  file: FileSettings | undefined,
): Written {
  const { flag, variable } = setting;
  const fromFlags = (flags as Readonly<Record<string, string | readonly string[] | undefined>>)[
    camelCase(flag)
  ];
  if (fromFlags !== undefined) return { values: [fromFlags].flat(), where: `--${flag}`, source: 'given' };
  const fromEnv = env[variable] ?? '';
  if (fromEnv.trim() !== '' && !isInjected(variable, fromEnv)) {
    if ('parse' in setting) return { values: [fromEnv.trim()], where: variable, source: 'given' };
    const { split = (text) => text.trim().split(BETWEEN_URLS) } = setting;
    return { values: split(fromEnv).map((value) => value.trim()), where: variable, source: 'given' };
  }
  const fromFile = file?.values[flag];
  if (fromFile !== undefined) return { values: fromFile, where: `${file?.name}: ${flag}`, source: 'given' };
  return { values: [setting.default].flat(), where: `--${flag}`, source: 'default' };
}

function camelCase(flag: string): string {
  return flag.replace(/-(.)/g, (_dash, letter: string) => letter.toUpperCase());
}
