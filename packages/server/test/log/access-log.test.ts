import { TallybookError } from '@tallybook/domain';
import { ManualClock } from '@tallybook/testing';
import { expect } from 'chai';
import { AccessLog, logMisfits } from '../../src/log/access-log.js';
import { recordedLog } from '../fixtures/logged.js';

describe('AccessLog', () => {
  it('logs changes of access with their authors, and no use of access', () => {
    const { log, lines } = recordedLog();
    const access = new AccessLog(log, new ManualClock());
    access.note('ada', 'name-set', { n: 1 });
    access.note('ada', 'user-added', { name: 'bob' });
    access.note('eve', 'sign-in-refused');
    const told = lines.values.map(({ level, actor, name, msg }) => [level, actor, name, msg]);
    expect(told).to.deep.equal([
      [30, 'ada', 'bob', 'user added'],
      [40, 'eve', undefined, 'sign-in refused'],
    ]);
  });

  it('logs failures of reading or noting users, with the error', () => {
    const { log, lines } = recordedLog();
    new AccessLog(log, new ManualClock()).noteFault(new TallybookError('STORE_READ_FAILED', 'no disk'));
    expect(lines.values[0]).to.include({
      ...{ level: 50, msg: 'users, sessions or tokens could not be read or noted' },
    });
    expect(lines.values[0]?.['err']).to.include({ code: 'STORE_READ_FAILED', message: 'no disk' });
  });
});

describe('A header of a proxy that does not fit', () => {
  it('is logged once an hour, with what was expected', () => {
    const { log, lines } = recordedLog();
    const clock = new ManualClock();
    const report = logMisfits(log, clock);
    for (let n = 0; n < 3; n++) {
      report('remote-user', 'a name');
      report('remote-user', 'a request of a trusted proxy', '10.0.0.9');
      clock.advance(1_800_000);
    }
    expect(lines.values.map(({ level, msg, sender }) => [level, msg, sender])).to.deep.equal([
      [40, 'the header remote-user was ignored: expected a name', undefined],
      [40, 'the header remote-user was ignored: expected a request of a trusted proxy', '10.0.0.9'],
      [40, 'the header remote-user was ignored: expected a name', undefined],
      [40, 'the header remote-user was ignored: expected a request of a trusted proxy', '10.0.0.9'],
    ]);
  });
});
