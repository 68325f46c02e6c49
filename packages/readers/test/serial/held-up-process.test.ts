import { Recorder } from '@tallybook/testing';
import { expect } from 'chai';
import { frameDecoders, SerialIdSource, type FrameDecoder } from '../../src/index.js';
import { encodeGwiotFrame } from './decoders/gwiot-frame.js';
import { PluggableLine } from './pluggable-line.js';
import { encodeFrame, encodeLongFrame } from './decoders/rdm6300-frame.js';
import { RunningClock } from '../fixtures/running-clock.js';
import { idsOf } from '../fixtures/recorded-source.js';

/** For each protocol whose decoder waits for silence: a frame and its id. */
const frames: Readonly<Record<string, readonly [frame: Buffer, id: string]>> = {
  rdm6300: [encodeFrame('62E3086CED'), '62E3086CED'],
  id12: [encodeLongFrame('62E3086CED'), '62E3086CED'],
  em18: [Buffer.from('4B001122334B'), '4B00112233'],
  '7941d': [encodeGwiotFrame(0x02, '2E00B6D7B5'), '2E00B6D7B5'],
  parallax: [Buffer.from('\n0F0184F07A\r'), '0F0184F07A'],
  lines: [Buffer.from('62E3086CED\r\n'), '62E3086CED'],
};

class RealClock extends RunningClock {
  override monotonicMs(): number {
    return performance.now();
  }
}

describe('A serial reader in a blocked process', () => {
  let line: PluggableLine;
  let source: SerialIdSource | undefined;

  beforeEach(async () => {
    line = await PluggableLine.create();
  });

  afterEach(async () => {
    await source?.close();
    await line.dispose();
  });

  for (const [protocol, [frame, id]] of Object.entries(frames)) {
    for (const holdMs of [60, 250]) {
      it(`reads a frame of ${protocol} if its second half comes while the process is blocked for ${holdMs} ms`, async () => {
        const half = frame.length / 2;
        const { ids, faults, opened } = open(protocol, half, () => {
          line.sendWhileHeldUp(frame.subarray(half), holdMs);
        });
        await opened;
        await line.send(frame.subarray(0, half));
        expect(await ids.count(1)).to.deep.equal([id]);
        expect(faults.values).to.be.empty;
      });
    }
  }

  /**
   * Opens a reader that takes every frame. Calls back when this many bytes were taken and the reader only waits for
   * more.
   */
  function open(
    protocol: string,
    bytes: number,
    hold: () => void,
  ): { readonly ids: Recorder<string>; readonly faults: Recorder<string>; readonly opened: Promise<void> } {
    let settle: () => void = () => undefined;
    const settled = new Promise<void>((resolve) => (settle = resolve));
    let taken = 0;
    const createDecoder = (): FrameDecoder => {
      const decoder = frameDecoders[protocol]?.();
      if (decoder === undefined) throw new Error(`no decoder of ${protocol}`);
      const push = decoder.push.bind(decoder);
      const silence = decoder.silence?.bind(decoder);
      decoder.push = (chunk, monotonicMs) => {
        taken += chunk.length;
        if (taken === bytes) setImmediate(hold);
        return push(chunk, monotonicMs);
      };
      decoder.silence = () => {
        settle();
        return silence?.() ?? [];
      };
      return decoder;
    };
    const reader = new SerialIdSource({ path: line.path, confirm: 1, createDecoder }, new RealClock());
    source = reader;
    return {
      ids: idsOf(reader),
      faults: new Recorder({
        subscribe: (next) => reader.faults.subscribe(({ error }) => next(error.message)),
      }),
      // An EM-18 is ready after the silence that follows the opening.
      opened: reader.open().then(() => settled),
    };
  }
});
