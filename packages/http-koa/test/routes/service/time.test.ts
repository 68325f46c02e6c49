import { parseTallyId, toDay, toTimestamp } from '@tallybook/domain';
import { expect } from 'chai';
import { NOW, RunningService, type ServiceOptions, useService } from '../../fixtures/running-service.js';
import type { Answer } from '../../fixtures/documented.js';
import { expectSchema } from '../../fixtures/documented.js';

const BUILT = 1_700_000_000;
/** 50 years later. */
const LATEST = BUILT + 1_577_880_000;
const JSON_FIRST = { Accept: 'application/json' };

/** A service with an untrusted clock. */
async function startLost(options: ServiceOptions = {}): Promise<RunningService> {
  const service = await RunningService.start({ builtAt: BUILT, ...options });
  service.clock.setSynchronised(undefined);
  return service;
}

const read = (service: RunningService): Promise<unknown> => service.json('/api/time', JSON_FIRST);

function set(service: RunningService, time: unknown): Promise<Answer> {
  return service.post({ time, confirm: true }, {}, '/api/time');
}

describe('GET /api/time', () => {
  it('is the seconds since 1970 in digits, and nothing else', async () => {
    await using service = await RunningService.start();
    expect((await service.request('/api/time')).text).to.equal('1763700000');
    service.clock.advance(1_500);
    expect((await service.request('/api/time')).text).to.equal('1763700001');
  });

  for (const accept of ['*/*', 'text/plain, application/json', 'text/html,*/*;q=0.8', 'image/png']) {
    it(`is digits for Accept: ${accept}`, async () => {
      await using service = await RunningService.start();
      const { headers } = await service.request('/api/time', { headers: { Accept: accept } });
      expect(headers.get('content-type')).to.equal('text/plain; charset=utf-8');
    });
  }

  it('has the present day, by the zone and the day start of the service', async () => {
    // 04:40 on the 21st in UTC.
    await using service = await RunningService.start({
      calendar: { zone: 'America/New_York', dayStart: '06:00' },
    });
    expect(await read(service)).to.include({ day: 20_412, zone: 'America/New_York' });
  });

  it('has the basis of a trusted clock in JSON', async () => {
    await using service = await RunningService.start();
    const { headers, text } = await service.request('/api/time', { headers: JSON_FIRST });
    expect(text).to.equal(
      '{"time":1763700000,"day":20413,"zone":"UTC","dayStart":"00:00","isTrusted":true,"basis":"synchronised","latestScan":null}',
    );
    expect(headers.get('vary')).to.equal('Accept');
    await service.tap('04A2B3C4D5');
    service.clock.advance(60_000);
    expect(await read(service)).to.include({ time: NOW + 60, latestScan: NOW });
  });

  it('has the doubt about an untrusted clock in JSON', async () => {
    await using service = await startLost();
    expect(await read(service)).to.include({ isTrusted: true, basis: 'assumed' });
    service.clock.setSynchronised(false);
    expect(await read(service)).to.include({ isTrusted: false, doubt: 'not-synchronised' });
    service.clock.setSynchronised(undefined);
    await service.tap('04A2B3C4D5');
    service.clock.set(NOW - 1);
    expect(await read(service)).to.include({ isTrusted: false, doubt: 'before-last-scan' });
    service.clock.set(5);
    expect(await read(service)).to.deep.equal({
      time: 5,
      day: 0,
      zone: 'UTC',
      dayStart: '00:00',
      isTrusted: false,
      doubt: 'before-build',
      latestScan: NOW,
    });
  });
});

describe('POST /api/time', () => {
  const service = useService(startLost);

  it('sets the time of the service, which continues from there, and answers 200 with an empty body', async () => {
    service.clock.set(5);
    const { status, headers, text } = await set(service, NOW);
    expect([status, text, headers.get('content-length')]).to.deep.equal([200, '', '0']);
    service.clock.advance(10_000);
    expect(await read(service)).to.include({ time: NOW + 10, isTrusted: true, basis: 'set' });
    expect(service.clock.now()).to.equal(15);
  });

  it('files earlier taps on the right day', async () => {
    service.clock.set(5);
    await service.tap('04A2B3C4D5');
    service.clock.advance(30_000);
    await set(service, NOW);
    service.clock.advance(1_000);
    await service.attendance.close();
    const { text } = await service.request(`/api/day?timestamp=${NOW}&expand=entries`);
    const entry = { id: '04A2B3C4D5', first: NOW - 30, last: NOW - 30, count: 1 };
    expect((JSON.parse(text) as { entries: unknown }).entries).to.deep.equal([entry]);
  });

  const accepted: [what: string, time: unknown, seconds: number][] = [
    ['seconds', NOW, NOW],
    ['seconds as text', String(NOW), NOW],
    ['milliseconds', NOW * 1000 + 999, NOW],
    ['milliseconds as text', `${NOW}999`, NOW],
    ['the latest time in seconds', LATEST, LATEST],
    ['the smallest number of milliseconds that are not too early', BUILT * 1000, BUILT],
    ['the latest time in milliseconds', LATEST * 1000 + 999, LATEST],
  ];
  for (const [what, time, seconds] of accepted) {
    it(`takes ${what}`, async () => {
      if (Number(time) <= 100_000_000_000_000) expectSchema('NewTime', { time });
      expect((await set(service, time)).status).to.equal(200);
      expect((await service.request('/api/time')).text).to.equal(String(seconds));
    });
  }

  const refused: [what: string, time: unknown, detail: RegExp][] = [
    [
      'no time',
      undefined,
      /^time: whole seconds since 1970, 0 to 10{11}, or milliseconds, up to 10{14}; got nothing$/,
    ],
    ['null', null, /^time: whole seconds .*; got null$/],
    ['an object', {}, /^time: whole seconds .*; got (?:an object|\{\})$/],
    ['more than any number of milliseconds', 1e18, /^time: whole seconds .*; got 1000000000000000000$/],
    ['a date', '2025-11-21', /^time: .*; got "2025-11-21"$/],
    ['a fraction', 1_763_700_000.5, /^time: .*; got 1763700000.5$/],
    ['less than 0', -1, /^time: .*; got -1$/],
    [
      'milliseconds before the program was built, which 10^11 + 1 are',
      100_000_000_001,
      /^time: the time is from 1700000000,.*got 100000000; since 100000000001 is above 100000000000, it counts as milliseconds$/,
    ],
    ['a year with five digits', LATEST + 1, /^time: .* to 3277880000; got 3277880001$/],
    ['seconds before the program was built', BUILT - 1, /^time: the time is from/],
    ['microseconds', NOW * 1_000_000, /^time: whole seconds .*; got 1763700000000000$/],
    [
      'more than any clock shows',
      '18446744073709551615',
      /^time: whole seconds since 1970.*; got "18446744073709551615"$/,
    ],
  ];
  for (const [what, time, detail] of refused) {
    it(`answers 400, says what is allowed and sets nothing: ${what}`, async () => {
      service.clock.set(5);
      const { status, text } = await service.post({ time }, {}, '/api/time');
      expect(status).to.equal(400);
      expect(text).to.match(detail);
      expect(await read(service)).to.include({ time: 5, isTrusted: false });
      expect(service.reports).to.deep.equal([]);
    });
  }

  it('takes a number alone, in seconds or milliseconds', async () => {
    for (const time of [NOW, NOW * 1000 + 999]) {
      await using service = await startLost({ builtAt: NOW - 3600 });
      expectSchema('NewTime', time);
      expect((await service.post(String(time), {}, '/api/time')).status).to.equal(200);
      expect((await service.request('/api/time')).text).to.equal(String(NOW));
    }
    await using service = await startLost({ builtAt: NOW - 3600 });
    const { status, text } = await service.post('-1', {}, '/api/time');
    expect([status, text]).to.deep.equal([
      400,
      'time: whole seconds since 1970, 0 to 100000000000, or milliseconds, up to 100000000000000; got -1',
    ]);
    expect((await service.post('0', {}, '/api/time')).text).to.match(/^time: the time is from .*; got 0$/);
  });

  it('answers 409 with the allowed range to a time far after the known time, and sets it with a confirmation', async () => {
    await using service = await startLost({ builtAt: NOW - 3600 });
    service.clock.set(5);
    const far = NOW + 49 * 31_557_600;
    const bound = NOW - 3600 + 86_400;
    for (const body of [far, { time: far }, { time: far, confirm: false }, { time: bound + 1 }]) {
      const { status, text } = await service.post(JSON.stringify(body), {}, '/api/time');
      expect(status).to.equal(409);
      expect(text).to.match(
        new RegExp(
          `^time: \\d+ is more than a day after .* \\(limit ${bound}\\); if it is right, send it again with "confirm":true$`,
        ),
      );
      expect(await read(service)).to.include({ time: 5, isTrusted: false });
    }
    const { text } = await service.post({ time: far }, JSON_FIRST, '/api/time');
    expect(JSON.parse(text)).to.include({ status: 409, code: 'TIME_NOT_CONFIRMED' });
    expect((await service.post({ time: bound }, {}, '/api/time')).status).to.equal(200);
    const confirmed = { time: far * 1000, confirm: true };
    expectSchema('NewTime', confirmed);
    expect((await service.post(confirmed, {}, '/api/time')).status).to.equal(200);
    expect(await read(service)).to.include({ time: far, isTrusted: true });
    expect(service.reports).to.deep.equal([]);
  });

  it('accepts only true and false for confirm', async () => {
    for (const confirm of ['true', 1, null, {}]) {
      const { status, text } = await service.post({ time: NOW, confirm }, {}, '/api/time');
      expect(status).to.equal(400);
      expect(text).to.match(/^confirm: true or false/);
    }
    expect(await read(service)).to.include({ time: NOW, basis: 'assumed' });
  });

  it('shows a scan that is not credible', async () => {
    const far = NOW + 49 * 31_557_600;
    await using service = await startLost({ builtAt: NOW - 3600 });
    await service.attendance.close();
    await service.days.record(toDay(Math.floor(far / 86_400)), parseTallyId('04A2B3C4D5'), toTimestamp(far));
    // As a tap notes it.
    await service.journal.advance('clock', Math.floor(far / 60));
    await service.attendance.open();
    const time = {
      time: NOW,
      day: 20_413,
      zone: 'UTC',
      dayStart: '00:00',
      latestScan: null,
      suspectScan: far,
    };
    expect(await read(service)).to.deep.equal({ ...time, isTrusted: true, basis: 'assumed' });
    expect((await service.request(`/api/day?timestamp=${far}`, { method: 'DELETE' })).status).to.equal(204);
    expect(await read(service)).to.not.have.property('suspectScan');
  });

  it('answers 409 when the system follows a time server, and sets nothing', async () => {
    await using service = await RunningService.start();
    const { status, text } = await set(service, NOW + 1000);
    expect(status).to.equal(409);
    expect(text).to.match(/^time: the time was not set: the system clock/);
    const { text: problem } = await service.post({ time: NOW + 1000 }, JSON_FIRST, '/api/time');
    expect(JSON.parse(problem)).to.include({ status: 409, code: 'CLOCK_SYNCHRONISED' });
    expect((await service.request('/api/time')).text).to.equal(String(NOW));
    expect(service.reports).to.deep.equal([]);
  });

  it('accepts only JSON, so that no foreign page can set the time, and only a little of it', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const { status } = await service.post(`{"time":${NOW + 1000}}`, { 'Content-Type': type }, '/api/time');
      expect(status, type).to.equal(415);
    }
    const long = `{"time":${NOW + 1000},"x":"${'x'.repeat(16_384)}"}`;
    expect((await service.post(long, {}, '/api/time')).status).to.equal(413);
    for (const body of ['', '[1763700000]', 'null', 'true', '{', '{"time":1e999}']) {
      expect((await service.post(body, {}, '/api/time')).status, body).to.equal(400);
    }
    expect((await service.request('/api/time')).text).to.equal(String(NOW));
  });
});
