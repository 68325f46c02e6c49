import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { HeldPort } from '../../packages/testing/test/fixtures/held-port.js';

const run = promisify(execFile);
const USER = 'tallybook';
/** Time limit for a start, in milliseconds. Only a failure reaches it. */
const PATIENCE_MS = 60_000;

/** The folder of `postgres` and `pg_basebackup`; `undefined` if this machine does not have them. */
export function findPostgres(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = versions
    .map((version) => join(debian, version, 'bin'))
    .concat((process.env['PATH'] ?? '').split(':'));
  return folders.find((folder) => existsSync(join(folder, 'initdb')));
}

/** A PostgreSQL server in a folder of its own. */
export class Database {
  readonly #held: HeldPort;
  readonly #folder: string;
  readonly #programs: string;
  #process: ChildProcess | undefined;

  private constructor(folder: string, held: HeldPort, programs: string) {
    this.#folder = folder;
    this.#held = held;
    this.#programs = programs;
  }

  /** A server without data: make these with {@link initialise} or {@link copy}. */
  static async at(folder: string, programs: string): Promise<Database> {
    return new Database(folder, await HeldPort.take(), programs);
  }

  get port(): number {
    return this.#held.port;
  }

  async initialise(): Promise<void> {
    this.#clear();
    await this.#run('initdb', [
      '-D',
      this.#data,
      '-U',
      USER,
      '-E',
      'UTF8',
      '--locale=C',
      '--auth=trust',
      '-N',
    ]);
  }

  /** Makes this server a standby that another server streams to. */
  async copy(primary: Database): Promise<void> {
    this.#clear();
    const from = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', USER];
    await this.#run('pg_basebackup', [...from, '-D', this.#data, '-X', 'stream', '-R', '-c', 'fast', '-N']);
  }

  /** Rejects with its output if it ends. */
  start(): Promise<void> {
    const settings = {
      port: this.port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      // Only processes are killed here, no machines.
      fsync: 'off',
      shared_buffers: '16MB',
    };
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawn(join(this.#programs, 'postgres'), ['-D', this.#data, ...options], {
      stdio: ['ignore', 'ignore', 'pipe'],
      ...surroundings(),
    });
    this.#process = child;
    let said = '';
    return new Promise((resolve, reject) => {
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        said = (said + text).slice(-4_000);
        if (said.includes('ready to accept')) resolve();
      });
      // `close` comes after the last output.
      child.once('close', () => reject(new Error(`postgres ended: ${said}`)));
    });
  }

  /** Ends the server and all of its processes: `SIGINT` quickly but cleanly, `SIGQUIT` and `SIGKILL` like a crash. */
  async end(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    // All of its processes write to the same pipe. Some run for a moment after a crash, and until they end the server
    // cannot start again.
    const allEnded = once(child, 'close');
    child.kill(signal);
    await allEnded;
  }

  /** Ends the server permanently. */
  async stop(): Promise<void> {
    await this.end('SIGQUIT');
    await this.#held[Symbol.asyncDispose]();
  }

  async promote(): Promise<void> {
    await this.#run('pg_ctl', ['promote', '-D', this.#data, '-w']);
  }

  /** Whether its commits wait for a standby. */
  async waitForStandby(waits: boolean): Promise<void> {
    await this.ask(`ALTER SYSTEM SET synchronous_standby_names = '${waits ? '*' : ''}'`);
    await this.ask('SELECT pg_reload_conf()');
    if (!waits) return;
    const states = `SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'`;
    for (const end = performance.now() + PATIENCE_MS; (await this.ask(states)) !== '1';) {
      if (performance.now() > end) throw new Error('the standby does not follow');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    // After this commit, the standby has all earlier commits too.
    await this.ask('CREATE TABLE followed (); DROP TABLE followed');
  }

  async ask(sql: string): Promise<string> {
    const to = ['-h', '127.0.0.1', '-p', String(this.port), '-U', USER, '-d', 'postgres'];
    return (await this.#run('psql', [...to, '-XAtqc', sql])).trim();
  }

  get #data(): string {
    return join(this.#folder, 'data');
  }

  #clear(): void {
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const { uid, gid } = postgresUser;
    if (uid !== undefined && gid !== undefined) chownSync(this.#folder, uid, gid);
  }

  async #run(name: string, args: readonly string[]): Promise<string> {
    return runProgram(join(this.#programs, name), args);
  }
}

/** Runs a program as the user of PostgreSQL. Resolves with its output. */
export async function runProgram(program: string, args: readonly string[]): Promise<string> {
  return (await run(program, [...args], { ...surroundings(), timeout: PATIENCE_MS })).stdout;
}

/** PostgreSQL refuses to run as root. */
export const postgresUser: { readonly uid?: number; readonly gid?: number } = findUser();

function findUser(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const numberOf = (option: string): number =>
    Number(spawnSync('id', [option, 'postgres'], { encoding: 'utf8' }).stdout);
  return { uid: numberOf('-u') || 65_534, gid: numberOf('-g') || 65_534 };
}

function surroundings(): object {
  return { cwd: '/', env: { PATH: process.env['PATH'], LC_ALL: 'C' }, ...postgresUser };
}
