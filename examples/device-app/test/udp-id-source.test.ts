import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { idSourceContract, ManualClock } from '@tallybook/testing';
import { UdpIdSource } from '@tallybook-examples/device-app';
import { freeUdpPort } from './free-udp-port.js';

const clock = new ManualClock();

idSourceContract(
  { describe, it },
  {
    name: 'UdpIdSource',
    clock,
    pluggable: false,
    make: async () => {
      const port = await freeUdpPort();
      const source = new UdpIdSource('door', clock, port);
      const controller = createSocket('udp4');
      const send = (text: string) =>
        new Promise<void>((resolve) => controller.send(text, port, '127.0.0.1', () => resolve()));
      return {
        source,
        present: send,
        garble: () => send('knock knock'),
        cleanup: async () => {
          await source.close();
          controller.close();
          await once(controller, 'close');
        },
      };
    },
  },
);
