import { existsSync } from 'node:fs';
import type { Clock } from '@tallybook/domain';
import { idSourceContract, ManualClock } from '@tallybook/testing';
import { expect } from 'chai';
import { createIdFormat, createReader, HidIdSource, type HidOptions } from '../../src/index.js';
import { grabKeyboard } from '../../src/hid/grab-keyboard.js';
import { EvtestStandIn } from './evtest-stand-in.js';
import { rejectionOf } from '../../../domain/test/fixtures/throws.js';
import { RecordedTimers } from '../../../testing/test/fixtures/recorded-timers.js';
import { RecordedSource, until } from '../fixtures/recorded-source.js';
import { itRefusesUrls } from '../fixtures/refused-urls.js';
import { RunningClock } from '../fixtures/running-clock.js';
import { press, type } from './typed-keys.js';

const PATH = '/dev/input/by-id/usb-READER-event-kbd';

const clock = new RunningClock();
type Subject = RecordedSource<HidIdSource>;
const record = (options: Partial<HidOptions> = {}, at: Clock = clock): Subject =>
  new RecordedSource(
    (retryDelayMs) => new HidIdSource({ path: PATH, silenceMs: 50, retryDelayMs, ...options }, at),
  );

idSourceContract(
  { describe, it },
  {
    name: 'HidIdSource',
    clock,
    pluggable: true,
    make: () => {
      const evtest = new EvtestStandIn();
      const source = new HidIdSource({ path: PATH, silenceMs: 50, retryDelayMs: () => 1 }, clock);
      return {
        source,
        present: (id) => evtest.type(`${id}\n`),
        garble: () => evtest.type('no id of a tag\n'),
        unplug: () => evtest.unplug(),
        plug: () => evtest.plug(),
        cleanup: async () => {
          await source.close();
          evtest.dispose();
        },
      };
    },
  },
);

describe('HidIdSource', () => {
  let evtest: EvtestStandIn;
  let subject: Subject;

  beforeEach(() => {
    evtest = new EvtestStandIn();
  });

  afterEach(async () => {
    await subject.source.close();
    evtest.dispose();
  });

  async function open(options?: Partial<HidOptions>): Promise<void> {
    subject = record(options);
    await subject.source.open();
  }

  it('grabs the device', async () => {
    await open();
    expect(evtest.calls).to.deep.equal([`--grab ${PATH}`]);
  });

  it('reads ids that readers type, in its format', async () => {
    await open({ format: createIdFormat({ spelling: 'dec10' }) });
    evtest.type('0006547886\n');
    expect(await subject.ids.count(1)).to.deep.equal(['0063E9AE']);
    await subject.source.close();
    await open({ format: createIdFormat({ spelling: 'dec3-5' }) });
    evtest.type('099,59822\n');
    expect(await subject.ids.count(1)).to.deep.equal(['63E9AE']);
  });

  it('reads a reader with another keyboard layout', async () => {
    await open({ layout: 'fr' });
    const shift = 42;
    // 6B3D12 as a reader with the layout AZERTY types it.
    evtest.press(
      { code: shift, value: 1, timeMs: 0 },
      ...[7, 48, 4, 32, 2, 3].flatMap((code, index) => press(code, index)),
      { code: shift, value: 0, timeMs: 8 },
      ...press(28, 9),
    );
    expect(await subject.ids.count(1)).to.deep.equal(['6B3D12']);
  });

  it('reads a reader that types no Enter', async () => {
    await open();
    evtest.type('0006547886');
    expect(await subject.ids.count(1)).to.deep.equal(['0006547886']);
    evtest.type('6B3D12D6');
    expect(await subject.ids.count(2)).to.deep.equal(['0006547886', '6B3D12D6']);
  });

  it('does not treat a time in which this process was busy as silence', async () => {
    await open();
    const keys = type('0006547886\n', 10_000);
    // The first keys come in one piece with an id. The id shows that they were read.
    evtest.press(...type('6B3D12D6\n', 5_000), ...keys.slice(0, 8));
    await subject.ids.count(1);
    evtest.pressWhileHeldUp(200, ...keys.slice(8));
    expect(await subject.ids.count(2)).to.deep.equal(['6B3D12D6', '0006547886']);
    expect(subject.problems.values).to.be.empty;
  });

  it('drops input that is shorter than the set length, and reports it without the text', async () => {
    await open({ length: 10 });
    evtest.type('547886\n');
    evtest.type('0006547886\n');
    expect(await subject.ids.count(1)).to.deep.equal(['0006547886']);
    expect(subject.problems.values).to.deep.equal(['too few characters']);
    expect(subject.messages[0])
      .to.contain('received 6 characters')
      .and.contain('fewer than the 10')
      .and.not.contain('547886');
  });

  it('does not put typed text into a fault', async () => {
    await open();
    evtest.type('ada lovelace\n');
    await subject.problems.count(1);
    expect(subject.messages.join()).to.not.contain('lovelace');
  });

  it('drops an id with lost keys', async () => {
    await open();
    evtest.drop();
    evtest.press(...type('547886\n', 1_763_700_001_010));
    evtest.type('0006547886\n');
    expect(await subject.ids.count(1)).to.deep.equal(['0006547886']);
    expect(subject.problems.values).to.deep.equal(['lost keys']);
  });

  it('drops an id that was being typed when it took the device', async () => {
    // Only the times of the keys show the silence.
    subject = record({ silenceMs: 1_000 }, new ManualClock());
    const opened = subject.source.open();
    await until('evtest', () => evtest.isRunning);
    const keys = type('0006547886\n', 5_000);
    evtest.press(...keys.slice(0, 8));
    await opened;
    evtest.press(...keys.slice(8));
    evtest.type('6B3D12D6\n');
    expect(await subject.ids.count(1)).to.deep.equal(['6B3D12D6']);
    expect(subject.problems.values).to.be.empty;
  });

  it('forgets half an id when the device is lost', async () => {
    await open({ silenceMs: 1_000 });
    evtest.type('6B3D12D6\n000654');
    await subject.ids.count(1);
    evtest.unplug();
    await subject.connections.find('waiting', (connection) => connection === 'waiting');
    evtest.plug();
    await subject.connected(2);
    evtest.press(...type('7886AA\n', 1_763_700_001_200));
    expect(await subject.ids.count(2)).to.deep.equal(['6B3D12D6', '7886AA']);
  });

  const refusals: readonly (readonly [text: string, reason: string])[] = [
    ['evtest: No such file or directory', 'missing'],
    ['evtest: No such device', 'missing'],
    ['evtest: Not a directory', 'missing'],
    ['evtest: Permission denied\nYou do not have access to it. Try running as root instead.', 'permission'],
    ["evtest: can't get version: Inappropriate ioctl for device", 'not-keyboard'],
    ['evtest: Input/output error', 'other'],
  ];
  for (const [text, reason] of refusals) {
    it(`reports ${reason} once when evtest prints ${JSON.stringify(text)}`, async () => {
      evtest.unplug(text);
      await open();
      expect(subject.source.connection).to.equal('waiting');
      await subject.attempts.count(3);
      expect(subject.problems.values).to.deep.equal([reason]);
      evtest.plug();
      await subject.connected();
    });
  }

  it('repeats other messages of evtest', async () => {
    evtest.unplug('evtest: Input/output error');
    subject = record();
    await subject.source.open();
    expect(subject.messages).to.deep.equal([`${PATH} cannot be used: evtest: Input/output error`]);
  });

  it('refuses a device without digits, and releases it', async () => {
    evtest.dispose();
    evtest = new EvtestStandIn('Event code 272 (BTN_LEFT)');
    await open();
    expect(subject.problems.values).to.deep.equal(['not-keyboard']);
    await subject.attempts.count(1);
    await subject.source.close();
    expect(evtest.isRunning).to.equal(false);
  });

  it('accepts a number pad as a keyboard', async () => {
    evtest.dispose();
    evtest = new EvtestStandIn('Event code 79 (KEY_KP1)');
    await open();
    expect(subject.source.connection).to.equal('connected');
  });

  it('reports once that another program has the device, and reads when it is released', async () => {
    evtest.grab();
    await open({ silenceMs: 1_000 });
    expect(subject.source.connection).to.equal('waiting');
    await subject.attempts.count(3);
    expect(subject.problems.values).to.deep.equal(['busy']);
    evtest.release();
    await subject.connected();
  });

  it('gives up a hanging device, and ends the process that watches it', async () => {
    evtest.hang();
    subject = record();
    const grab = { path: PATH, settleMs: 50, onLine: () => undefined, signal: new AbortController().signal };
    const error = await rejectionOf('READER_DISCONNECTED', grabKeyboard({ ...grab, limitMs: 100 }));
    expect(error.details).to.deep.equal({ path: PATH, reason: 'stuck' });
    expect(error.message).to.contain('does not answer; plug the reader in again');
    await until('the end of evtest', () => !evtest.isRunning);
  });

  it('does not give up a watched device when its start takes long', async () => {
    using timers = new RecordedTimers();
    subject = record();
    const grab = { path: PATH, settleMs: 900, onLine: () => undefined, signal: new AbortController().signal };
    const grabbed = grabKeyboard({ ...grab, limitMs: 60_000 });
    await until('a device that is watched', () => timers.pending.includes(900));
    timers.expire(60_000);
    await new Promise(setImmediate);
    timers.expire(900);
    await (await grabbed).end();
  });

  it('ends evtest when it is closed, also before the device is there', async () => {
    await open();
    const { pid } = evtest;
    expect(existsSync(`/proc/${pid}`)).to.equal(true);
    await subject.source.close();
    expect(existsSync(`/proc/${pid}`)).to.equal(false);
    evtest.unplug();
    await open({ silenceMs: 1_000 });
    evtest.plug();
    await until('another attempt', () => evtest.isRunning);
    const again = evtest.pid;
    await subject.source.close();
    expect(existsSync(`/proc/${again}`)).to.equal(false);
  });

  it('leaves no timer when it is closed', async () => {
    await open({ silenceMs: 1_000 });
    evtest.type('6B3D12D6\n000');
    await subject.ids.count(1);
    expect(clock.pending).to.equal(1);
    await subject.source.close();
    expect(clock.pending).to.equal(0);
  });

  it('is refused with advice if evtest is missing', async () => {
    subject = record();
    expect((await subject.failureWithoutPrograms()).message).to.contain('apt install evtest');
    expect(subject.source.status).to.equal('closed');
  });
});

describe('The URL of a keyboard reader', () => {
  itRefusesUrls([
    ['hid:', 'path', 'such as /dev/input/by-id/usb-READER-event-kbd; got ""'],
    ['hid:event3', 'path', 'named by its path'],
    ['hid:/dev/input/a%00', 'path', 'named by its path'],
    ['hid:/dev/input/event3?layout=dvorak', 'layout', 'layout is one of us, de, fr; got "dvorak"'],
    ['hid:/dev/input/event3?length=0', 'length', 'length is a whole number from 1 to 40; got "0"'],
    ['hid:/dev/input/event3?length=41', 'length', 'length is a whole number from 1 to 40; got "41"'],
    ['hid:/dev/input/event3?silence=49ms', 'silence', 'silence is a whole number from 50 to 1000; got 49 ms'],
    ['hid:/dev/input/event3?silence=2s', 'silence', 'silence is a whole number from 50 to 1000; got 2000 ms'],
    ['hid:/dev/input/event3?baud=9600', 'baud', 'allowed are format, keep, layout, length, name, order,'],
  ]);

  it('refuses an invalid length', () => {
    expect(() => record({ length: NaN })).to.throw('length is a whole number from 1 to 40; got NaN');
  });

  it('names it after its path, or by the given name', () => {
    expect(record().source.name).to.equal(`hid:${PATH}`);
    const url = `hid:${PATH}?layout=de&length=10&silence=150ms&format=dec10&name=desk`;
    expect(createReader(url, { clock })).to.be.instanceOf(HidIdSource).with.property('name', 'desk');
  });
});
