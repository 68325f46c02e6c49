import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { spawnTallybook } from '../spawn-tallybook.js';

/** Limit of V8's heap, in MiB: unbounded memory ends the process, which the harness detects. */
export const HEAP_MIB = 64;
/** The young generation has a bound of its own: by default 48 MiB on Node 20 and 22, as here, and 192 MiB on Node 24. */
export const HEAP_OPTIONS: readonly string[] = [
  `--max-old-space-size=${HEAP_MIB}`,
  '--max-semi-space-size=16',
];

/** Lowest level of pino for an error of the server. */
const ERROR_LEVEL = 50;
const MOST_COMPLAINTS = 20;
const PATIENCE_MS = 15_000;

/** The peak memory of a process in RAM, in bytes; 0 if it has ended. */
export function peakRssOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid ?? 0}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1_024;
  } catch {
    return 0;
  }
}

/** The real server in a process of its own. The harness watches its log, its memory and its sockets. */
export class FuzzedServer {
  readonly port: number;
  /** Lines of the log about mistakes and errors, and all lines of standard error; empty if all is well. */
  readonly complaints: string[];
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #exited: Promise<unknown>;

  private constructor(child: ChildProcessWithoutNullStreams, port: number, complaints: string[]) {
    this.#child = child;
    this.#exited = once(child, 'close');
    this.port = port;
    this.complaints = complaints;
  }

  /** @param readers URLs of readers in addition to `stdin:`. */
  static async start(folder: string, readers: readonly string[]): Promise<FuzzedServer> {
    const args = ['serve', '--port', '0', '--store', `level:${join(folder, 'store')}`];
    const urls = ['stdin:', ...readers].flatMap((url) => ['--reader', url]);
    const child = spawnTallybook([...args, ...urls], HEAP_OPTIONS);
    // The end of the process is detected in other ways.
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

  /** How the process ended; `undefined` while it runs. */
  get ending(): string | undefined {
    const { exitCode, signalCode } = this.#child;
    if (signalCode !== null) return `it was ended by ${signalCode}`;
    return exitCode === null ? undefined : `it ended with exit code ${exitCode}`;
  }

  /** Bytes. */
  get peakRss(): number {
    return peakRssOf(this.#child.pid);
  }

  /** How many sockets are open, including the listening one. */
  get socketCount(): number {
    const folder = `/proc/${this.#child.pid ?? 0}/fd`;
    return readdirSync(folder).filter((fd) => isSocket(join(folder, fd))).length;
  }

  /** Writes to the standard input of the server, and waits until the server reads. */
  async type(bytes: Uint8Array | string): Promise<void> {
    if (this.#child.stdin.write(bytes)) return;
    await Promise.race([once(this.#child.stdin, 'drain'), this.#exited]);
  }

  /** Asks the server to stop. Resolves with its exit code; `undefined` if it did not stop and was killed. */
  async stop(): Promise<number | undefined> {
    const deadline = setTimeout(() => this.#child.kill('SIGKILL'), PATIENCE_MS);
    this.#child.kill('SIGTERM');
    await this.#exited;
    clearTimeout(deadline);
    return this.#child.exitCode ?? undefined;
  }
}

/** Whether a line of the log reports an error of the server. A line in another format counts as one. */
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
    // The descriptor was closed meanwhile.
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
