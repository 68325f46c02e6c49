import { TallybookError } from '@tallybook/domain';
import { type HealthCheck, HealthMonitor, worstOf } from '@tallybook/domain/record';
import { ManualClock } from '@tallybook/testing';
import { expect } from 'chai';
import { watchAppointments } from '../../../../testing/test/fixtures/watch-appointments.js';

function checkOf(part: string, check: HealthCheck['check'], isVital = false): HealthCheck {
  return { part, check, isVital };
}

describe('HealthMonitor', () => {
  it('has the state of its worst part, and names the parts in their order', async () => {
    await using monitor = new HealthMonitor(
      [
        checkOf('clock', () => ({ status: 'warn' })),
        checkOf('store', () => Promise.resolve({ status: 'ok' })),
      ],
      new ManualClock(),
    );
    await monitor.open();
    const { status, parts } = await monitor.read();
    expect(status).to.equal('warn');
    expect(parts.map(({ part }) => part)).to.deep.equal(['clock', 'store']);
    expect(worstOf([])).to.equal('ok');
    expect(worstOf(['warn', 'fail', 'ok'])).to.equal('fail');
  });

  it('treats a check that rejects or throws as a failing part, and gives its message', async () => {
    const rejecting = checkOf('store', () => Promise.reject(new TallybookError('NOT_OPEN', 'it is closed')));
    const throwing = checkOf('disk', () => {
      throw new Error('no such folder');
    });
    await using monitor = new HealthMonitor([rejecting, throwing], new ManualClock());
    expect((await monitor.read()).parts).to.deep.equal([
      { part: 'store', status: 'fail', detail: 'it is closed' },
      { part: 'disk', status: 'fail', detail: 'no such folder' },
    ]);
  });

  it('treats a check without an answer in time as a failing part, and begins it only once', async () => {
    const clock = new ManualClock();
    let begun = 0;
    let answer: () => void = () => undefined;
    const hanging = checkOf('store', () => {
      begun++;
      return new Promise((resolve) => (answer = () => resolve({ status: 'ok' })));
    });
    await using monitor = new HealthMonitor([hanging], clock, { keepMs: 0 });
    for (let round = 0; round < 2; round++) {
      const reading = monitor.read();
      await Promise.resolve();
      clock.advance(5_000);
      expect((await reading).parts).to.deep.equal([
        { part: 'store', status: 'fail', detail: 'it has not answered for 5 s' },
      ]);
    }
    expect(begun).to.equal(1);
    const reading = monitor.read();
    answer();
    expect((await reading).status).to.equal('ok');
    expect(begun).to.equal(1);
  });

  it('waits five seconds for a check, and gives its result to all requests for one second, by default', async () => {
    const clock = new ManualClock();
    const appointments = watchAppointments(clock);
    let checked = 0;
    await using monitor = new HealthMonitor(
      [
        checkOf('store', () => {
          checked++;
          return { status: 'ok' };
        }),
      ],
      clock,
    );
    await monitor.open();
    const reading = Promise.all([monitor.read(), monitor.read()]);
    expect(appointments.asked).to.deep.equal([[5_000, { holdsProgram: false }]]);
    await reading;
    // A finished check leaves no timer behind.
    expect(appointments.waiting).to.deep.equal([]);
    for (const [passedMs, expected] of [
      [999, 1],
      [1, 2],
    ] as const) {
      clock.advance(passedMs);
      await monitor.read();
      expect(checked).to.equal(expected);
    }
  });

  it('is ready while it is open and no vital part fails', async () => {
    let status: 'ok' | 'fail' = 'ok';
    const vital = checkOf('store', () => ({ status }), true);
    const other = checkOf('readers', () => ({ status: 'fail' }));
    await using monitor = new HealthMonitor([vital, other], new ManualClock(), { keepMs: 0 });
    expect((await monitor.read()).isReady).to.equal(false);
    await monitor.open();
    expect((await monitor.read()).isReady).to.equal(true);
    status = 'fail';
    expect((await monitor.read()).isReady).to.equal(false);
    status = 'ok';
    await monitor.close();
    expect((await monitor.read()).isReady).to.equal(false);
  });
});
