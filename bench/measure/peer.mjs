import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const fileOf = (path) => fileURLToPath(new URL(path, import.meta.url));
/** The program that `npm start` and the systemd unit start. */
export const CHECKOUT = fileOf('../../packages/server/bin/tallybook.cjs');

/** A server in a process of its own, with a folder of its own. */
export class Peer {
  static #running = new Set();
  url;
  /** Start of the process, by `process.hrtime`. */
  startedAtNs;
  /** Bytes of log and of events that it has written. */
  toldBytes = 0;
  /** Starts the process. */
  #begin;
  #child;
  #folder;
  #recorded = 0;
  #following;
  #onRecorded = () => undefined;
  #onEnd = () => undefined;

  /**
   * Starts a peer and waits until it listens.
   *
   * @param name `tallybook`, or a file of `peers/`.
   * @param store A folder to copy, for a store with data.
   * @param program The program of `tallybook`. Default: that of the checkout.
   * @param on The folder in which its folder is made.
   */
  static async start(name, { store, program = CHECKOUT, on = tmpdir(), args = [], env = {} } = {}) {
    const folder = await mkdtemp(join(on, 'tallybook-bench-'));
    if (store !== undefined) await cp(store, join(folder, 'store'), { recursive: true });
    const path = name === 'tallybook' || store !== undefined ? join(folder, 'store') : folder;
    const command =
      name === 'tallybook'
        ? [program, 'serve', '--port', '0', '--store', `level:${path}`, ...args]
        : [fileOf(`../peers/${name}.mjs`), path, ...args];
    const peer = new Peer();
    peer.#folder = folder;
    Peer.#running.add(peer);
    peer.#begin = () =>
      spawn(process.execPath, command, {
        stdio: ['pipe', 'pipe', 'inherit'],
        env: { ...process.env, NODE_ENV: 'production', ...env },
      });
    await peer.#listen(name);
    return peer;
  }

  /** Kills it, and starts it again on the same folder. */
  async restart() {
    await this.#kill();
    await this.#listen('the peer that was restarted');
  }

  get pid() {
    return this.#child.pid;
  }

  /** Resident memory in KiB. */
  get residentKiB() {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'))[1]);
  }

  /** Bytes that it has passed to the system in writes, without its log and its events. */
  get writtenBytes() {
    return this.#io('wchar') - this.toldBytes;
  }

  /** Bytes that the system must write to the disk for it, in whole pages. */
  get diskBytes() {
    return this.#io('write_bytes');
  }

  /** Taps all tags in one burst. */
  tap(tags) {
    this.#child.stdin.write(`${tags.join('\n')}\n`);
  }

  /** Taps all tags in one burst, and resolves when all taps are recorded. */
  async record(tags) {
    await (this.#following ??= this.#follow());
    const wanted = this.#recorded + tags.length;
    await new Promise((resolve, reject) => {
      this.#onEnd = reject;
      this.#onRecorded = () => {
        if (this.#recorded >= wanted) resolve();
      };
      this.tap(tags);
    });
  }

  static {
    process.once('exit', () => {
      for (const peer of Peer.#running) peer.#child.kill('SIGKILL');
    });
  }

  /** Starts several peers. Resolves with them by name. */
  static async startAll(names, options) {
    const peers = {};
    for (const name of names) peers[name] = await Peer.start(name, options);
    return peers;
  }

  /** Stops the peers of a scenario, which is over or has failed. */
  static async stopAll() {
    for (const peer of Peer.#running) await peer.stop();
  }

  async stop() {
    Peer.#running.delete(this);
    if (this.#child.exitCode === null && this.#child.signalCode === null) await this.#kill();
    await rm(this.#folder, { recursive: true });
  }

  async #listen(name) {
    this.#following = undefined;
    this.startedAtNs = process.hrtime.bigint();
    const child = this.#begin();
    this.#child = child;
    child.stdout.on('data', (chunk) => (this.toldBytes += chunk.length));
    child.once('exit', (code, signal) => {
      if (child === this.#child)
        this.#onEnd(new Error(`${name} ended by itself: ${signal ?? `code ${code}`}`));
    });
    this.url = await new Promise((resolve, reject) => {
      this.#onEnd = reject;
      createInterface({ input: child.stdout }).on('line', (line) => this.#take(line, resolve));
    });
  }

  async #kill() {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }

  #io(counter) {
    const text = readFileSync(`/proc/${this.pid}/io`, 'utf8');
    return Number(new RegExp(`^${counter}: (\\d+)`, 'm').exec(text)[1]);
  }

  #take(line, onListening) {
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
    if (url !== undefined) onListening(url);
    if (line.includes('"provisional scan stored until the clock is right"')) {
      this.#onEnd(new Error('the clock of this machine is not trusted, so taps are not recorded yet'));
    }
  }

  /** Counts recorded taps by their events: the log has only some of them. */
  async #follow() {
    const { hostname: host, port } = new URL(this.url);
    const socket = connect({ host, port: Number(port) }).on('error', () => undefined);
    let tail = '';
    socket.on('data', (chunk) => {
      this.toldBytes += chunk.length;
      const lines = (tail + chunk.latin1Slice()).split('\n');
      tail = lines.pop();
      this.#recorded += lines.filter((line) => line === 'event: attendance').length;
      this.#onRecorded();
    });
    socket.write('GET /api/idevent HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n');
    await once(socket, 'data');
  }
}
