import { expect } from 'chai';
import type { Answer } from '../../fixtures/documented.js';
import { NOW, TODAY, RunningService, useService } from '../../fixtures/running-service.js';
import { StreamClient } from '../../fixtures/stream-client.js';
import { ada, bob } from '../../../../testing/test/fixtures/known-values.js';

const RANGE = `from=${NOW}&to=${NOW}`;

const forgotten = { action: 'add', day: TODAY, id: ada, at: NOW - 60, reason: 'Forgot to tap' };
const made = {
  ...{ ...forgotten, number: 1, author: 'anyone', madeAt: NOW, state: 'approved' },
  ...{ decidedBy: null, decidedAt: null, decisionReason: null },
};

function correct(service: RunningService, body: unknown): Promise<Answer> {
  return service.post(body, {}, '/api/corrections');
}

function decide(service: RunningService, body: unknown): Promise<Answer> {
  return service.post(body, {}, '/api/corrections/decision');
}

describe('POST /api/corrections', () => {
  const service = useService();

  it('adds a forgotten scan, and answers with the correction', async () => {
    const { status, text } = await correct(service, forgotten);
    expect(status).to.equal(201);
    expect(JSON.parse(text)).to.deep.equal([made]);
    expect(await service.json(`/api/day?day=${TODAY}`)).to.deep.equal({ date: TODAY, ids: [ada] });
    expect(await service.json(`/api/corrections?${RANGE}`)).to.deep.equal([made]);
    expect(await service.json(`/api/days?${RANGE}`)).to.deep.equal([TODAY]);
  });

  it('makes all of several corrections or none', async () => {
    const refused = { corrections: [forgotten, { ...forgotten, id: bob, action: 'void' }] };
    const { status, text } = await correct(service, refused);
    expect(status).to.equal(404);
    expect(text).to.match(/^corrections\[1\]: tag 0006547886 has no scan/);
    expect(await service.json(`/api/corrections?${RANGE}`)).to.deep.equal([]);
    await correct(service, { corrections: [forgotten, { ...forgotten, id: bob }] });
    expect(await service.json(`/api/corrections?${RANGE}`)).to.have.length(2);
  });

  it('accepts an id in every spelling', async () => {
    const { text } = await correct(service, { ...forgotten, id: '04:a2:b3:c4:d5' });
    expect((JSON.parse(text) as { id: string }[])[0]?.id).to.equal(ada);
  });

  const refused: Readonly<Record<string, readonly [body: unknown, status: number, text: RegExp]>> = {
    'no object': [[forgotten], 400, /^the body must be a JSON object/],
    'no list': [{ corrections: forgotten }, 400, /^corrections: must be a list of 1 to 100/],
    'an empty list': [{ corrections: [] }, 400, /1 to 100 corrections can be made at once; got 0/],
    'too many': [{ corrections: Array(101).fill(forgotten) }, 400, /1 to 100 .*; got 101/],
    'a list of something else': [{ corrections: [7] }, 400, /^corrections\[0\]: must be a JSON object/],
    'another action': [{ ...forgotten, action: 'edit' }, 400, /^action: an action is "add" or "void"/],
    'no day': [{ ...forgotten, day: undefined }, 400, /^day: a day is .*got nothing/],
    'a day as text': [{ ...forgotten, day: '20413' }, 400, /^day: /],
    'no id': [{ ...forgotten, id: 7 }, 400, /^id: a tally id is/],
    'a blank id': [{ ...forgotten, id: '00000000' }, 400, /means "no tag"/],
    'an unknown format': [{ ...forgotten, format: 'dez10' }, 400, /^format: must be one of hex, /],
    'no second': [{ ...forgotten, at: 1.5 }, 400, /^at: a timestamp is/],
    'a short reason': [{ ...forgotten, reason: 'no' }, 400, /^reason: a reason has 3 to 500 characters/],
    'a reason in two lines': [{ ...forgotten, reason: 'one\ntwo' }, 400, /^reason: a reason is one line/],
    'another day': [{ ...forgotten, day: TODAY - 1 }, 400, /lies on day 20413, not on day 20412/],
    'the future': [{ ...forgotten, at: NOW + 1 }, 400, /lies in the future/],
    'long ago': [{ ...forgotten, day: 0, at: 0 }, 400, /up to 400 days back/],
    'no such scan': [{ ...forgotten, action: 'void' }, 404, /has no scan at/],
  };
  for (const [what, [body, status, text]] of Object.entries(refused)) {
    it(`refuses ${what} with ${status}, and says why`, async () => {
      const answer = await correct(service, body);
      expect(answer.text).to.match(text);
      expect(answer.status).to.equal(status);
      expect(service.reports).to.deep.equal([]);
    });
  }

  it('refuses a correction without effect with 409', async () => {
    await correct(service, forgotten);
    const { status, text } = await correct(service, forgotten);
    expect([status, text]).to.deep.equal([
      409,
      `the scan of tag ${ada} at ${NOW - 60} on day ${TODAY} counts already`,
    ]);
  });

  it('shows the author of a correction', async () => {
    await using service = await RunningService.start({ principal: { role: 'admin', name: 'Frau Müller' } });
    const { text } = await correct(service, forgotten);
    expect((JSON.parse(text) as { author: string }[])[0]?.author).to.equal('Frau Müller');
  });
});

describe('A corrected day', () => {
  const service = useService();

  it('shows void scans and their reasons with expand=entries, and nowhere else', async () => {
    await service.tap(ada);
    await service.tap(bob);
    await correct(service, { ...forgotten, action: 'void', at: NOW, reason: 'The tag was lent' });
    expect(await service.json(`/api/day?day=${TODAY}&expand=entries`)).to.deep.equal({
      date: TODAY,
      ids: [bob],
      entries: [
        { id: bob, first: NOW, last: NOW, count: 1 },
        {
          ...{ id: ada, first: NOW, last: NOW, count: 1, isVoided: true },
          corrections: [{ ...made, action: 'void', at: NOW, reason: 'The tag was lent' }],
        },
      ],
    });
    expect(await service.json(`/api/day?day=${TODAY}`)).to.deep.equal({ date: TODAY, ids: [bob] });
    expect(await service.json(`/api/unnamed`)).to.have.length(1);
    const { text } = await service.request(`/api/csv?${RANGE}&profile=data&shape=entries`);
    expect(text.trim().split('\r\n')).to.have.length(2);
    expect(await service.json(`/api/table?${RANGE}`))
      .to.have.property('people')
      .with.length(1);
  });

  it('says in a file of entries which ones were corrected', async () => {
    await service.tap(ada);
    await correct(service, { ...forgotten, id: bob });
    const { text } = await service.request(`/api/csv?${RANGE}&profile=data&shape=entries`);
    expect(text.match(/,"yes"\r\n/g)).to.have.length(1);
    expect((await service.request(`/api/xlsx?${RANGE}&shape=entries`)).status).to.equal(200);
  });

  it('has another entity tag after each correction, on all its routes', async () => {
    await service.tap(ada);
    const targets = [
      `/api/day?day=${TODAY}`,
      `/api/day?day=${TODAY}&expand=entries`,
      `/api/days?${RANGE}`,
      `/api/table?${RANGE}`,
      `/api/corrections?${RANGE}`,
    ];
    const tags = (): Promise<(string | null)[]> =>
      Promise.all(targets.map(async (target) => (await service.request(target)).headers.get('etag')));
    const before = await tags();
    expect(await tags()).to.deep.equal(before);
    await correct(service, forgotten);
    const after = await tags();
    for (const [index, tag] of after.entries()) expect(tag, targets[index]).to.not.equal(before[index]);
    for (const [index, target] of targets.entries()) {
      const headers = { 'If-None-Match': after[index] ?? '' };
      expect((await service.request(target, { headers })).status).to.equal(304);
    }
  });

  it('is announced to event streams, as a day to read again', async () => {
    const client = await StreamClient.connect(service);
    await correct(service, { corrections: [forgotten, { ...forgotten, id: bob }] });
    const [event] = await client.receive(1);
    expect([event?.['event'], event?.['data']]).to.deep.equal([
      'day',
      JSON.stringify({ day: TODAY, change: 'corrected' }),
    ]);
  });

  it('is removed with its corrections', async () => {
    await service.tap(ada);
    await correct(service, forgotten);
    const removed = await service.request(`/api/day?day=${TODAY}`, { method: 'DELETE' });
    expect(removed.status).to.equal(204);
    expect((await service.request(`/api/day?day=${TODAY}`)).status).to.equal(404);
    expect(await service.json(`/api/corrections?${RANGE}`)).to.deep.equal([]);
    expect(service.removedDays).to.deep.equal([TODAY]);
  });

  it('can be removed if it has only corrections', async () => {
    await correct(service, forgotten);
    const target = `/api/day?day=${TODAY}`;
    expect((await service.request(target, { method: 'DELETE' })).status).to.equal(204);
    expect((await service.request(target, { method: 'DELETE' })).status).to.equal(404);
  });
});

describe('GET /api/scans', () => {
  it('gives recorded, added and void scans', async () => {
    await using service = await RunningService.start();
    await service.tap(ada);
    await correct(service, { ...forgotten, action: 'void', at: NOW });
    await correct(service, forgotten);
    const scans = { at: [NOW], added: [NOW - 60], voided: [NOW] };
    expect(await service.json(`/api/scans?day=${TODAY}&id=${ada}`)).to.deep.equal(scans);
    expect(await service.json(`/api/scans?timestamp=${NOW}&id=${ada}`)).to.deep.equal(scans);
    expect(await service.json(`/api/scans?day=1&id=${ada}`)).to.deep.equal({
      at: [],
      added: [],
      voided: [],
    });
  });

  it('needs a day', async () => {
    await using service = await RunningService.start();
    expect((await service.request(`/api/scans?id=${ada}`)).status).to.equal(404);
  });
});

describe('POST /api/corrections/decision', () => {
  const asBoss = { 'X-Test-Name': 'boss' };
  const startStrict = (who: { name: string; user?: string } = { name: 'desk' }): Promise<RunningService> =>
    RunningService.start({ principal: { role: 'admin', ...who }, needsApproval: true });

  it('approves a correction of another user, which was shown as pending before', async () => {
    await using service = await startStrict();
    await service.tap(bob);
    await correct(service, forgotten);
    const day = await service.json(`/api/day?day=${TODAY}&expand=entries`);
    const pending = { ...made, author: 'desk', state: 'pending' };
    expect(day).to.deep.include({ ids: [bob] });
    expect(day).to.have.nested.property('entries.1.corrections[0]').deep.equal(pending);
    const answer = await service.post(
      { number: 1, approve: true, reason: 'I saw her' },
      asBoss,
      '/api/corrections/decision',
    );
    expect(answer.status).to.equal(200);
    expect(JSON.parse(answer.text)).to.deep.equal({
      ...pending,
      ...{ state: 'approved', decidedBy: 'boss', decidedAt: NOW, decisionReason: 'I saw her' },
    });
    expect(await service.json(`/api/day?day=${TODAY}`)).to.deep.include({ ids: [ada, bob] });
  });

  it('is not for the author', async () => {
    await using service = await startStrict();
    await correct(service, forgotten);
    const { status, text } = await decide(service, { number: 1, approve: true });
    expect([status, text]).to.deep.equal([403, 'correction 1 is your own: somebody else has to decide']);
  });

  it('is not for a token of the author, nor for the author if a token of theirs has made the correction', async () => {
    await using service = await startStrict({ name: 'token script', user: 'eve' });
    const asEve = { 'X-Test-Name': 'eve' };
    const { text } = await correct(service, forgotten);
    expect((JSON.parse(text) as object[])[0]).to.include({ author: 'eve' });
    await service.post({ ...forgotten, id: bob }, asEve, '/api/corrections');
    for (const number of [1, 2]) {
      const body = { number, approve: true };
      for (const headers of [{}, asEve]) {
        expect((await service.post(body, headers, '/api/corrections/decision')).status).to.equal(403);
      }
      expect((await service.post(body, asBoss, '/api/corrections/decision')).status).to.equal(200);
    }
  });

  it('is made once, and only for existing corrections', async () => {
    await using service = await startStrict();
    expect((await decide(service, { number: 1, approve: true })).status).to.equal(404);
    await correct(service, forgotten);
    const body = { number: 1, approve: false };
    expect((await service.post(body, asBoss, '/api/corrections/decision')).status).to.equal(200);
    expect((await service.post(body, asBoss, '/api/corrections/decision')).status).to.equal(409);
  });
});
