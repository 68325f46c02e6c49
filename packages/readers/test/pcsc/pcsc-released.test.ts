import type { Recorder } from '@tallybook/testing';
import { expect } from 'chai';
import { RecordedTimers } from '../../../testing/test/fixtures/recorded-timers.js';
import { listPcscReaders, PcscIdSource } from '../../src/index.js';
import { RunningClock } from '../fixtures/running-clock.js';
import { DISPOSITIONS, pcscError, ScriptedPcsc, ScriptedReader, STATES } from './scripted-pcsc.js';
import { idsOf, problemsOf } from '../fixtures/recorded-source.js';

const ADA = '04A2B3C4D5E680';

async function open(pcsc: ScriptedPcsc): Promise<{
  readonly source: PcscIdSource;
  readonly ids: Recorder<string>;
  readonly faults: Recorder<unknown>;
}> {
  const source = new PcscIdSource({ load: pcsc.load, retryDelayMs: () => 60_000 }, new RunningClock());
  const ids = idsOf(source);
  const faults = problemsOf(source);
  await source.open();
  return { source, ids, faults };
}

describe('A card on a PC/SC reader', () => {
  let reader: ScriptedReader;
  beforeEach(() => (reader = new ScriptedReader('ACS ACR122U PICC 00 00')));

  it('is released after its reading, unchanged for other programs', async () => {
    const { source, ids } = await open(new ScriptedPcsc([reader]));
    reader.script.push(`${ADA}9000`);
    reader.change(STATES.PRESENT);
    await ids.count(1);
    expect(reader.released).to.deep.equal([DISPOSITIONS.LEAVE]);
    await source.close();
  });

  it('is released when it has no UID, and when it does not answer', async () => {
    const { source, faults } = await open(new ScriptedPcsc([reader]));
    for (const answer of ['6A81', '']) {
      reader.script.push(answer);
      reader.change(STATES.PRESENT);
      reader.change(STATES.EMPTY);
    }
    await faults.count(2);
    expect(reader.released).to.deep.equal([DISPOSITIONS.LEAVE, DISPOSITIONS.LEAVE]);
    await source.close();
  });

  it('is asked for again a tenth of a second after another program had it', async () => {
    using timers = new RecordedTimers();
    const { source, ids } = await open(new ScriptedPcsc([reader]));
    reader.script.push(pcscError('SharingViolation'), `${ADA}9000`);
    const before = timers.delays.length;
    reader.change(STATES.PRESENT);
    while (timers.delays.length === before) await new Promise(setImmediate);
    expect(timers.delays.slice(before)).to.deep.equal([100]);
    timers.expire(100);
    await ids.count(1);
    await source.close();
  });

  it('is not delivered by a source that was closed and opened again before it answered', async () => {
    const { source, ids } = await open(new ScriptedPcsc([reader], [new ScriptedReader('other')]));
    let answer: (card: object) => void = () => undefined;
    reader.connect = () => new Promise((resolve) => (answer = resolve));
    reader.change(STATES.PRESENT);
    await source.close();
    await source.open();
    await new Promise<void>((letGo) => {
      answer({
        transmit: () => Promise.resolve(Buffer.from(`${ADA}9000`, 'hex')),
        disconnect: () => {
          letGo();
          return Promise.resolve();
        },
      });
    });
    await new Promise(setImmediate);
    expect(ids.values).to.be.empty;
    await source.close();
  });
});

describe('pcscd', () => {
  it('is released when the source is closed', async () => {
    const pcsc = new ScriptedPcsc([new ScriptedReader('ACR122U 00 00')]);
    const { source } = await open(pcsc);
    expect(pcsc.stopped).to.equal(0);
    await source.close();
    expect(pcsc.stopped).to.equal(1);
  });

  it('is released when it lists no reader within half a second', async () => {
    using timers = new RecordedTimers();
    const pcsc = new ScriptedPcsc([]);
    const opened = open(pcsc);
    while (!timers.pending.includes(500)) await new Promise(setImmediate);
    timers.expire(500);
    const { source, faults } = await opened;
    expect(faults.values).to.deep.equal(['missing']);
    expect(pcsc.stopped).to.equal(1);
    await source.close();
  });

  it('is released half a second after the names of readers were requested', async () => {
    using timers = new RecordedTimers();
    const pcsc = new ScriptedPcsc([new ScriptedReader('ACR122U 00 00')]);
    const listed = listPcscReaders(pcsc.load);
    while (!timers.pending.includes(500)) await new Promise(setImmediate);
    expect(pcsc.stopped).to.equal(0);
    timers.expire(500);
    expect(await listed).to.deep.equal(['ACR122U 00 00']);
    expect(pcsc.stopped).to.equal(1);
  });
});
