import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../packages/server/bin/tallybook.cjs', import.meta.url));

/** What V8 may take, in MiB: memory without a bound ends the process, which is found. */
export const HEAP_MIB = 64;

/** Numbers of pino from which on a line is one about something that went wrong on this side. */
const ERROR_LEVEL = 50;
const MOST_COMPLAINTS = 20;
const PATIENCE_MS = 15_000;

/** Starts the command line `tallybook` as it was built, with little memory and none of the settings of this shell. */
export function spawnTallybook(args: readonly string[]): ChildProcessWithoutNullStreams {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('TALLYBOOK_')),
  );
  const child = spawn(process.execPath, [`--max-old-space-size=${HEAP_MIB}`, program, ...args], {
    stdio: 'pipe',
    env: { ...env, NODE_V8_COVERAGE: '' },
  });
  // Whoever interrupts the harness leaves nothing behind.
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('close', () => process.off('exit', kill));
  return child;
}

/** The most memory that a process ever had in RAM, in bytes; 0 if it has ended. */
export function peakRssOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid ?? 0}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1_024;
  } catch {
    return 0;
  }
}

/** The real server in a process of its own, watched: its log, its memory, its sockets. */
export class FuzzedServer {
  readonly port: number;
  /** Lines of the log about mistakes and errors, and all that went to standard error; none if all is well. */
  readonly complaints: string[];
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #exited: Promise<unknown>;

  private constructor(child: ChildProcessWithoutNullStreams, port: number, complaints: string[]) {
    this.#child = child;
    this.#exited = once(child, 'close');
    this.port = port;
    this.complaints = complaints;
  }

  /** @param readers URLs, beside `stdin:`. */
  static async start(folder: string, readers: readonly string[]): Promise<FuzzedServer> {
    const args = ['serve', '--port', '0', '--store', `level:${join(folder, 'store')}`];
    const child = spawnTallybook([...args, ...['stdin:', ...readers].flatMap((url) => ['--reader', url])]);
    // A write to a process that has ended is found in other ways.
    child.stdin.on('error', () => undefined);
    const complaints: string[] = [];
    const complain = (line: string): void => {
      if (complaints.length < MOST_COMPLAINTS) complaints.push(line);
    };
    eachLine(child.stderr, (line) => complain(`standard error: ${line}`));
    const port = await new Promise<number>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('the server does not start')), PATIENCE_MS);
      child.once('close', () => reject(new Error(`the server ended at once: ${complaints.join('\n')}`)));
      eachLine(child.stdout, (line) => {
        const found = /listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(line);
        if (found !== null) {
          clearTimeout(timer);
          resolve(Number(found[1]));
        }
        if (isComplaint(line)) complain(line);
      });
    });
    return new FuzzedServer(child, port, complaints);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** How it ended, `undefined` as long as it runs. */
  get ending(): string | undefined {
    const { exitCode, signalCode } = this.#child;
    if (signalCode !== null) return `it was ended by ${signalCode}`;
    return exitCode === null ? undefined : `it ended with exit code ${exitCode}`;
  }

  /** Bytes. */
  get peakRss(): number {
    return peakRssOf(this.#child.pid);
  }

  /** How many sockets it has open, the listening one included. */
  get socketCount(): number {
    const folder = `/proc/${this.#child.pid ?? 0}/fd`;
    return readdirSync(folder).filter((fd) => isSocket(join(folder, fd))).length;
  }

  /** Writes to its standard input, and waits while it does not read. */
  async type(bytes: Uint8Array | string): Promise<void> {
    if (this.#child.stdin.write(bytes)) return;
    await Promise.race([once(this.#child.stdin, 'drain'), this.#exited]);
  }

  /** Asks it to stop and gives its exit code, `undefined` if it does not stop and had to be killed. */
  async stop(): Promise<number | undefined> {
    const deadline = setTimeout(() => this.#child.kill('SIGKILL'), PATIENCE_MS);
    this.#child.kill('SIGTERM');
    await this.#exited;
    clearTimeout(deadline);
    return this.#child.exitCode ?? undefined;
  }
}

/** Whether a line of the log says that something went wrong on this side. What is no log line is that, too. */
export function isComplaint(line: string): boolean {
  try {
    const { level, msg } = JSON.parse(line) as { level: number; msg: string };
    return level >= ERROR_LEVEL || msg.includes('mistake in the program');
  } catch {
    return true;
  }
}

function isSocket(path: string): boolean {
  try {
    return readlinkSync(path).startsWith('socket:');
  } catch {
    // It was closed meanwhile.
    return false;
  }
}

function eachLine(stream: NodeJS.ReadableStream, take: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    lines.filter((line) => line !== '').forEach(take);
  });
}
