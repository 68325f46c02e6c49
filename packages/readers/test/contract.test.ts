import { PassThrough } from 'node:stream';
import { DeviceUrl } from '@tallybook/devices';
import { parseTallyId } from '@tallybook/domain';
import { idSourceContract, ManualClock } from '@tallybook/testing';
import { SerialIdSource, StdinIdSource } from '../src/index.js';
import { readFormat } from '../src/formats/id-format.js';
import { readProtocol } from '../src/serial/serial-protocols.js';
import { encodeGwiotFrame } from './serial/decoders/gwiot-frame.js';
import { PluggableLine } from './serial/pluggable-line.js';
import { encodePn532Target } from './serial/decoders/pn532-frames.js';
import { encodeFrame, encodeLongFrame } from './serial/decoders/rdm6300-frame.js';
import { isBlankTallyId } from '../../domain/src/values/tally-id.js';

const clock = new ManualClock();

/** For each protocol: how tags are sent, and bytes that are no tag. */
const protocols: Readonly<
  Record<string, { readonly encode: (id: string) => Buffer; readonly noise: string; readonly more?: string }>
> = {
  rdm6300: { encode: encodeFrame, noise: 'no frame' },
  id12: { encode: encodeLongFrame, noise: 'no frame' },
  '7941d': { encode: (id) => encodeGwiotFrame(0x02, id), noise: 'no frame' },
  parallax: { encode: (id) => Buffer.from(`\n${id}\r`), noise: 'no frame\r' },
  lines: {
    encode: (id) => Buffer.from(`ID=${id}\r\n`),
    noise: 'no id\r\n',
    more: '&pattern=ID=([0-9A-F]%2B)',
  },
  // A UID of 7 bytes. Its last 5 are the id.
  pn532: { encode: (id) => encodePn532Target(`04A1${id}`), noise: 'no frame', more: '&keep=5' },
};

for (const [protocol, { encode, noise, more = '' }] of Object.entries(protocols)) {
  idSourceContract(
    { describe, it },
    {
      name: `SerialIdSource with ${protocol}`,
      clock,
      pluggable: true,
      make: async () => {
        const line = await PluggableLine.create();
        const url = new DeviceUrl(`serial:?protocol=${protocol}${more}`);
        const { createDecoder, confirm } = readProtocol(url);
        const options = { path: line.path, createDecoder, confirm, format: readFormat(url) };
        const source = new SerialIdSource({ ...options, retryDelayMs: () => 1 }, clock);
        return {
          source,
          present: (id) => {
            // A blank id is refused at its first frame, without confirmation.
            const frames = isBlankTallyId(parseTallyId(id)) ? 1 : confirm;
            return line.send(...Array.from({ length: frames }, () => encode(id)));
          },
          garble: () => line.send(Buffer.from(noise)),
          unplug: () => line.unplug(),
          plug: () => line.plug(),
          cleanup: async () => {
            await source.close();
            await line.dispose();
          },
        };
      },
    },
  );
}

idSourceContract(
  { describe, it },
  {
    name: 'StdinIdSource',
    clock,
    pluggable: false,
    make: () => {
      const stream = new PassThrough();
      const source = new StdinIdSource({ stream }, clock);
      return {
        source,
        present: (id) => void stream.write(`${id}\n`),
        garble: () => void stream.write('no id\n'),
        cleanup: () => source.close(),
      };
    },
  },
);
