import { TallybookError, toDay, toTimestamp } from '@tallybook/domain';
import { ManualClock } from '@tallybook/testing';
import { expect } from 'chai';
import { HttpMeter } from '../../../src/http/http-meter.js';
import { appReportsOf, type AppReports } from '../../../src/wiring/modules/app-options.js';
import type { Services } from '../../../src/wiring/services.js';
import { recordedLog, type LogLine } from '../../fixtures/logged.js';

const [INFO, WARN, ERROR] = [30, 40, 50];

describe('The log of requests', () => {
  function make(): {
    readonly reports: Required<AppReports>;
    readonly heard: unknown[];
    readonly lines: { readonly values: readonly LogLine[] };
  } {
    const { log, lines } = recordedLog();
    const heard: unknown[] = [];
    const httpMeter = new HttpMeter();
    httpMeter.observe({ onAnswered: () => undefined, onRefused: (limit) => heard.push(limit) });
    const clockLog = { noteSetting: (...times: unknown[]) => heard.push(times) };
    const parts = { log, clock: new ManualClock(), clockLog, httpMeter };
    const reports = appReportsOf(parts as unknown as Services) as Required<AppReports>;
    return { reports, heard, lines };
  }

  it('has the flag of a reached limit, and the limit is counted', () => {
    const { reports, heard, lines } = make();
    reports.reportLimited('maxReadsPerSecond', '192.0.2.7');
    expect(heard).to.deep.equal(['maxReadsPerSecond']);
    expect(lines.values[0]).to.include({
      ...{ level: WARN, client: '192.0.2.7', flag: '--max-reads-per-second' },
      msg: 'request refused: its client sends too many',
    });
  });

  it('distinguishes refusals without a sign-in from those without a permission', () => {
    const { reports, lines } = make();
    const request = { method: 'GET', path: '/api/days', client: '192.0.2.7' };
    for (const status of [401, 403] as const) reports.reportDenied({ ...request, status } as never);
    expect(lines.values.map(({ level, status, path, msg }) => [level, status, path, msg])).to.deep.equal([
      [WARN, 401, '/api/days', 'request refused: not signed in'],
      [WARN, 403, '/api/days', 'request refused: not allowed'],
    ]);
  });

  it('has each error, at most five of one code a minute', () => {
    const { reports, lines } = make();
    const request = { method: 'GET', path: '/api/days' } as never;
    for (let n = 0; n < 7; n++) {
      reports.reportError(new TallybookError('STORE_READ_FAILED', 'no disk'), request);
      reports.reportError(new Error('a mistake'), request);
    }
    reports.reportError(new TallybookError('STORE_CORRUPT', 'damaged'), request);
    const failed = lines.values.filter(({ msg }) => msg === 'request failed');
    expect(failed.map(({ level }) => level)).to.deep.equal(Array(11).fill(ERROR));
    const messages = failed.map(({ err }) => (err as { readonly message: string }).message);
    const countOf = (message: string): number => messages.filter((each) => each === message).length;
    expect([countOf('no disk'), countOf('a mistake'), countOf('damaged')]).to.deep.equal([5, 5, 1]);
    expect(failed[0]).to.include({ method: 'GET', path: '/api/days' });
  });

  it('has removed days, changed names, and a set time', () => {
    const { reports, heard, lines } = make();
    reports.reportDayRemoved(toDay(20_411));
    reports.reportNamesChanged({ added: 1, changed: 2 } as never);
    reports.reportTimeSet(toTimestamp(1), toTimestamp(2));
    expect(lines.values.map(({ level, msg }) => [level, msg])).to.deep.equal([
      [WARN, 'the record of a day was removed'],
      [INFO, 'names were changed'],
    ]);
    expect(lines.values[0]).to.include({ day: 20_411 });
    expect(lines.values[1]).to.include({ added: 1, changed: 2 });
    expect(heard).to.deep.equal([[1, 2]]);
  });
});
