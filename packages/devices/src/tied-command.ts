import { spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

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
export function isInPath(name: string): boolean {
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
