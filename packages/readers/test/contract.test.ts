import { PassThrough } from 'node:stream';
import { isBlankTallyId, parseTallyId } from '@tallybook/domain';
import { idSourceContract, ManualClock } from '@tallybook/testing';
import { SerialIdSource, StdinIdSource } from '../src/index.js';
import { PluggableLine } from './pluggable-line.js';
import { encodeFrame } from './rdm6300-frame.js';

const clock = new ManualClock();

idSourceContract(
  { describe, it },
  {
    name: 'SerialIdSource',
    clock,
    pluggable: true,
    make: async () => {
      const line = await PluggableLine.create();
      const source = new SerialIdSource({ path: line.path, confirm: 2, retryDelayMs: () => 1 }, clock);
      return {
        source,
        present: (id) => {
          const frame = encodeFrame(id);
          // A blank id is refused frame by frame, without confirmation.
          return isBlankTallyId(parseTallyId(id)) ? line.send(frame) : line.send(frame, frame);
        },
        garble: () => line.send(Buffer.from('no frame')),
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
