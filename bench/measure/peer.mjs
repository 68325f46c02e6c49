import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const fileOf = (path) => fileURLToPath(new URL(path, import.meta.url));
const TALLYBOOK = [fileOf('../../packages/server/bin/tallybook.js'), 'serve', '--port', '0', '--store'];

/** A server in a process of its own, on a folder of its own. */
export class Peer {
  url;
  /** When the process was started, on `process.hrtime`. */
  startedAtNs;
  /** Bytes that it has written to its log. */
  loggedBytes = 0;
  #child;
  #folder;
  #recorded = 0;
  #isStopping = false;
  #onRecorded = () => undefined;

  /**
   * Starts a peer and waits until it listens.
   *
   * @param name `tallybook`, or a file of `peers/`.
   * @param store A folder to copy, for a store that holds something.
   */
  static async start(name, { store, args = [], env = {} } = {}) {
    const folder = await mkdtemp(join(tmpdir(), 'tallybook-bench-'));
    if (store !== undefined) await cp(store, join(folder, 'store'), { recursive: true });
    const path = name === 'tallybook' || store !== undefined ? join(folder, 'store') : folder;
    const command =
      name === 'tallybook'
        ? [...TALLYBOOK, `level:${path}`, ...args]
        : [fileOf(`../peers/${name}.mjs`), path, ...args];
    const peer = new Peer();
    peer.#folder = folder;
    peer.startedAtNs = process.hrtime.bigint();
    peer.#child = spawn(process.execPath, command, {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, NODE_ENV: 'production', ...env },
    });
    process.once('exit', () => peer.#child.kill('SIGKILL'));
    peer.#child.stdout.on('data', (chunk) => (peer.loggedBytes += chunk.length));
    const listening = new Promise((resolve, reject) => {
      createInterface({ input: peer.#child.stdout }).on('line', (line) => {
        peer.#take(line, resolve);
      });
      // Once it listens, nobody waits for this: then it ends the benchmark, as it should.
      peer.#child.once('exit', (code, signal) => {
        if (!peer.#isStopping) reject(new Error(`${name} ended by itself: ${signal ?? `code ${code}`}`));
      });
    });
    peer.url = await listening;
    return peer;
  }

  get pid() {
    return this.#child.pid;
  }

  /** Resident memory in KiB. */
  get residentKiB() {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'))[1]);
  }

  /** Bytes that it has handed to the system in writes, of which the log is no part. */
  get writtenBytes() {
    return this.#io('wchar') - this.loggedBytes;
  }

  /** Bytes that the system has to put on the disk for it, in whole pages. */
  get diskBytes() {
    return this.#io('write_bytes');
  }

  /** Processor time so far, in seconds. */
  get cpuSeconds() {
    const fields = readFileSync(`/proc/${this.pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  }

  /** Taps all tags in one burst. */
  tap(tags) {
    this.#child.stdin.write(`${tags.join('\n')}\n`);
  }

  /** Taps all tags in one burst and resolves when all of them are written down. */
  async record(tags) {
    const wanted = this.#recorded + tags.length;
    const done = new Promise((resolve) => {
      this.#onRecorded = () => {
        if (this.#recorded >= wanted) resolve();
      };
    });
    this.tap(tags);
    await done;
  }

  async stop() {
    this.#isStopping = true;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
    await rm(this.#folder, { recursive: true });
  }

  #io(counter) {
    const text = readFileSync(`/proc/${this.pid}/io`, 'utf8');
    return Number(new RegExp(`^${counter}: (\\d+)`, 'm').exec(text)[1]);
  }

  #take(line, onListening) {
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
    if (url !== undefined) onListening(url);
    // Tallybook logs each tap that is written down, the limit how many there were when it has no more to write.
    if (line.includes('"scan recorded"')) this.#recorded++;
    else this.#recorded += Number(/^recorded (\d+)$/.exec(line)?.[1] ?? 0);
    this.#onRecorded();
  }
}
