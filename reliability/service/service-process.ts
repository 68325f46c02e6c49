import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { bundleService } from './bundle-service.js';

/** Time limit for a start, in milliseconds. Only a failure reaches it. */
const PATIENCE_MS = 30_000;
/** Characters of its output that are kept. */
const OUTPUT_CHARACTERS = 10_000;

/** The first time of its clock, long after the program was built, in seconds since 1970. */
export const BASE_SECONDS = 2_000_000_000;

export interface ServiceOptions {
  readonly store: string;
  /** The first time of its clock, in seconds since 1970. */
  readonly baseSeconds: number;
  /** Added to its environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Called with the lines of its notes. Without it, descriptor 3 must be read in another way. */
  readonly onNote?: (line: string) => void;
}

/** `service.mjs` in a process of its own. */
export class ServiceProcess {
  /** Resolves when it has ended and all of its output was read. */
  readonly gone: Promise<void>;
  readonly #child: ChildProcess;
  readonly #readers: readonly Writable[];
  readonly #url: Promise<string>;
  #output = '';

  constructor({ store, baseSeconds, env = {}, onNote }: ServiceOptions) {
    const journal = onNote === undefined ? 'ignore' : 'pipe';
    this.#child = spawn(process.execPath, [bundleService(), store, String(baseSeconds)], {
      stdio: ['pipe', 'pipe', 'pipe', journal, 'pipe', 'pipe'],
      env: { ...process.env, NODE_V8_COVERAGE: '', ...env },
    });
    this.gone = once(this.#child, 'close').then(() => undefined);
    const pipes: readonly unknown[] = this.#child.stdio;
    this.#readers = [pipes[0], pipes[4], pipes[5]] as Writable[];
    // A tap at a killed process is no error.
    for (const reader of this.#readers) reader.on('error', () => undefined);
    if (onNote !== undefined) {
      // A last text without a line feed is an incomplete line.
      createInterface({ input: pipes[3] as Readable }).on('line', onNote);
    }
    this.#url = this.#findUrl();
    this.#url.catch(() => undefined);
  }

  /** Resolves with its address when it listens. If it ends first, rejects with its output. */
  url(): Promise<string> {
    return this.#url;
  }

  /** The signal that ended it; `null` if no signal did. */
  get signal(): NodeJS.Signals | null {
    return this.#child.signalCode;
  }

  /** Taps a tag at one of three readers. */
  tap(reader: number, id: string): void {
    this.#readers[reader]?.write(`${id}\n`);
  }

  /** Ends it at once, by SIGKILL. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.gone;
  }

  #findUrl(): Promise<string> {
    return new Promise((resolve, reject) => {
      const fail = (what: string): void => {
        clearTimeout(timer);
        reject(new Error(`the service ${what}; it said: ${this.#output}`));
      };
      const timer = setTimeout(() => fail('did not start'), PATIENCE_MS);
      void this.gone.then(() => fail(`ended with ${this.#child.exitCode ?? this.#child.signalCode ?? ''}`));
      for (const stream of [this.#child.stdout, this.#child.stderr]) {
        stream?.setEncoding('utf8').on('data', (text: string) => {
          const said = this.#output + text;
          this.#output = said.slice(-OUTPUT_CHARACTERS);
          // A piece may also have many lines after it.
          const url = /listening on (http:[^"\s]+)/.exec(said)?.[1];
          if (url === undefined) return;
          clearTimeout(timer);
          resolve(url);
        });
      }
    });
  }
}
