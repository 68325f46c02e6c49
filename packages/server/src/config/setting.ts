import { roles, type Role } from '@tallybook/domain/access';
import { parseGroupRole, parseOneOf, parseWhole, splitGroupRoles } from './parse-setting.js';

/** A setting with one value or several: its flag is also the key in a configuration file. */
interface Described<Flag extends string> {
  /** Name of the flag without dashes: `repeat-window`. */
  readonly flag: Flag;
  /** Placeholder of the value in the help: `<duration>`. */
  readonly value: string;
  /** The environment variable. */
  readonly variable: `TALLYBOOK_${string}`;
  /** Text for `--help`. */
  readonly help: string;
  /** Allowed values, for the reference, in Markdown. */
  readonly allowed: string;
  /** Flags of the settings without which this one is refused. */
  readonly needs: readonly string[];
}

/** A setting that has one value. */
export interface Single<Value = unknown, Flag extends string = string> extends Described<Flag> {
  /** The default, as text. */
  readonly default: string;
  /** @throws {TallybookError} `INVALID_OPTION` with the allowed values and the given one. */
  readonly parse: (text: string) => Value;
}

/** A setting that may be given several times. URLs of devices are checked together, by `checkDevices`. */
export interface List<Flag extends string = string> extends Described<Flag> {
  readonly default: readonly string[];
  /** Splits the variable into values, if they are not URLs. */
  readonly split?: (text: string) => readonly string[];
  /** @throws {TallybookError} `INVALID_OPTION` with the allowed values and the given one. */
  readonly check?: (value: string) => void;
}

export type Setting = Single | List;

interface About {
  readonly help: string;
  readonly allowed: string;
  /** Further sentences of the reference, after what the setting needs. */
  readonly note?: string;
  readonly needs?: readonly string[];
}

function describe<Flag extends string>(
  flag: Flag,
  value: string,
  { help, allowed, note, needs = [] }: About,
): Described<Flag> {
  const flags = needs.map((each) => `--${each}`);
  const needed = (names: readonly string[]): string =>
    names.length === 0 ? '' : `; needs ${names.join(' and ')}`;
  return {
    ...{ flag, value, needs },
    variable: `TALLYBOOK_${flag.toUpperCase().replaceAll('-', '_')}`,
    help: `${help}${needed(flags)}`,
    allowed: `${allowed}${needed(flags.map((each) => `\`${each}\``))}${note === undefined ? '' : `. ${note}`}`,
  };
}

/** A setting that always has a value. */
export function single<Value, Flag extends string>(
  flag: Flag,
  value: string,
  parse: (text: string) => Value,
  about: About & { readonly default: string },
): Single<Value, Flag> {
  return { ...describe(flag, value, about), default: about.default, parse };
}

/** A setting without a value unless it is given. */
export function optional<Value, Flag extends string>(
  flag: Flag,
  value: string,
  parse: (text: string) => Value,
  about: About,
): Single<Value | undefined, Flag> {
  return single(flag, value, (text) => (text === '' ? undefined : parse(text)), { ...about, default: '' });
}

/** The path of a file or a folder. */
export function path<Flag extends string>(
  flag: Flag,
  value: '<file>' | '<folder>',
  about: Omit<About, 'allowed'>,
): Single<string | undefined, Flag> {
  return optional(flag, value, (text) => text, { ...about, allowed: `a ${value.slice(1, -1)}` });
}

/** A whole number. */
export function whole<Flag extends string>(
  flag: Flag,
  [lowest, highest, byDefault]: readonly [lowest: number, highest: number, byDefault: number],
  about: Omit<About, 'allowed'> & { readonly value?: string },
): Single<number, Flag> {
  return single(flag, about.value ?? '<n>', (text) => parseWhole(text, lowest, highest), {
    ...{ ...about, allowed: `${lowest} to ${highest}`, default: String(byDefault) },
  });
}

/** Whether something is so; by default it is not. */
export function toggle<Flag extends string>(
  flag: Flag,
  about: Omit<About, 'allowed'>,
): Single<boolean, Flag> {
  return single(flag, '[true]', (text) => parseOneOf(['true', 'false'], text) === 'true', {
    ...{ ...about, allowed: '`true` or `false`; the flag alone is `true`', default: 'false' },
  });
}

/** One of several words. */
export function oneOf<Word extends string, Flag extends string>(
  flag: Flag,
  value: string,
  words: readonly Word[],
  about: Omit<About, 'allowed'> & { readonly default: Word },
): Single<Word, Flag> {
  return single(flag, value, (text) => parseOneOf(words, text), { ...about, allowed: codes(words) });
}

/** A setting that may be given several times. */
export function list<Flag extends string>(
  flag: Flag,
  value: string,
  about: About & Pick<List, 'variable' | 'split' | 'check'> & { readonly default?: readonly string[] },
): List<Flag> {
  const { default: byDefault = [], variable, split, check } = about;
  const described = { ...describe(flag, value, about), variable, default: byDefault };
  return { ...described, ...(split && { split }), ...(check && { check }) };
}

/** The role of people whom somebody else names, such as a proxy. */
export function roleOfOthers<Flag extends string>(
  flag: Flag,
  whom: string,
  needs: readonly string[],
): Single<Role | undefined, Flag> {
  return optional(flag, '<role>', (text) => parseOneOf(roles, text), {
    help: `role of people whom ${whom}, but who are not users here`,
    allowed: codes(roles),
    ...{ needs, note: 'If not set, only users and members of groups get in' },
  });
}

/** The roles of groups that somebody else names. @param groups Flag of the setting that says where the groups are. */
export function groupRoles<Flag extends string>(
  flag: Flag,
  variable: List['variable'],
  groups: string,
): List<Flag> {
  return list(flag, '<group=role>', {
    variable,
    help: `role of a group in --${groups}, may be repeated; of several roles, a person gets the one with the most rights`,
    allowed: `the name of a group, \`=\` and a role, such as \`staff=viewer\`. The role is one of ${codes(roles)}`,
    ...{ needs: [groups], split: splitGroupRoles, check: parseGroupRole },
  });
}

/** The words as code in Markdown. */
function codes(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(', ');
}
