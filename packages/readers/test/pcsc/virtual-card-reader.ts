import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const DAEMON = '/usr/sbin/pcscd';
const DRIVER = '/usr/lib/pcsc/drivers/serial/libifdvpcd.so';
/** The ATR of a MIFARE Classic card in PC/SC. */
const ATR = '3B8F8001804F0CA000000306030001000000006A';

/**
 * Below the ports that the system gives for port 0 (Linux: from 32768): one of those could be taken before the driver
 * listens there.
 */
const [LOWEST_PORT, HIGHEST_PORT] = [10_000, 32_000];

/** Runs a program as root of a namespace with separate mounts. */
const APART = ['--user', '--map-root-user', '--mount'];

/** Why there can be no virtual reader here; `undefined` if there can be one. */
export function findNoVirtualReader(): string | undefined {
  if (!existsSync(DAEMON)) return 'pcscd is not installed';
  if (!existsSync(DRIVER)) return 'vsmartcard-vpcd is not installed';
  const { status } = spawnSync('unshare', [...APART, 'true']);
  return status === 0 ? undefined : 'there are no namespaces for a pcscd of its own';
}

/** Answers of cards to a request for their UID, in hex; or no answer. */
export type Answer = string | undefined;

/** A card in a slot. */
class VirtualCard {
  readonly #socket: Socket;
  readonly #answers: Answer[];
  #received = Buffer.alloc(0);
  #announce: () => void = () => undefined;
  /** Resolves when it was asked for its UID. */
  readonly asked = new Promise<void>((resolve) => (this.#announce = resolve));
  /** The requests that it got, in hex. */
  readonly commands: string[] = [];

  constructor(socket: Socket, answers: readonly Answer[]) {
    this.#socket = socket;
    this.#answers = [...answers];
    socket
      .on('error', () => undefined)
      .on('data', (chunk: Buffer) => {
        this.#received = Buffer.concat([this.#received, chunk]);
        this.#takeMessages();
      });
  }

  remove(): void {
    this.#socket.destroy();
  }

  /** Each message has its length before it. A message of one byte is for the reader: 4 asks for the ATR. */
  #takeMessages(): void {
    while (this.#received.length >= 2 && this.#received.length >= 2 + this.#received.readUInt16BE()) {
      const end = 2 + this.#received.readUInt16BE();
      const message = this.#received.subarray(2, end);
      this.#received = this.#received.subarray(end);
      if (message.length > 1) this.#answer(message);
      else if (message[0] === 4) this.#send(ATR);
    }
  }

  #answer(command: Buffer): void {
    this.commands.push(command.toString('hex'));
    const answer = this.#answers.length > 1 ? this.#answers.shift() : this.#answers[0];
    if (answer !== undefined) this.#send(answer);
    this.#announce();
  }

  #send(hex: string): void {
    const message = Buffer.from(hex, 'hex');
    this.#socket.write(Buffer.concat([Uint8Array.of(message.length >> 8, message.length & 0xff), message]));
  }
}

/**
 * A separate PC/SC daemon, with a virtual reader of two slots, `Virtual PCD 00 00` and `Virtual PCD 00 01`. The PC/SC
 * library finds one daemon per process, so make only one of these.
 */
export class VirtualCardReader {
  /** Replaces `/run` for the daemon. */
  readonly #folder = mkdtempSync(join(tmpdir(), 'tallybook-pcscd-'));
  #daemon: ChildProcess | undefined;
  /**
   * Resolves when the former daemon has ended: while its process id is in use, a new one reports that it runs
   * already, and ends.
   */
  #ended: Promise<unknown> = Promise.resolve();
  #port = 0;
  readonly #cards: VirtualCard[] = [];

  get #socket(): string {
    return join(this.#folder, 'pcscd', 'pcscd.comm');
  }

  /** Starts the daemon, optionally without the reader. */
  async start(hasReader = true): Promise<void> {
    if (this.#daemon !== undefined) return;
    await this.#ended;
    process.env['PCSCLITE_CSOCK_NAME'] = this.#socket;
    mkdirSync(join(this.#folder, 'config'), { recursive: true });
    this.#port = await findPorts();
    const reader = `FRIENDLYNAME "Virtual PCD"
DEVICENAME /dev/null:0x${this.#port.toString(16)}
LIBPATH ${DRIVER}
CHANNELID 0x${this.#port.toString(16)}
`;
    writeFileSync(join(this.#folder, 'config', 'vpcd'), hasReader ? reader : '');
    const script = `mount --bind "$1" /run && exec ${DAEMON} --foreground --critical --config /run/config`;
    this.#daemon = spawn('unshare', [...APART, 'sh', '-c', script, 'sh', this.#folder], { stdio: 'ignore' });
    await once(this.#daemon, 'spawn');
    await connectTo({ path: this.#socket }).then((socket) => socket.destroy());
  }

  /** Restarts the daemon without the former cards: it would notice their removal only after a while. */
  async restart(): Promise<void> {
    for (const card of this.#cards.splice(0)) card.remove();
    await this.kill();
    await this.start();
  }

  /** Ends the daemon as a crash does. */
  async kill(): Promise<void> {
    const daemon = this.#daemon;
    this.#daemon = undefined;
    if (daemon === undefined) return;
    daemon.kill('SIGKILL');
    await once(daemon, 'exit');
  }

  /** Stops the daemon from answering, and ends it like a crash as soon as a client waits for its answer. */
  killWhenAsked(): void {
    const daemon = this.#daemon;
    if (daemon?.pid === undefined) throw new Error('it does not run');
    this.#daemon = undefined;
    this.#ended = once(daemon, 'exit');
    daemon.kill('SIGSTOP');
    // A separate process: the client may be in this process, which is blocked then. An unaccepted connection has no
    // inode; the daemon knows its socket by the usual path.
    const script = 'until grep -q " 0 /run/pcscd/pcscd.comm$" /proc/net/unix; do :; done; kill -KILL "$1"';
    spawn('sh', ['-c', script, 'sh', String(daemon.pid)], { stdio: 'inherit' });
  }

  /**
   * Puts a card into a slot.
   *
   * @param answers Successive answers; the last one is repeated for ever. UIDs have the two status bytes after them.
   */
  async insert(slot: 0 | 1, ...answers: readonly Answer[]): Promise<VirtualCard> {
    const socket = await connectTo({ port: this.#port + slot, host: '127.0.0.1' });
    const card = new VirtualCard(socket, answers);
    this.#cards.push(card);
    return card;
  }

  async dispose(): Promise<void> {
    await this.kill();
    delete process.env['PCSCLITE_CSOCK_NAME'];
    rmSync(this.#folder, { recursive: true });
  }
}

/** Connects as soon as the port listens. */
async function connectTo(address: NetConnectOpts): Promise<Socket> {
  for (;;) {
    const socket = connect(address);
    const isThere = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    if (isThere) return socket;
    await pause(10);
  }
}

/** The first of two successive free ports. */
async function findPorts(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST_PORT, HIGHEST_PORT);
    const first = createServer();
    const second = createServer();
    const listening = await Promise.allSettled([
      once(first.listen(port), 'listening'),
      once(second.listen(port + 1), 'listening'),
    ]);
    const isFree = listening.every(({ status }) => status === 'fulfilled');
    for (const server of [first, second]) await new Promise((resolve) => server.close(resolve));
    if (isFree) return port;
  }
}
