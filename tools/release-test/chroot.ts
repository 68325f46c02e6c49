import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Emulated installations take minutes on a busy machine. */
const LONGEST_MS = 600_000;

export interface Ended {
  readonly status: number;
  /** What it printed, also as errors. */
  readonly output: string;
}

/** A root of Debian without a running systemd, and the only network in it is the loopback interface. */
export class Chroot {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  unpack(archive: string, folder: string): void {
    mkdirSync(this.path(folder), { recursive: true });
    requireDone('tar', ['-xf', archive, '--no-same-owner', '-C', this.path(folder)]);
  }

  /** Mounts, only for this process and its children, what programs expect. */
  mount(): void {
    this.#mount('proc', ['-t', 'proc', 'proc']);
    // The same pseudo-terminals as outside.
    this.#mount('dev/pts', ['--bind', '/dev/pts']);
  }

  #mount(folder: string, what: readonly string[]): void {
    mkdirSync(this.path(folder), { recursive: true });
    requireDone('mount', [...what, this.path(folder)]);
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  has(name: string): boolean {
    return existsSync(this.path(name));
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'utf8');
  }

  write(name: string, text: string, mode = 0o644): void {
    mkdirSync(join(this.path(name), '..'), { recursive: true });
    writeFileSync(this.path(name), text, { mode });
  }

  append(name: string, text: string): void {
    appendFileSync(this.path(name), text);
  }

  /** Runs a command line of a shell as root, and expects it to succeed. */
  run(command: string): string {
    const { status, output } = this.try(command);
    if (status !== 0) throw new Error(`${command} ended with ${status}:\n${output}`);
    return output;
  }

  try(command: string): Ended {
    const environment = [
      'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      'HOME=/root',
      'LC_ALL=C.UTF-8',
      'DEBIAN_FRONTEND=noninteractive',
    ];
    const args = [this.folder, 'env', '-i', ...environment, 'sh', '-c', `exec 2>&1; ${command}`];
    const { status, stdout, error } = spawnSync('chroot', args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: LONGEST_MS,
      killSignal: 'SIGKILL',
    });
    if (error !== undefined) throw error;
    return { status: status ?? -1, output: stdout };
  }
}

/** An address of this machine that is not of the loopback interface for programs. Only this network has it. */
export const OUTER_ADDRESS = '192.0.2.1';

export function makeNetwork(): void {
  requireDone('ip', ['link', 'set', 'lo', 'up']);
  requireDone('ip', ['address', 'add', `${OUTER_ADDRESS}/32`, 'dev', 'lo']);
}

function requireDone(program: string, args: readonly string[]): void {
  const { status, error } = spawnSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${error?.message ?? status}`);
}
