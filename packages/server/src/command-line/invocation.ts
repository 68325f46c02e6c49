import { basename, relative } from 'node:path';

/** How the process was started, by the data of Node and npm. */
export interface Start {
  /** `process.argv`. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working directory. */
  readonly folder: string;
}

/** The `package.json` that has the script `start` of the checkout. */
const CHECKOUT = 'tallybook-monorepo';

/** The script of the package for Debian, whose command on the store needs root. */
const PACKAGED = '/usr/lib/tallybook/bin/tallybook';

/**
 * The words that a person types instead of `tallybook` to call this program again. It may not be installed under that
 * name.
 */
export function describeCall(start: Start): string {
  if (isFromNpm(start)) return 'npm start --';
  const { argv, env, folder } = start;
  const [, script = ''] = argv;
  if (script === PACKAGED) return 'sudo tallybook';
  const isInstalled = /[\\/]node_modules[\\/](?:\.bin|@tallybook)[\\/]/.test(script);
  // pnpm puts its own script into `.bin`, which runs ours.
  if (basename(script) !== 'tallybook') {
    return isInstalled && env['npm_command'] !== undefined
      ? 'npx tallybook'
      : `node ${relative(folder, script)}`;
  }
  return isInstalled || env['npm_command'] === 'exec' ? 'npx tallybook' : 'tallybook';
}

/**
 * The options that npm took for itself, because no `--` was before them. npm leaves them in the environment.
 *
 * @param options Options of this program in their written form, such as `--day-start`.
 */
export function findTaken(options: readonly string[], start: Start): readonly string[] {
  if (!isFromNpm(start)) return [];
  return options.filter((option) => !OF_NPM.includes(option) && start.env[variableOf(option)] !== undefined);
}

/** An option that npm took for itself. */
export interface TakenOption {
  /** Its written form, such as `--day-start`. */
  readonly flag: string;
  readonly takesValue: boolean;
}

/**
 * The typed options in the form for the place after `--`, quoted for a shell. Of `--zone UTC`, npm took `UTC` for an argument.
 * If there are several such values, it is unknown which value belongs to which option, so an ellipsis replaces them.
 *
 * @param words The arguments that npm left.
 */
export function retype(
  taken: readonly TakenOption[],
  words: readonly string[],
  env: Start['env'],
): readonly string[] {
  const texts = taken.map(({ flag }) => (env[variableOf(flag)] ?? '').split('\n\n'));
  const lacks = taken.map(({ takesValue }, index) => takesValue && texts[index]?.join() === 'true');
  const count = lacks.filter(Boolean).length;
  const [word = ''] = words;
  const missing = count === 1 && words.length === 1 ? quoted(word) : '…';
  const options = taken.flatMap(({ flag, takesValue }, index) => {
    if (!takesValue) return [flag];
    return lacks[index] === true
      ? [flag, missing]
      : (texts[index] ?? []).flatMap((text) => [flag, quoted(text)]);
  });
  if (count === 0) return [...words.map(quoted), ...options];
  return words.length > count ? ['…', ...options] : options;
}

function variableOf(flag: string): string {
  return `npm_config_${flag.replace(/^--/, '').replaceAll('-', '_')}`;
}

function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Options of this program that npm has too. People may have set them for npm. */
const OF_NPM = ['--json', '--version'];

/** Whether the script `start` of the checkout has started the program. */
export function isFromNpm({ env }: Start): boolean {
  return env['npm_lifecycle_event'] === 'start' && env['npm_package_name'] === CHECKOUT;
}
