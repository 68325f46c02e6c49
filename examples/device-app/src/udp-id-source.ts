import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { Clock } from '@tallybook/domain';
import { ObservableIdSource } from '@tallybook/readers';

/** A reader of our own: door controllers send the ids of tags in UDP packets, one id in each packet. */
export class UdpIdSource extends ObservableIdSource {
  readonly #port: number;
  #socket: Socket | undefined;

  constructor(name: string, clock: Clock, port: number) {
    super(name, clock);
    this.#port = port;
  }

  protected override async onOpen(): Promise<void> {
    this.#socket = createSocket('udp4', (packet) => this.deliverText(packet.toString('latin1').trim()));
    await once(this.#socket.bind(this.#port, '127.0.0.1'), 'listening');
    this.setConnection('connected');
  }

  protected override async onClose(): Promise<void> {
    this.setConnection('waiting');
    await new Promise<void>((resolve) => this.#socket?.close(resolve));
  }
}
