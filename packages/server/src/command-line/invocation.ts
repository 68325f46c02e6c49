import { basename, relative } from 'node:path';

/** What tells how the process was started, as Node and npm give it. */
export interface Start {
  /** `process.argv`. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working directory. */
  readonly folder: string;
}

/** The `package.json` that has the script `start` of the checkout. */
const CHECKOUT = 'tallybook-monorepo';

/** What a person types in place of `tallybook` to call this program again: not everybody has it under that name. */
export function describeCall(start: Start): string {
  if (isFromNpm(start)) return 'npm start --';
  const { argv, env, folder } = start;
  const [, script = ''] = argv;
  if (basename(script) !== 'tallybook') return `node ${relative(folder, script)}`;
  return env['npm_command'] === 'exec' || /[\\/]node_modules[\\/]\.bin[\\/]/.test(script)
    ? 'npx tallybook'
    : 'tallybook';
}

/**
 * The options that npm took for its own, because no `--` stood before them: it leaves them in the environment.
 *
 * @param options As they are written, such as `--day-start`.
 */
export function findTaken(options: readonly string[], start: Start): readonly string[] {
  if (!isFromNpm(start)) return [];
  return options.filter((option) => {
    const name = option.replace(/^--/, '').replaceAll('-', '_');
    return !OF_NPM.includes(name) && start.env[`npm_config_${name}`] !== undefined;
  });
}

/** Options of this program that npm has too, which people may have set for npm. */
const OF_NPM = ['json', 'version'];

/** Whether the script `start` of the checkout has started the program. */
export function isFromNpm({ env }: Start): boolean {
  return env['npm_lifecycle_event'] === 'start' && env['npm_package_name'] === CHECKOUT;
}
