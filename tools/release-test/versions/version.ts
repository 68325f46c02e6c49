import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ServerProcess } from '../../../packages/server/test/fixtures/processes/server-process.js';
import type { Called } from '../../../packages/server/test/fixtures/processes/built-call.js';
import { until } from '../../../packages/server/test/fixtures/processes/centre.js';
import { runningProcesses } from '../../../packages/server/test/fixtures/processes/running-processes.js';
import { HttpClient } from '../../../packages/server/test/fixtures/http/http-client.js';

/** A running service of a version. */
export class Service {
  readonly process: ServerProcess;
  readonly url: string;
  readonly http: HttpClient;

  constructor(process: ServerProcess, url: string) {
    this.process = process;
    this.url = url;
    this.http = new HttpClient(url);
  }

  async tags(): Promise<readonly string[]> {
    return (await this.http.allEntries()).map(({ id }) => id);
  }

  /** Takes taps, one after another, and resolves when all are recorded. */
  async tap(...ids: readonly string[]): Promise<void> {
    this.process.tap(...ids);
    await until(async () => {
      const tags = await this.tags();
      return ids.every((id) => tags.includes(id));
    });
  }

  /** Stops as for an update. */
  async stop(): Promise<void> {
    this.process.child.kill('SIGTERM');
    const exitCode = await this.process.exited;
    // The end of its log says why.
    if (exitCode !== 0) throw new Error(`it ended with ${exitCode}: ...${this.process.text.slice(-1_000)}`);
  }
}

/** All processes end with their test. */
const running = runningProcesses();

/** One of the two programs that `two-programs.mjs` has made. */
export class Version {
  readonly #program: string;

  constructor(name: 'old' | 'new') {
    const { TALLYBOOK_TEST_VERSIONS: folder = '' } = process.env;
    this.#program = join(folder, name, 'packages/server/bin/tallybook.cjs');
  }

  /** Starts a service that takes taps from its standard input, without waiting until it serves. */
  start(store: string, ...settings: readonly string[]): ServerProcess {
    const usual = ['--reader', 'stdin:', '--clock', 'trusted', '--repeat-window', '0s', '--zone', 'UTC'];
    const port = settings.includes('--port') ? [] : ['--port', '0'];
    return running.add(
      new ServerProcess([this.#program, 'serve', '--store', store, ...usual, ...port, ...settings]),
    );
  }

  async serve(store: string, ...settings: readonly string[]): Promise<Service> {
    const process = this.start(store, ...settings);
    return new Service(process, await process.url());
  }

  /** Runs a command. */
  async call(...args: readonly string[]): Promise<Called> {
    const child = spawn(process.execPath, [this.#program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    const [output, errors, [exitCode]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number]>,
    ]);
    return { exitCode, output, errors };
  }
}
