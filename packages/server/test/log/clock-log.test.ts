import { Timekeeper, toTimestamp } from '@tallybook/domain';
import { ManualClock } from '@tallybook/testing';
import { expect } from 'chai';
import { testLifecycle } from '../../../testing/test/fixtures/test-lifecycle.js';
import { ClockLog } from '../../src/log/clock-log.js';
import { recordedLog } from '../fixtures/logged.js';

const BUILT_AT = 1_763_690_000;
const INFO = 30;
const WARN = 40;

function make() {
  const { log, lines } = recordedLog();
  const clock = new ManualClock();
  const timekeeper = new Timekeeper(clock, { builtAt: BUILT_AT });
  return { lines: lines.values, clock, timekeeper, clockLog: new ClockLog(log, timekeeper) };
}

testLifecycle('ClockLog', () => make().clockLog);

describe('ClockLog', () => {
  it('logs nothing about a clock that is trusted from the beginning', async () => {
    const { lines, clock, clockLog } = make();
    await clockLog.open();
    clock.advance(10_000);
    expect(lines).to.deep.equal([]);
  });

  it('warns once of a scan that is not credible, and of how to remove it', async () => {
    const { lines, clock, timekeeper, clockLog } = make();
    clock.setSynchronised(undefined);
    const latestScan = toTimestamp(1_763_700_000 + 49 * 31_557_600);
    timekeeper.noteRecord({ latestScan, credibleScan: toTimestamp(0) });
    await clockLog.open();
    clock.advance(1_000);
    clock.advance(1_000);
    expect(lines).to.have.length(1);
    expect(lines[0]).to.include({ level: WARN, suspectScan: '2074-11-21T10:40:00.000Z' });
    expect(lines[0]?.msg).to.match(
      /ignored by the clock; if its day is wrong, DELETE it at \/api\/day\?timestamp=3310022400$/,
    );
    timekeeper.noteRecord({ latestScan: toTimestamp(0), credibleScan: toTimestamp(0) });
    clock.advance(1_000);
    timekeeper.noteRecord({ latestScan, credibleScan: toTimestamp(0) });
    clock.advance(1_000);
    expect(lines).to.have.length(2);
  });

  const doubts: [doubt: string, spoil: (parts: ReturnType<typeof make>) => void, message: RegExp][] = [
    [
      'before-build',
      ({ clock }) => clock.set(5),
      /^the clock is not trusted: it is earlier than the release of this program\. Scans are provisional until it is right\. What to do: let the device reach a time server, or POST the time to \/api\/time$/,
    ],
    [
      'not-synchronised',
      ({ clock }) => clock.setSynchronised(false),
      /is not synchronised with a time server\. .*\/api\/time, or, if it has a battery clock, start with --clock trusted$/,
    ],
    [
      'before-last-scan',
      ({ clock, timekeeper }) => {
        clock.setSynchronised(undefined);
        timekeeper.noteScan(toTimestamp(1_763_700_100));
      },
      /earlier than a recorded scan\. .*: set the clock of the device, or POST/,
    ],
  ];
  for (const [doubt, spoil, message] of doubts) {
    it(`warns when the clock is not trusted at the start, with the reason and advice: ${doubt}`, async () => {
      const parts = make();
      spoil(parts);
      await parts.clockLog.open();
      expect(parts.lines).to.have.length(1);
      expect(parts.lines[0]).to.include({ level: WARN, doubt });
      expect(parts.lines[0]?.msg).to.match(message);
      if (doubt === 'before-last-scan')
        expect(parts.lines[0]?.['latestScan']).to.equal('2025-11-21T04:41:40.000Z');
      else expect(parts.lines[0]).to.not.have.property('latestScan');
      expect(parts.lines[0]?.['shown']).to.match(/^(?:1970-01-01T00:00:05|2025-11-21T04:40:00)\.000Z$/);
      parts.clock.advance(10_000);
      expect(parts.lines).to.have.length(1);
    });
  }

  it('logs once, within a second, that the clock is trusted and why', async () => {
    const { lines, clock, timekeeper, clockLog } = make();
    clock.setSynchronised(false);
    await clockLog.open();
    timekeeper.set(toTimestamp(1_763_700_000));
    clock.advance(1_000);
    clock.setSynchronised(true);
    clock.advance(1_000);
    clock.advance(10_000);
    expect(lines.slice(1).map(({ level, basis, msg }) => [level, basis, msg])).to.deep.equal([
      [INFO, 'set', 'the clock is trusted: somebody has set the time of this service'],
      [INFO, 'synchronised', 'the clock is trusted: the system follows a time server'],
    ]);
  });

  it('warns when the clock is not trusted any more', async () => {
    const { lines, clock, clockLog } = make();
    await clockLog.open();
    clock.set(5);
    clock.advance(1_000);
    clock.set(1_763_700_000);
    clock.setSynchronised(undefined);
    clock.advance(1_000);
    expect(lines.map(({ level, doubt, basis }) => [level, doubt ?? basis])).to.deep.equal([
      [WARN, 'before-build'],
      [INFO, 'assumed'],
    ]);
  });

  it('counts frequent events', async () => {
    const { lines, clock, clockLog } = make();
    await clockLog.open();
    for (let n = 0; n < 20; n++) {
      clock.setSynchronised(n % 2 === 0 ? false : true);
      clock.advance(1_000);
    }
    expect(lines.filter(({ level }) => level === WARN)).to.have.length(6);
  });

  it('logs the former and the new time, each time', async () => {
    const { lines, clockLog } = make();
    clockLog.noteSetting(toTimestamp(5), toTimestamp(1_763_700_000));
    clockLog.noteSetting(toTimestamp(1_763_700_001), toTimestamp(Number.MAX_SAFE_INTEGER));
    expect(lines.map(({ level, before, after }) => [level, before, after])).to.deep.equal([
      [INFO, '1970-01-01T00:00:05.000Z', '2025-11-21T04:40:00.000Z'],
      [INFO, '2025-11-21T04:40:01.000Z', '9007199254740991 s'],
    ]);
  });

  it('is silent after it was closed, and begins anew when it is opened again', async () => {
    const { lines, clock, clockLog } = make();
    clock.setSynchronised(false);
    await clockLog.open();
    await clockLog.close();
    clock.setSynchronised(true);
    clock.advance(10_000);
    expect(lines).to.have.length(1);
    clock.setSynchronised(false);
    await clockLog.open();
    expect(lines).to.have.length(2);
  });
});
