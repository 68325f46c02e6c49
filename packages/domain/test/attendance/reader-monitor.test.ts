import { ReaderMonitor, TallybookError, Timekeeper, toTimestamp, type ReaderState } from '@tallybook/domain';
import { ManualClock, ScriptedIdSource } from '@tallybook/testing';
import { expect } from 'chai';

const NOW = 1_763_700_000;
const ada = '04A2B3C4D5';

describe('ReaderMonitor', () => {
  let clock: ManualClock;
  let timekeeper: Timekeeper;
  let door: ScriptedIdSource;
  let desk: ScriptedIdSource;
  let monitor: ReaderMonitor;

  beforeEach(async () => {
    clock = new ManualClock(NOW);
    timekeeper = new Timekeeper(clock);
    door = new ScriptedIdSource(clock, 'door');
    desk = new ScriptedIdSource(clock, 'desk');
    monitor = new ReaderMonitor(timekeeper, [door, desk]);
    await monitor.open();
  });

  const stateOf = (name: string): ReaderState => {
    const state = monitor.list().find((each) => each.name === name);
    if (state === undefined) throw new Error(`nothing is known of ${name}`);
    return state;
  };

  it('shows readers as waiting until they are opened, in the given order', () => {
    const waiting = {
      kind: undefined,
      connection: 'waiting',
      since: NOW,
      faultySince: undefined,
      lastReading: undefined,
      faults: {},
      lastFault: undefined,
    };
    expect(monitor.list()).to.deep.equal([
      { name: 'door', ...waiting },
      { name: 'desk', ...waiting },
    ]);
  });

  it('shows since when a reader is connected, and the time of its last reading', async () => {
    clock.advance(3_000);
    await door.open();
    clock.advance(60_000);
    door.present(ada);
    clock.advance(60_000);
    expect(stateOf('door')).to.include({ connection: 'connected', since: NOW + 3, lastReading: NOW + 63 });
    expect(stateOf('desk')).to.include({ connection: 'waiting', since: NOW, lastReading: undefined });
  });

  it('gives the first fault a single time, even if a new second begins while it is noted', async () => {
    await door.open();
    const now = clock.now.bind(clock);
    let looks = 0;
    clock.now = () => toTimestamp(now() + looks++);
    door.unplug();
    clock.now = now;
    const { faultySince, lastFault } = stateOf('door');
    expect(faultySince).to.equal(lastFault?.at);
  });

  it('shows since when a reader is lost and why, and that it is well when it is back', async () => {
    await door.open();
    clock.advance(10_000);
    door.unplug();
    clock.advance(10_000);
    const lastFault = { code: 'READER_DISCONNECTED', message: 'door is not plugged in', at: NOW + 10 };
    expect(stateOf('door')).to.deep.include({
      connection: 'waiting',
      since: NOW + 10,
      faultySince: NOW + 10,
      faults: { READER_DISCONNECTED: 1 },
      lastFault,
    });
    door.plug();
    expect(stateOf('door')).to.deep.include({
      connection: 'connected',
      since: NOW + 20,
      faultySince: undefined,
      lastFault,
    });
  });

  it('counts faults by code, and shows since when only faults came', async () => {
    await door.open();
    door.present('noise');
    clock.advance(10_000);
    door.present(ada);
    expect(stateOf('door').faultySince).to.equal(undefined);
    for (const id of ['noise', '00000000', 'noise']) {
      clock.advance(10_000);
      door.present(id);
    }
    expect(stateOf('door')).to.deep.include({
      connection: 'connected',
      since: NOW,
      faultySince: NOW + 20,
      lastReading: NOW + 10,
      faults: { INVALID_TALLY_ID: 3, BLANK_TALLY_ID: 1 },
    });
    expect(stateOf('door').lastFault).to.include({ code: 'INVALID_TALLY_ID', at: NOW + 40 });
    expect(stateOf('desk').faults).to.deep.equal({});
  });

  it('notes a fault of a reader that cannot be opened', () => {
    clock.advance(3_000);
    const error = new TallybookError('INVALID_OPTION', 'evtest is not installed');
    monitor.note({ reader: 'desk', error });
    expect(stateOf('desk')).to.deep.include({
      connection: 'waiting',
      faultySince: NOW + 3,
      faults: { INVALID_OPTION: 1 },
      lastFault: { code: 'INVALID_OPTION', message: 'evtest is not installed', at: NOW + 3 },
    });
    expect(stateOf('door').lastFault).to.equal(undefined);
  });

  it('corrects times of a wrong clock when somebody has set the time', async () => {
    clock.set(60);
    clock.setSynchronised(undefined);
    await door.open();
    door.present('noise');
    clock.advance(20_000);
    door.present(ada);
    clock.advance(20_000);
    expect(stateOf('door')).to.include({ since: 60, lastReading: 80 });
    timekeeper.set(toTimestamp(NOW + 40));
    expect(stateOf('door')).to.include({ since: NOW, lastReading: NOW + 20 });
    expect(stateOf('door').lastFault?.at).to.equal(NOW);
  });

  it('shows a time before 1970 as 1970', async () => {
    await door.open();
    clock.advance(100_000);
    clock.set(5);
    expect(stateOf('door').since).to.equal(0);
  });

  it('always shows the same second for a moment', async () => {
    clock.advance(700);
    await door.open();
    const told = new Set<number>();
    for (let n = 0; n < 100; n++) {
      clock.advance(130);
      told.add(stateOf('door').since);
    }
    expect([...told]).to.deep.equal([NOW]);
  });

  it('shows the kind of a reader that has one', async () => {
    const { readings, faults, connections } = door;
    const named = { name: 'gate', kind: 'serial', connection: 'waiting', readings, faults, connections };
    const other = new ReaderMonitor(timekeeper, [named as unknown as ScriptedIdSource]);
    await other.open();
    expect(other.list()[0]).to.include({ name: 'gate', kind: 'serial' });
  });

  it('notes nothing while it is closed, and starts again when it is opened again', async () => {
    await door.open();
    door.present('noise');
    await monitor.close();
    door.present('noise');
    expect(stateOf('door').faults).to.deep.equal({ INVALID_TALLY_ID: 1 });
    clock.advance(5_000);
    await monitor.open();
    expect(stateOf('door')).to.deep.include({ connection: 'connected', since: NOW + 5, faults: {} });
  });

  it('returns states that the caller cannot change', async () => {
    await door.open();
    door.present('noise');
    const { faults } = stateOf('door') as { faults: Record<string, number> };
    faults['INVALID_TALLY_ID'] = 99;
    expect(stateOf('door').faults).to.deep.equal({ INVALID_TALLY_ID: 1 });
  });
});
