import { spawnSync, spawn, type ChildProcess } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Readable } from 'node:stream';
import { TallybookError } from '@tallybook/domain';

/** A program and its arguments. */
export interface CommandLine {
  readonly file: string;
  readonly args: readonly string[];
}

const TIE = ['--pdeathsig', 'KILL'];

/**
 * Whether the `setpriv` at a path has the option `--pdeathsig`. The `setpriv` of util-linux has it, the one of BusyBox
 * does not.
 */
const tiers = new Map<string, boolean>();

/**
 * Makes a command line whose program the kernel kills when this process ends, however it ends. If that is not possible,
 * or there is no such program, returns the given command line.
 */
export function tieToThisProcess(command: CommandLine): CommandLine {
  const tier = findFile('setpriv');
  const file = findFile(command.file);
  if (tier === undefined || file === undefined || !canTie(tier)) return command;
  return { file: tier, args: [...TIE, file, ...command.args] };
}

function canTie(tier: string): boolean {
  const known = tiers.get(tier);
  if (known !== undefined) return known;
  const { status } = spawnSync(tier, [...TIE, tier, '--version'], { stdio: 'ignore' });
  // The status is `null` if files or memory ran out. Then the next call tries again.
  if (status !== null) tiers.set(tier, status === 0);
  return status === 0;
}

/** Whether a file of this name is in a folder of the `PATH` that this user may look into, runnable or not. */
function isInPath(name: string): boolean {
  return pathsOf(name).some((path) => isFile(path));
}

/** Finds a program in the `PATH`. */
function findFile(name: string): string | undefined {
  return pathsOf(name).find((path) => isFile(path, constants.X_OK));
}

function pathsOf(name: string): readonly string[] {
  const folders = name.includes('/') ? [''] : (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name));
}

/** @param mode `X_OK` if the file must be executable too. */
function isFile(path: string, mode: number = constants.F_OK): boolean {
  try {
    accessSync(path, mode);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** How a program ended. `missing` means that it is not installed. */
export type ProgramEnd = { readonly lastWords: string } & (
  | { readonly how: 'exited'; readonly code: number }
  | { readonly how: 'killed'; readonly signal: NodeJS.Signals }
  | { readonly how: 'missing' | 'not-started'; readonly cause: Error }
);

/** A started program, running or ended. */
export interface Program {
  /** Resolves when the program has ended and `onLine` had its last line. Never rejects. */
  readonly ended: Promise<ProgramEnd>;
  /** Writes to its standard input. Text is lost if the program no longer reads. */
  write(text: string): void;
  /** Kills the program if it still runs. Resolves when it has ended. `onLine` gets no more lines. */
  kill(): Promise<void>;
}

/** Largest part of standard error that is kept, in characters and lines. */
const KEPT_LENGTH = 1_000;
const KEPT_LINES = 3;

/**
 * Starts a program of the distribution that does what Node cannot, such as watching pins.
 *
 * It is searched in the `PATH`, and starts without a shell. It is ended with `SIGKILL`, because the kernel then frees
 * all its files and devices. It stays in the process group of this process, so that a signal to the group (systemd, a
 * terminal) ends it. If this process is killed, the kernel kills the program too (`setpriv`): otherwise the program
 * would keep the device from the next run, and take taps for nobody. Without a suitable `setpriv` it runs until it
 * fails to write to its output.
 *
 * @param onLine Called with each line of standard output, without its end, at once.
 */
export function startProgram(
  file: string,
  args: readonly string[],
  onLine: (line: string) => void = ignore,
): Program {
  let isKilled = false;
  let child: ChildProcess;
  try {
    const command = tieToThisProcess({ file, args });
    child = spawn(command.file, command.args, { stdio: 'pipe' });
  } catch (error) {
    // `spawn` throws if memory is short or an argument is invalid; other failures are events.
    const cause = error as Error;
    const ended = Promise.resolve({ how: 'not-started', cause, lastWords: '' } as const);
    return { ended, write: ignore, kill: () => Promise.resolve() };
  }
  // Although their types do not say so, the streams are missing if the process may open no more files.
  const { stdin, stdout, stderr } = child as Partial<ChildProcess>;
  stdin?.on('error', ignore);
  if (stdout) {
    readLines(stdout, (line) => {
      if (!isKilled) onLine(line);
    });
  }
  let words = '';
  stderr?.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-KEPT_LENGTH);
  });
  const ended = new Promise<ProgramEnd>((resolve) => {
    child.once('error', (cause: NodeJS.ErrnoException) => {
      resolve({ how: isMissing(file, cause.code) ? 'missing' : 'not-started', cause, lastWords: '' });
    });
    child.once('close', (code, signal) => {
      const lastWords = words.trim().split('\n').slice(-KEPT_LINES).join(' / ');
      resolve(
        signal === null
          ? { how: 'exited', code: code ?? 0, lastWords }
          : { how: 'killed', signal, lastWords },
      );
    });
  });
  return {
    ended,
    write: (text) => void stdin?.write(text),
    kill: async () => {
      isKilled = true;
      child.kill('SIGKILL');
      // Programs that it started may hold the other ends open; then `close` would not come.
      stdout?.destroy();
      stderr?.destroy();
      await ended;
    },
  };
}

/**
 * Whether this user can see no such program. The system reports EACCES if the user may not look into a folder of the
 * `PATH`.
 */
function isMissing(file: string, code: string | undefined): boolean {
  return code === 'ENOENT' || (code === 'EACCES' && !file.includes('/') && !isInPath(file));
}

/** Says why a program has ended: its last output, or its exit code or signal. */
export function describeEnd(end: ProgramEnd): string {
  if ('cause' in end) return end.cause.message;
  if (end.lastWords !== '') return end.lastWords;
  return end.how === 'exited' ? `exit code ${end.code}` : end.signal;
}

/** The error of a program that is not installed. @param need Who needs it, as a sentence: `GPIO lines need it`. */
export function notInstalled(program: string, need: string, parcel: string, cause: Error): TallybookError {
  return new TallybookError(
    'INVALID_OPTION',
    `${program} is not installed, and ${need}; install it with "sudo apt install ${parcel}"`,
    { cause, details: { reason: 'not-installed' } },
  );
}

/**
 * Splits a stream into lines without their ends. The text after the last end is a line too. `node:readline` would
 * cost time at the start of every service.
 */
function readLines(stream: Readable, onLine: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop() ?? '';
    lines.forEach(onLine);
  });
  stream.once('end', () => {
    if (rest !== '') onLine(rest);
  });
}

const ignore = (): void => undefined;
