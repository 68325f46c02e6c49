import { ManualClock, Recorder } from '@tallybook/testing';
import { expect } from 'chai';
import { createReader } from '../../../src/index.js';
import { encodePn532Answer, encodePn532Target, pn532Acknowledgement } from './pn532-frames.js';
import { PluggableLine } from '../pluggable-line.js';
import { idsOf } from '../../fixtures/recorded-source.js';

const NO_TAG = encodePn532Answer([0xd5, 0x4b, 0x00]);

/** A simulated chip at the far end of a line. It takes one command at a time. */
class Chip {
  /** Codes of the received commands. */
  readonly heard: Recorder<number>;
  uid: string | undefined;
  isMute = false;
  #hear: (code: number) => void = () => undefined;
  readonly #line: PluggableLine;

  constructor(line: PluggableLine) {
    this.#line = line;
    this.heard = new Recorder({
      subscribe: (next) => {
        this.#hear = next;
        return { unsubscribe: () => undefined };
      },
    });
  }

  plugIn(): void {
    this.#line.onReceived((bytes) => {
      const words = Buffer.from(bytes);
      const start = words.indexOf(Buffer.of(0x00, 0x00, 0xff));
      if (words[start + 5] !== 0xd4) return;
      const code = words.readUInt8(start + 6);
      if (!this.isMute) void this.#line.send(pn532Acknowledgement, this.#answer(code));
      this.#hear(code);
    });
  }

  #answer(code: number): Buffer {
    if (code === 0x02) return encodePn532Answer([0xd5, 0x03, 0x32, 0x01, 0x06, 0x07]);
    if (code !== 0x4a) return encodePn532Answer([0xd5, code + 1]);
    return this.uid === undefined ? NO_TAG : encodePn532Target(this.uid);
  }
}

describe('A PN532 on a serial line', () => {
  let line: PluggableLine;
  let chip: Chip;
  let clock: ManualClock;

  beforeEach(async () => {
    line = await PluggableLine.create();
    chip = new Chip(line);
    chip.plugIn();
    clock = new ManualClock();
  });

  afterEach(() => line.dispose());

  /** Opens a reader, runs a trial, and closes the reader. */
  async function reading(
    run: (seen: {
      readonly ids: Recorder<string>;
      readonly faults: Recorder<string>;
      /** Lets time pass until the chip has received this many commands. */
      readonly until: (commands: number) => Promise<void>;
    }) => Promise<void>,
  ): Promise<void> {
    const reader = createReader(`serial:${line.path}?protocol=pn532`, { clock });
    const ids = idsOf(reader);
    const faults = new Recorder<string>({
      subscribe: (next) => reader.faults.subscribe(({ error }) => next(`${error.code} ${error.message}`)),
    });
    const until = async (commands: number): Promise<void> => {
      const ticking = setInterval(() => clock.advance(50), 5);
      try {
        await chip.heard.count(commands);
      } finally {
        clearInterval(ticking);
      }
    };
    await reader.open();
    try {
      await run({ ids, faults, until });
    } finally {
      await reader.close();
    }
  }

  it('is set up and asked for tags, and delivers a tag as long as it is there', () =>
    reading(async ({ ids, faults, until }) => {
      await until(6);
      expect(chip.heard.values.slice(0, 6)).to.deep.equal([0x02, 0x14, 0x32, 0x4a, 0x4a, 0x4a]);
      expect(ids.values).to.be.empty;
      chip.uid = '04A1B2C3D4E580';
      await until(chip.heard.values.length + 4);
      await ids.count(3);
      chip.uid = undefined;
      await until(chip.heard.values.length + 2);
      const { length } = ids.values;
      await until(chip.heard.values.length + 4);
      expect(ids.values).to.have.length(length);
      expect(new Set(ids.values)).to.deep.equal(new Set(['04A1B2C3D4E580']));
      expect(faults.values).to.be.empty;
    }));

  it('is set up again after a reset without an answer, which is reported once', () =>
    reading(async ({ ids, faults, until }) => {
      await until(5);
      chip.isMute = true;
      await until(chip.heard.values.length + 4);
      expect(faults.values).to.have.length(1);
      expect(faults.values[0]).to.match(/^FRAME_INVALID the PN532 does not answer/);
      chip.isMute = false;
      chip.uid = 'FB0EE20B';
      await until(chip.heard.values.length + 6);
      await ids.count(1);
      expect(chip.heard.values.slice(-6)).to.include(0x14);
    }));

  it('gets no questions after the reader was closed', async () => {
    await reading(({ until }) => until(5));
    let plans = 0;
    clock.schedule = () => {
      plans++;
      return { unsubscribe: () => undefined };
    };
    clock.advance(60_000);
    expect(plans).to.equal(0);
  });
});
