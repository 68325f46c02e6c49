import { invalidOption, type Registration } from '@tallybook/devices';
import { Command, CommanderError } from 'commander';
import { isTallybookError, type ErrorCode, type TallybookError } from '@tallybook/domain';
import { readVersion } from '../version.js';
import { CommandRun } from './command-run.js';
import { defineServe } from './definitions/serve-definition.js';
import { readSources } from './setting-options.js';
import { describeCall, findTaken, isFromNpm, retype, type Start } from './invocation.js';

/** Exit code after wrong settings or a wrong command line. */
const USAGE_EXIT_CODE = 2;
/** Exit code if the store is damaged: a restart does not help, a repair does. */
const DAMAGE_EXIT_CODE = 3;

const exitCodes: Readonly<Partial<Record<ErrorCode, number>>> = {
  INVALID_OPTION: USAGE_EXIT_CODE,
  STORE_CORRUPT: DAMAGE_EXIT_CODE,
};

/** What a program of one's own adds to the command line. */
export interface CommandLineOptions {
  /** Adapters of its own, as `--use` loads them by their names. Default: none. */
  readonly use?: readonly Registration[];
}

/**
 * Runs the command line `tallybook`.
 *
 * @param args Without the program and the script.
 * @returns The exit code: 0 success, 1 failure, 2 wrong settings or usage, 3 damaged store.
 */
export async function runCommandLine(
  args: readonly string[],
  { use = [] }: CommandLineOptions = {},
): Promise<number> {
  const start: Start = { argv: process.argv, env: process.env, folder: process.cwd() };
  const run = new CommandRun(describeCall(start));
  let problem: TallybookError | undefined;
  try {
    await readSources(run, args, use).catch((error: unknown) => {
      if (!isTallybookError(error)) throw error;
      problem = error;
    });
    // Options that npm took may belong to any command.
    const program = await createProgram(run, { isServer: args[0] === 'serve' && !isFromNpm(start) });
    refuseTaken(program, start, args);
    // Only now, because the help and the version need no settings.
    program.hook('preAction', () => {
      if (problem !== undefined) throw problem;
    });
    await program.parseAsync(helpOf(program, args), { from: 'user' });
    return run.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode !== 0) return USAGE_EXIT_CODE;
      // The help may lack adapters because of it.
      if (problem !== undefined) run.remark(`tallybook: ${problem.message}`);
      return 0;
    }
    if (!isTallybookError(error)) throw error;
    const code = error.code === 'INVALID_OPTION' ? '' : ` (${error.code})`;
    const message = run.asCalledHere(error.message).replaceAll('\n', '\n  ');
    process.stderr.write(`tallybook: ${message}${code}\n`);
    // If damage is found after the opening, the next start repairs it.
    if (error.code === 'STORE_CORRUPT' && run.repairsDamage) return 1;
    return exitCodes[error.code] ?? 1;
  }
}

/** @throws {TallybookError} `INVALID_OPTION` if npm took options that belong to this program. */
function refuseTaken(program: Command, start: Start, args: readonly string[]): void {
  const commands = program.commands.flatMap((command) => [command, ...command.commands]);
  const options = new Map(
    commands.flatMap(({ options: own }) => own.map(({ long = '', required }) => [long, required])),
  );
  const taken = findTaken([...options.keys()], start);
  if (taken.length === 0) return;
  // If no command was given, `npm start` has added this one.
  const words = args[0] === 'serve' ? args.slice(1) : args;
  const named = namesOf(program, words);
  const takenOptions = taken.map((flag) => ({ flag, takesValue: options.get(flag) === true }));
  const retyped = retype(takenOptions, words.slice(named.length), start.env);
  throw invalidOption(
    `npm took ${taken.join(' and ')} for itself; put -- before the options of Tallybook: ${['npm start --', ...named, ...retyped].join(' ')}`,
  );
}

/** Turns `help user add` into `user add --help`: Commander uses only the first word after `help`. */
function helpOf(program: Command, args: readonly string[]): readonly string[] {
  const [first, ...words] = args;
  const named = first === 'help' ? namesOf(program, words) : [];
  return named.length > 1 ? [...named, '--help'] : args;
}

/** The command at the beginning of the words, and its subcommand. */
function namesOf(command: Command, [word, ...others]: readonly string[]): readonly string[] {
  const below = command.commands.find((each) => each.name() === word);
  return below === undefined ? [] : [below.name(), ...namesOf(below, others)];
}

/** @param isServer Whether only `serve` is needed. The code of the other commands would make the start longer. */
async function createProgram(
  run: CommandRun,
  { isServer }: { readonly isServer: boolean },
): Promise<Command> {
  const program = new Command(run.call)
    .description('Attendance service: records taps of tags durably and shows them live')
    .version(readVersion())
    .exitOverride()
    .showHelpAfterError(`(${run.call} help says more)`);
  defineServe(program, run);
  if (!isServer) (await import('./definitions/other-definitions.js')).defineOthers(program, run);
  for (const command of program.commands) addHints(command, `${run.call} ${command.name()}`);
  return program;
}

/** Adds a hint at the help to a command and its subcommands. */
function addHints(command: Command, call: string): void {
  command.showHelpAfterError(`(${call} --help says more)`);
  for (const each of command.commands) addHints(each, `${call} ${each.name()}`);
}
