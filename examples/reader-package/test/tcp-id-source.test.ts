import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { DeviceUrl } from '@tallybook/devices';
import { idSourceContract, ManualClock, Recorder } from '@tallybook/testing';
import { TcpIdSource, tcpReader } from '@tallybook-examples/reader-package';

const clock = new ManualClock();

/** A door controller on a port of this machine that stays the same while it is unplugged. */
class Controller {
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  port = 0;

  async plug(): Promise<void> {
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => undefined).on('end', () => this.#sockets.delete(socket));
    });
    await once(this.#server.listen(this.port, '127.0.0.1'), 'listening');
    ({ port: this.port } = this.#server.address() as AddressInfo);
  }

  async unplug(): Promise<void> {
    const closed = new Promise((resolve) => this.#server?.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
    await closed;
  }

  /** Sends a line to a connected reader. The reader may know of its connection before this controller does. */
  async send(line: string, { connection }: Pick<TcpIdSource, 'connection'>): Promise<void> {
    if (connection === 'connected' && this.#sockets.size === 0 && this.#server !== undefined) {
      await once(this.#server, 'connection');
    }
    for (const socket of this.#sockets) socket.write(`${line}\r\n`);
  }
}

async function plugged(): Promise<Controller> {
  const controller = new Controller();
  await controller.plug();
  return controller;
}

idSourceContract(
  { describe, it },
  {
    name: 'TcpIdSource',
    clock,
    pluggable: true,
    make: async () => {
      const controller = await plugged();
      const address = { host: '127.0.0.1', port: controller.port };
      const source = new TcpIdSource('door', address, clock, () => 20);
      return {
        source,
        present: (id) => controller.send(id, source),
        garble: () => controller.send('knock knock', source),
        unplug: () => controller.unplug(),
        plug: () => controller.plug(),
        cleanup: async () => {
          await source.close();
          await controller.unplug();
        },
      };
    },
  },
);

describe('the registration of TcpIdSource', () => {
  const make = (url: string): TcpIdSource => tcpReader.make(new DeviceUrl(url), { clock });

  it('makes a reader that is named by its URL, else by its host', () => {
    expect(make('tcp://controller.local:4000?name=door').name).to.equal('door');
    expect(make('tcp://controller.local').name).to.equal('controller.local');
  });

  for (const [url, reason] of [
    ['tcp:', 'it has no host'],
    ['tcp://door:0', 'port is a whole number from 1 to 65535'],
    ['tcp://door/left', 'has no path'],
  ] as const) {
    it(`refuses ${url}`, () => {
      expect(() => make(url)).to.throw(reason);
    });
  }

  it('says in its health what the controller says is wrong with it', async () => {
    const controller = await plugged();
    await using reader = make(`tcp://127.0.0.1:${controller.port}`);
    const readings = new Recorder(reader.readings);
    await reader.open();
    for (const [status, expected] of [
      ['the battery is low', { status: 'warn', detail: 'the controller says: the battery is low' }],
      ['ok', { status: 'ok' }],
    ] as const) {
      const before = readings.values.length;
      await controller.send(`STATUS ${status}\r\n04A2B3C4D5`, reader);
      await readings.count(before + 1);
      expect(await tcpReader.health?.(reader)).to.deep.equal(expected);
    }
    readings.stop();
    await controller.unplug();
  });
});
