import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const program = fileURLToPath(new URL('../../packages/server/bin/tallybook.cjs', import.meta.url));

/** How long it may take to start, in milliseconds. Only a failure takes this long. */
const PATIENCE_MS = 60_000;

/** `tallybook serve`, as it is shipped, in a process that can be killed and begun again. */
export class Server {
  readonly #arguments: readonly string[];
  #child: ChildProcess | undefined;
  #port = 0;
  #said = '';

  constructor(...args: readonly string[]) {
    this.#arguments = args;
  }

  /** Where it listens, and will listen when it starts again. */
  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** What it said at last. */
  get said(): string {
    return this.#said.slice(-3_000);
  }

  /** Resolves once it listens. As a service manager does, it begins again if it ends first. */
  async start(): Promise<void> {
    for (const end = performance.now() + PATIENCE_MS; ;) {
      if (await this.#startOnce()) return;
      if (performance.now() > end) throw new Error(`the server does not start; it said: ${this.said}`);
    }
  }

  /** Ends it at once, as SIGKILL does, or in order. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'close');
    child.kill(signal);
    await exited;
  }

  async #startOnce(): Promise<boolean> {
    const settings = Object.entries(process.env).filter(([name]) => !name.startsWith('TALLYBOOK_'));
    const child = spawn(
      process.execPath,
      [program, 'serve', '--port', String(this.#port), ...this.#arguments],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...Object.fromEntries(settings), NODE_V8_COVERAGE: '' },
      },
    );
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
