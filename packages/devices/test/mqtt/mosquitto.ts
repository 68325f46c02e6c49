import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { HeldPort } from '../../../testing/test/fixtures/held-port.js';

/** On Debian the program is in folders that only the path of root has. */
const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/local/sbin`;
const env = { ...process.env, PATH };

/** Reason why a real broker cannot be tested here; `undefined` if it can. */
export function whyNoMosquitto(): string | undefined {
  const missing = ['mosquitto', 'mosquitto_passwd', 'openssl'].filter(
    (command) => spawnSync(command, ['--help'], { env }).error !== undefined,
  );
  return missing.length === 0 ? undefined : `${missing.join(' and ')} not installed`;
}

/**
 * The broker Mosquitto as a process of its own, on a port with TLS and one without. Its certificate is for
 * `localhost` and signed by an authority of its own; its user is `ada` with the password `pass:word`. It keeps
 * sessions when it is stopped in order, not when it is killed.
 */
export class Mosquitto {
  readonly folder: string;
  readonly port: number;
  readonly tlsPort: number;
  readonly #held: readonly HeldPort[];
  readonly #configFile: string;
  #process: ChildProcess | undefined;

  private constructor(folder: string, plain: HeldPort, secured: HeldPort) {
    this.folder = folder;
    this.#held = [plain, secured];
    this.port = plain.port;
    this.tlsPort = secured.port;
    this.#configFile = join(folder, 'mosquitto.conf');
  }

  static async create(): Promise<Mosquitto> {
    const folder = await mkdtemp(join(tmpdir(), 'tallybook-mosquitto-'));
    const mosquitto = new Mosquitto(folder, await HeldPort.take(), await HeldPort.take());
    await mosquitto.#prepare();
    await mosquitto.start();
    return mosquitto;
  }

  /** Certificate of the authority that signed the certificate of the broker. */
  get caFile(): string {
    return join(this.folder, 'ca.pem');
  }

  /** File with the right user and password. */
  get credentialsFile(): string {
    return join(this.folder, 'credentials');
  }

  async start(): Promise<void> {
    this.#process = spawn('mosquitto', ['-c', this.#configFile], { env, stdio: 'ignore' });
    for (const port of [this.port, this.tlsPort]) while (!(await answers(port))) await pause(5);
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#process;
    if (child === undefined) return;
    this.#process = undefined;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  async dispose(): Promise<void> {
    await this.kill();
    await Promise.all(this.#held.map((held) => held[Symbol.asyncDispose]()));
    await rm(this.folder, { recursive: true });
  }

  async #prepare(): Promise<void> {
    const { folder } = this;
    const newKey = 'openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2';
    run(folder, `${newKey} -x509 -keyout ca.key -out ca.pem -subj /CN=test`);
    run(folder, `${newKey} -keyout key.pem -out request.pem -subj /CN=localhost`);
    await writeFile(join(folder, 'names'), 'subjectAltName=DNS:localhost\n');
    const sign = 'openssl x509 -req -days 2 -CA ca.pem -CAkey ca.key -CAcreateserial';
    run(folder, `${sign} -extfile names -in request.pem -out cert.pem`);
    run(folder, 'mosquitto_passwd -b -c passwords ada pass:word');
    await writeFile(this.credentialsFile, 'ada:pass:word\n');
    const lines = [
      // If root starts it, it would give up its rights, and lose access to its files.
      'user root',
      'allow_anonymous false',
      `password_file ${folder}/passwords`,
      'persistence true',
      `persistence_location ${folder}/`,
      `listener ${this.port} 127.0.0.1`,
      `listener ${this.tlsPort} 127.0.0.1`,
      `certfile ${folder}/cert.pem`,
      `keyfile ${folder}/key.pem`,
    ];
    await writeFile(this.#configFile, `${lines.join('\n')}\n`);
  }
}

/** Runs a command in which no word has a space. */
function run(cwd: string, command: string): void {
  const [program = '', ...parameters] = command.split(' ');
  const { status, stderr } = spawnSync(program, parameters, { cwd, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} failed: ${stderr}`);
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
