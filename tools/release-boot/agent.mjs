import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { once } from 'node:events';

/** Runs commands as root in the machine, through a virtual serial port. `guest/agent.sh` is the other end. */
export class Agent {
  #server;
  #socket;
  #number = 0;
  /** By number: what to call with the answer. */
  #waiting = new Map();
  #boots = [];
  #onBoot;

  /** @param path Path of the socket that the virtual machine connects to. */
  async listen(path) {
    this.#server = createServer((socket) => this.#connect(socket));
    this.#server.listen(path);
    await once(this.#server, 'listening');
  }

  close() {
    this.#socket?.destroy();
    this.#server?.close();
    const error = new Error('the virtual machine has ended');
    for (const { reject } of [...this.#waiting.values(), ...(this.#onBoot ? [this.#onBoot] : [])])
      reject(error);
    this.#waiting.clear();
  }

  /** Resolves when the machine can take commands, once for each boot. */
  async booted(withinMs) {
    if (this.#boots.length > 0) return this.#boots.shift();
    return within(withinMs, 'the machine did not boot', (resolve, reject) => {
      this.#onBoot = { resolve, reject };
    });
  }

  /** @returns Exit code and output of the command. */
  async run(command, withinMs) {
    const number = ++this.#number;
    return within(withinMs, `no answer to: ${command.slice(0, 200)}`, (resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      this.#socket.write(`${number} ${Buffer.from(command).toString('base64')}\n`);
    });
  }

  #connect(socket) {
    this.#socket = socket;
    socket.on('error', () => undefined);
    createInterface({ input: socket }).on('line', (line) => this.#take(line));
  }

  #take(line) {
    const [number, code, output = ''] = line.split(' ');
    if (number === 'booted') {
      const onBoot = this.#onBoot;
      this.#onBoot = undefined;
      if (onBoot) onBoot.resolve(code);
      else this.#boots.push(code);
      return;
    }
    this.#waiting
      .get(Number(number))
      ?.resolve({ code: Number(code), output: Buffer.from(output, 'base64').toString().trimEnd() });
    this.#waiting.delete(Number(number));
  }
}

async function within(ms, problem, begin) {
  let timer;
  try {
    return await new Promise((resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`${problem} (${ms / 1000} s)`)), ms);
      begin(resolve, reject);
    });
  } finally {
    clearTimeout(timer);
  }
}
