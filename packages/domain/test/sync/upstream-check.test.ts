import { TallybookError, Timekeeper, toTimestamp } from '@tallybook/domain';
import {
  stationsCheck,
  upstreamCheck,
  type StationRecord,
  type UpstreamReport,
} from '@tallybook/domain/sync';
import { ManualClock } from '@tallybook/testing';
import { expect } from 'chai';
import { NOW, quiet } from './sync-world.js';

const report: UpstreamReport = {
  heardAt: toTimestamp(NOW),
  error: undefined,
  status: quiet,
  refused: [],
  refusedCount: 0,
};
const away = new TallybookError('UPSTREAM_UNAVAILABLE', 'the network is away');

describe('the check of the upstream', () => {
  const found = async (seconds: number, more: Partial<UpstreamReport>): Promise<unknown> => {
    const clock = new ManualClock(NOW);
    const check = upstreamCheck(
      { report: () => Promise.resolve({ ...report, ...more }) },
      new Timekeeper(clock),
    );
    expect(check.part).to.equal('upstream');
    clock.advance(seconds * 1_000);
    return check.check();
  };

  it('is well while the centre answers, or is away for less than an hour', async () => {
    expect(await found(9_000, {})).to.deep.equal({ status: 'ok' });
    expect(await found(3_599, { error: away })).to.deep.equal({ status: 'ok' });
    expect(await found(3_599, { error: away, heardAt: undefined })).to.deep.equal({ status: 'ok' });
  });

  it('warns when the centre is away for an hour, with the number of waiting changes', async () => {
    const detail = 'the centre is not reached: the network is away; 7 changes wait';
    const status = { ...quiet, waiting: 7 };
    expect(await found(3_600, { error: away, status })).to.deep.equal({ status: 'warn', detail });
    expect(await found(3_600, { error: away, status, heardAt: undefined })).to.have.property(
      'status',
      'warn',
    );
  });

  it('warns at once when the centre refuses the token', async () => {
    const error = new TallybookError('NOT_SIGNED_IN', 'the token has ended');
    expect(await found(1, { error }))
      .to.have.property('detail')
      .that.matches(/the token has ended/);
  });

  for (const reason of ['redirect', 'page', 'no-centre']) {
    it(`warns at once of an answer that will not change: ${reason}`, async () => {
      const error = new TallybookError('UPSTREAM_UNAVAILABLE', 'it redirects', { details: { reason } });
      const detail = 'the centre is not reached: it redirects; 0 changes wait';
      expect(await found(1, { error })).to.deep.equal({ status: 'warn', detail });
    });
  }

  it('warns of refused items', async () => {
    const refused = [{ cursor: 3, code: 'TAG_ERASED', message: 'erased' }];
    const detail = 'the centre refused 4 changes, the last one with TAG_ERASED';
    expect(await found(1, { refused, refusedCount: 4 })).to.deep.equal({ status: 'warn', detail });
    const both = `the centre is not reached: the network is away; 0 changes wait; ${detail}`;
    const silent = await found(3_600, { error: away, refused, refusedCount: 4 });
    expect(silent).to.deep.equal({ status: 'warn', detail: both });
  });
});

describe('the check of the stations', () => {
  const record: StationRecord = {
    ...{ name: 'gate', run: 'run', acknowledged: 3, heardAt: toTimestamp(NOW), status: quiet, refused: [] },
  };
  const found = async (seconds: number, more: Partial<StationRecord>): Promise<unknown> => {
    const clock = new ManualClock(NOW + seconds);
    const stations = (): Promise<readonly StationRecord[]> => Promise.resolve([{ ...record, ...more }]);
    const { status, items = [] } = await stationsCheck({ stations }, new Timekeeper(clock)).check();
    expect(status).to.equal(items[0]?.status);
    return items[0]?.detail;
  };

  it('is well if a station was heard within a day', async () => {
    expect(await found(86_400, {})).to.equal(undefined);
  });

  it('warns of a station that was not heard for longer', async () => {
    expect(await found(90_000, {})).to.equal('not heard for 25 hours');
  });

  it('warns of a station whose clock is not trusted', async () => {
    const status = { ...quiet, isClockTrusted: false, provisional: 3 };
    expect(await found(1, { status })).to.equal('its clock may be wrong: 3 scans wait for the right time');
  });

  it('warns of items that were refused within a day', async () => {
    const refused = [{ cursor: 3, code: 'TAG_ERASED', message: 'erased', run: 'run', at: toTimestamp(NOW) }];
    expect(await found(1, { refused })).to.equal('an item was refused: erased (TAG_ERASED)');
    expect(await found(90_000, { refused, heardAt: toTimestamp(NOW + 90_000) })).to.equal(undefined);
  });
});
