import { TallybookError } from '@tallybook/domain';
import { ManualClock } from '@tallybook/testing';
import { expect } from 'chai';
import { UpstreamLog } from '../../src/log/upstream-log.js';
import { recordedLog } from '../fixtures/logged.js';

const [INFO, WARN, ERROR] = [30, 40, 50];

describe('UpstreamLog', () => {
  function make() {
    const { log, lines } = recordedLog();
    const told = (): readonly (readonly [unknown, string])[] =>
      lines.values.map(({ level, msg }) => [level, msg]);
    return { upstream: new UpstreamLog(log, new ManualClock()), lines, told };
  }
  const away = new TallybookError('UPSTREAM_UNAVAILABLE', 'the network is away');

  it('logs once that the centre is reached, each fault once, and its end', () => {
    const { upstream, told } = make();
    for (let round = 0; round < 2; round++) upstream.noteReached('hq');
    for (let round = 0; round < 2; round++) {
      upstream.noteFault('hq', away);
      upstream.noteFault('hq', new Error('a mistake'));
    }
    upstream.noteReached('hq');
    upstream.noteFault('hq', away);
    expect(told()).to.deep.equal([
      [INFO, 'the centre is reached'],
      [WARN, 'the network is away; changes wait here to be sent'],
      [ERROR, 'sending to the centre failed'],
      [INFO, 'the centre is reached again; waiting changes are sent'],
      [WARN, 'the network is away; changes wait here to be sent'],
    ]);
  });

  it('logs items that the centre refused, and a token that others can read', () => {
    const { upstream, lines, told } = make();
    upstream.noteRefused('hq', [{ cursor: 7, code: 'TAG_ERASED', message: 'erased' }]);
    upstream.noteOpenToken('/etc/token');
    expect(told().map(([level]) => level)).to.deep.equal([WARN, WARN]);
    expect(lines.values[0]).to.include({ centre: 'hq', cursor: 7, code: 'TAG_ERASED' });
    expect(lines.values[0]?.msg).to.equal('the centre refused a change: erased');
    expect(lines.values[1]).to.include({ file: '/etc/token' });
    expect(lines.values[1]?.msg).to.match(/others on this machine can read the token.*run "chmod 600"/);
  });
});
