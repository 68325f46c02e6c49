import { execFile, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { program, spawnTallybook } from '../spawn-tallybook.js';

/** Time limit for a start, in milliseconds. Only a failure reaches it. */
const PATIENCE_MS = 60_000;

/** The shipped `tallybook serve`, in a process that can be killed and started again. */
export class Server {
  readonly #arguments: readonly string[];
  #child: ChildProcess | undefined;
  #port = 0;
  #said = '';

  constructor(...args: readonly string[]) {
    this.#arguments = args;
  }

  /** Its address, which stays the same when it starts again. */
  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Its latest output. */
  get said(): string {
    return this.#said.slice(-3_000);
  }

  /** Resolves when it listens. If it ends before that, it is started again, as by a service manager. */
  async start(): Promise<void> {
    for (const end = performance.now() + PATIENCE_MS; ;) {
      if (await this.#startOnce()) return;
      if (performance.now() > end) throw new Error(`the server does not start; it said: ${this.said}`);
    }
  }

  /** Ends the server: at once by SIGKILL, or cleanly by SIGTERM. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'close');
    child.kill(signal);
    await exited;
  }

  async #startOnce(): Promise<boolean> {
    const child = spawnTallybook(['serve', '--port', String(this.#port), ...this.#arguments]);
    this.#child = child;
    return new Promise((resolve) => {
      let text = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (piece: string) => {
          this.#said = (this.#said + piece).slice(-10_000);
          if (text.length > 100_000) return;
          text += piece;
          const port = /listening on http:[^"\s]+:(\d+)/.exec(text)?.[1];
          if (port === undefined) return;
          this.#port = Number(port);
          resolve(true);
        });
      }
      child.once('close', () => resolve(false));
    });
  }
}

/** Makes the tables of a store. */
export async function migrate(store: string): Promise<void> {
  await promisify(execFile)(process.execPath, [program, 'migrate', '--store', store]);
}
