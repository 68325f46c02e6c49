import { expect } from 'chai';
import { watchAppointments } from '../../../testing/test/fixtures/watch-appointments.js';
import {
  ada,
  at,
  babbage,
  Centre,
  forgotten,
  lovelace,
  pass,
  settle,
  Station,
  TODAY,
  itAtCentre,
  itWhenMet as test,
} from './sync-world.js';

const WAIT_MS = 25_000;
const REPORT_MS = 300_000;
const LOOK_MS = 10_000;

describe('a station, how long it waits', () => {
  itAtCentre('asks its centre to wait 25 seconds for changes', async (centre) => {
    const station = new Station('gate', centre);
    const waits: number[] = [];
    const changes = station.transport.changes.bind(station.transport);
    station.transport.changes = (after, waitMs) => {
      waits.push(waitMs);
      return changes(after, waitMs);
    };
    await station.open(station.sync);
    await pass([station, centre], 60);
    // While it catches up with the journal of the centre, it asks without waiting.
    expect(new Set(waits)).to.deep.equal(new Set([0, WAIT_MS]));
    await station[Symbol.asyncDispose]();
  });

  test('reports its state after five minutes without anything to send', async ({ centre, station }) => {
    const before = station.transport.batches.length;
    await pass([station, centre], REPORT_MS / 1_000 + 1);
    expect(station.transport.batches.length).to.equal(before + 1);
  });

  test('checks after ten seconds whether a change that it waited for has disappeared without being sent', async (met) => {
    const { centre, station } = met;
    const appointments = watchAppointments(station.clock);
    let giveUp: (error: unknown) => void = () => undefined;
    station.transport.push = () => new Promise((_, reject) => (giveUp = reject));
    await station.names.put(ada, lovelace);
    await centre.mapping.put(ada, babbage);
    await settle();
    const never = (): Promise<never> => Promise.reject(new Error('never'));
    station.transport.push = never;
    giveUp(new Error('never'));
    expect(appointments.asked.map(([delayMs]) => delayMs)).to.include(LOOK_MS);
    for (const [, options] of appointments.asked) expect(options).to.deep.equal({ holdsProgram: false });
  });

  test('tries again after a second at first, and twice as long each time, minus a small random part', async (met) => {
    const { centre, station } = met;
    const appointments = watchAppointments(station.clock);
    station.transport.push = () => Promise.reject(new Error('away'));
    await station.tap(ada, 1);
    await pass([station, centre], 20);
    const delays = appointments.asked.map(([delayMs]) => delayMs).filter((delayMs) => delayMs < LOOK_MS);
    expect(delays).to.deep.equal([750, 1_500, 3_000, 6_000]);
  });

  test('reports the fault if it cannot report its state, and tries again soon', async (met) => {
    const { centre, station } = met;
    const appointments = watchAppointments(station.clock);
    const push = station.transport.push.bind(station.transport);
    station.transport.push = () => Promise.reject(new Error('away'));
    while (station.faults.length === 0) await pass([station, centre], 10);
    expect(appointments.waiting).to.include(750);
    station.transport.push = push;
    const before = station.transport.batches.length;
    await pass([station, centre], 2);
    expect(station.transport.batches.length).to.equal(before + 1);
  });

  it('leaves no timer when it is closed, with or without a centre', async () => {
    for (const fate of ['arrives', 'lost'] as const) {
      await using centre = await Centre.open();
      const station = new Station('gate', centre);
      const appointments = watchAppointments(station.clock);
      await station.open(station.sync);
      station.transport.fate = () => fate;
      await station.tap(ada, 1);
      await pass([station, centre], 20);
      expect(appointments.waiting, fate).not.to.deep.equal([]);
      await station.sync.close();
      await settle();
      expect(appointments.waiting, fate).to.deep.equal([]);
      await station[Symbol.asyncDispose]();
    }
  });

  test('cancels the timer of a wait that ended sooner', async ({ station }) => {
    const appointments = watchAppointments(station.clock);
    station.transport.fate = () => 'lost';
    for (let n = 0; n < 20; n++) {
      await station.tap(ada, n);
      station.sync.wake();
      await settle();
    }
    // One appointment each for sending, receiving and the next report.
    expect(appointments.waiting.length).to.be.at.most(3);
  });
});

describe('a centre, how long it waits', () => {
  itAtCentre('cancels the timer of a waiting request when a change has come', async (centre) => {
    const appointments = watchAppointments(centre.clock);
    const { origin, cursor } = await centre.sync.changes(undefined, 0);
    const waiting = centre.sync.changes({ origin, cursor }, WAIT_MS);
    await settle();
    expect(appointments.waiting).to.deep.equal([WAIT_MS]);
    await centre.corrections.correct([forgotten(ada, 7)]);
    await centre.days.record(TODAY, ada, at(1));
    await waiting;
    expect(appointments.waiting).to.deep.equal([]);
    expect(appointments.asked).to.deep.equal([[WAIT_MS, { holdsProgram: false }]]);
  });
});
