import { spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** How to call a program. */
export interface CommandLine {
  readonly file: string;
  readonly args: readonly string[];
}

const TIE = ['--pdeathsig', 'KILL'];

/** Whether the `setpriv` at a path can tie: that of util-linux can, that of BusyBox cannot. */
const tiers = new Map<string, boolean>();

/**
 * The command line that runs a program which the kernel kills when this process ends, however that ends. Where nothing
 * can do that, or there is no such program, it is the one that was given.
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
  // What could not be tried, because files or memory ran out, is tried again.
  if (status !== null) tiers.set(tier, status === 0);
  return status === 0;
}

/** Finds a program as a shell does. */
function findFile(name: string): string | undefined {
  const folders = name.includes('/') ? [''] : (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
