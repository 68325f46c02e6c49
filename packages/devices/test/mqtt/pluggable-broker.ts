import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Emitter } from '@tallybook/domain';
import { HeldPort } from '../../../testing/test/fixtures/held-port.js';
import { Aedes, type AedesOptions, type AedesPublishPacket } from 'aedes';

/** A message that reached the broker, or only the network before it. */
export interface Published {
  readonly topic: string;
  readonly payload: string;
  readonly qos: number;
  readonly retain: boolean;
}

/**
 * An MQTT broker in this process, at the end of a cable that can be pulled. It keeps its sessions meanwhile, like a
 * broker behind a failing network.
 */
export class PluggableBroker {
  readonly port: number;
  readonly #held: HeldPort;
  /** Messages that clients published. */
  readonly published = new Emitter<Published>();
  readonly #aedes: Aedes;
  readonly #inner: Server;
  readonly #sockets = new Set<Socket>();
  /** Data that clients sent while the broker was deaf. It is handled later. */
  readonly #unheard: (() => void)[] = [];
  #outer: Server | undefined;
  #isDeaf = false;

  private constructor(aedes: Aedes, inner: Server, held: HeldPort) {
    this.#aedes = aedes;
    this.#inner = inner;
    this.#held = held;
    this.port = held.port;
    aedes.on('publish', ({ topic, payload, qos, retain }: AedesPublishPacket, client) => {
      if (client !== null || payload.toString() === 'offline')
        this.published.emit({ topic, payload: payload.toString(), qos, retain });
    });
  }

  static async create(options: AedesOptions = {}): Promise<PluggableBroker> {
    const aedes = await Aedes.createBroker({ authorizeForward: markRepeated, ...options });
    const inner = await listen((socket) => void aedes.handle(socket.setNoDelay()), 0);
    const broker = new PluggableBroker(aedes, inner, await HeldPort.take());
    await broker.plug();
    return broker;
  }

  async plug(): Promise<void> {
    this.#outer ??= await listen((socket) => {
      this.#route(socket);
    }, this.port);
  }

  async unplug(): Promise<void> {
    const outer = this.#outer;
    if (outer === undefined) return;
    this.#outer = undefined;
    outer.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(outer, 'close');
    this.#isDeaf = false;
    this.#unheard.length = 0;
  }

  /**
   * From now on, data from clients does not arrive, until {@link hear}, or never if the broker is unplugged. Data to
   * clients arrives.
   */
  deafen(): void {
    this.#isDeaf = true;
  }

  hear(): void {
    this.#isDeaf = false;
    for (const arrive of this.#unheard.splice(0)) arrive();
  }

  /** Publishes like another client. */
  async publish(
    topic: string,
    payload: string | Buffer,
    { qos = 1, retain = false }: { readonly qos?: 0 | 1; readonly retain?: boolean } = {},
  ): Promise<void> {
    const packet = { cmd: 'publish', topic, payload, qos, retain, dup: false } as const;
    await new Promise<void>((resolve, reject) => {
      this.#aedes.publish(packet, (error?: Error | null) => {
        if (error) reject(error);
        else resolve();
      });
    });
  }

  async dispose(): Promise<void> {
    await this.unplug();
    await new Promise<void>((resolve) => this.#aedes.close(resolve));
    this.#inner.close();
    await this.#held[Symbol.asyncDispose]();
  }

  #route(near: Socket): void {
    near.setNoDelay();
    const far = connect((this.#inner.address() as AddressInfo).port, '127.0.0.1').setNoDelay();
    far.pipe(near);
    near.on('data', (chunk) => {
      const arrive = (): unknown => far.write(chunk);
      if (this.#isDeaf) this.#unheard.push(arrive);
      else arrive();
    });
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
  }
}

/**
 * A packet with a number was kept for the session, so it may have been sent before. Aedes does not set the mark for
 * that.
 */
function markRepeated(_client: unknown, packet: AedesPublishPacket): AedesPublishPacket {
  if (packet.messageId !== undefined) packet.dup = true;
  return packet;
}

async function listen(take: (socket: Socket) => void, port: number): Promise<Server> {
  const server = createServer(take).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
