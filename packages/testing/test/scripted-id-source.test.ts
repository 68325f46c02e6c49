import { ManualClock, Recorder, ScriptedIdSource } from '@tallybook/testing';
import { expect } from 'chai';

describe('ScriptedIdSource', () => {
  let clock: ManualClock;
  let source: ScriptedIdSource;

  beforeEach(() => {
    clock = new ManualClock(1000);
    source = new ScriptedIdSource(clock, 'door');
  });

  afterEach(() => source.close());

  it('delivers a presented tag at once, with the time of its clock', async () => {
    const readings = new Recorder(source.readings);
    await source.open();
    clock.advance(2500);
    source.present('04:a2:b3:c4:d5');
    expect(readings.values).to.deep.equal([
      { id: '04A2B3C4D5', reader: 'door', at: 1002, monotonicMs: 2500 },
    ]);
  });

  it('has a default name', () => {
    expect(new ScriptedIdSource(clock).name).to.equal('scripted');
  });

  it('reports text that is no id with the right code', async () => {
    const faults = new Recorder(source.faults);
    await source.open();
    for (const text of ['no id', '0000000000', 'FFFFFF']) source.present(text);
    expect(faults.values.map(({ error }) => error.code)).to.deep.equal([
      'INVALID_TALLY_ID',
      'BLANK_TALLY_ID',
      'BLANK_TALLY_ID',
    ]);
  });

  it('delivers nothing while its cable is unplugged', async () => {
    const readings = new Recorder(source.readings);
    await source.open();
    source.unplug();
    source.present('04A2B3C4D5');
    source.plug();
    source.present('0006547886');
    expect(readings.values.map(({ id }) => id)).to.deep.equal(['0006547886']);
  });

  it('announces each change of its connection once, and a lost device once', async () => {
    const connections = new Recorder(source.connections);
    const faults = new Recorder(source.faults);
    await source.open();
    for (const act of ['plug', 'unplug', 'unplug', 'plug', 'plug'] as const) source[act]();
    expect(connections.values).to.deep.equal(['connected', 'waiting', 'connected']);
    expect(faults.values.map(({ error }) => error.code)).to.deep.equal(['READER_DISCONNECTED']);
  });

  it('reports nothing about its cable while it is closed', async () => {
    const connections = new Recorder(source.connections);
    const faults = new Recorder(source.faults);
    source.unplug();
    source.plug();
    await source.open();
    await source.close();
    source.unplug();
    source.plug();
    expect(connections.values).to.deep.equal(['connected']);
    expect(faults.values).to.deep.equal([]);
  });

  it('does not hide an error of the given clock', async () => {
    class BrokenClock extends ManualClock {
      override now(): never {
        throw new RangeError('no time');
      }
    }
    const broken = new ScriptedIdSource(new BrokenClock());
    await broken.open();
    expect(() => {
      broken.present('04A2B3C4D5');
    }).to.throw(RangeError, 'no time');
    await broken.close();
  });
});
