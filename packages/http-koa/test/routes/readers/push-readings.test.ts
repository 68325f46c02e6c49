import { PUSH_MAX_READINGS, type PushResult } from '@tallybook/domain';
import { owner, type Principal, type Role } from '@tallybook/domain/access';
import { expect } from 'chai';
import { operations } from '@tallybook/http-contract';
import { routesOf } from '../../../src/routes/implement.js';
import { pushHandlers } from '../../../src/routes/readers/routes-push.js';
import { claimedService, tokenOf } from '../../fixtures/claimed-service.js';
import { RunningService, useService } from '../../fixtures/running-service.js';

const PATH = '/api/readers/gate/readings';
const ADA = '04A2B3C4D5';
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const TEXT = { 'Content-Type': 'text/plain' };

describe('POST /api/readers/NAME/readings', () => {
  const service = useService();

  const taken: readonly [what: string, body: unknown, readings: unknown[], run?: string, headers?: object][] =
    [
      ['one reading', { id: ADA, n: 3 }, [{ id: ADA, n: 3 }]],
      ['one reading of a run', { id: ADA, n: 3, run: 'a7' }, [{ id: ADA, n: 3 }], 'a7'],
      [
        'several',
        { run: 'b', readings: [{ id: ADA }, { id: '' }, null] },
        [{ id: ADA }, { id: '' }, null],
        'b',
      ],
      ['a run that is counted', { run: 12, readings: [] }, [], '12'],
      ['a bare list', [{ id: ADA }, ADA], [{ id: ADA }, ADA]],
      ['nothing, which says that the device is there', [], []],
      ['a form', `id=04%3AA2&n=7&run=c&ageMs=20`, [{ id: '04:A2', n: '7', ageMs: '20' }], 'c', FORM],
      ['a bare id', ` ${ADA}\r\n`, [ADA], '0', TEXT],
      ['a bare id with a charset', ADA, [ADA], '0', { 'Content-Type': 'text/plain; charset=utf-8' }],
    ];
  for (const [what, body, readings, run = '0', headers] of taken) {
    it(`takes ${what}`, async () => {
      const answer = await service.post(body, { ...headers }, PATH);
      expect(answer.status, answer.text).to.equal(200);
      expect(service.gate.pushed).to.deep.equal([{ run, readings, isByHand: true }]);
      expect(JSON.parse(answer.text)).to.deep.equal({
        acked: readings.length,
        results: readings.map(() => ({ n: null, outcome: 'counted' })),
      });
    });
  }

  const many = JSON.stringify(Array.from({ length: PUSH_MAX_READINGS + 1 }, () => ADA));
  const hugeForm = `id=1&${Array.from({ length: 30_000 }, (_, n) => `f${n}`).join('&')}`;
  const refused: readonly [what: string, body: unknown, detail: RegExp, status?: number, headers?: object][] =
    [
      ['is empty', '', /it is empty/],
      ['is an empty text', ' ', /it is empty/, 400, TEXT],
      ['is not JSON', '{', /not JSON/],
      ['is a number', 7, /must be a reading, .* or a list; got 7/],
      ['has neither an id nor readings', {}, /must have an id, or a list of readings/],
      ['has readings that are no list', { readings: {} }, /readings: must be a list; got \{\}/],
      ['has an empty run', { run: '', readings: [] }, /run: must be text of 1 to 64 characters; got ""/],
      ['has a run that is too long', { run: 'a'.repeat(65), readings: [] }, /run: must be text of 1 to 64/],
      ['has a run that is a list', { run: [], id: ADA }, /run: must be text of 1 to 64/],
      ['has a run that is no text', { run: '\ud800', id: ADA }, /run: must be text of 1 to 64/],
      ['is JSON that is called a form', '{"id":"04A2B3C4D5"}', /for JSON send Content-Type: app/, 400, FORM],
      ['is a form with a field twice', 'id=1&id=2', /id: must be given once/, 400, FORM],
      [
        'is a reading with another field',
        { id: ADA, tim: 1 },
        /no field "tim" here: a reading has id, n, at and ageMs/,
      ],
      [
        'is a list with another field',
        [ADA, { id: ADA, time: 1 }],
        /no field "time" here: a reading has id, n, at and/,
      ],
      [
        'has a run in a reading',
        { readings: [{ id: ADA, run: 'a' }] },
        /no field "run" here: a reading has id, n, at/,
      ],
      [
        'has another field beside readings',
        { readings: [], n: 7 },
        /no field "n" here: a request with readings has run/,
      ],
      ['has a field that every object has', '{"id":"04A2B3C4D5","__proto__":1}', /no field "__proto__" here/],
      [
        'is a form with another field',
        'id=1&age=20',
        /no field "age" here: a form has id, n, at, age.*; nothing/,
        400,
        FORM,
      ],
      ['is a form with a field twice, before others', 'id=1&n=2&n=3&x=1', /n: must be given once/, 400, FORM],
      [
        'is a form of 30,000 fields, by the first that there is not',
        hugeForm,
        /no field "f0" here/,
        400,
        FORM,
      ],
      ['has too many readings', many, /at most 1000 readings; got 1001/, 413],
      ['is too large', `["${'x'.repeat(262_144)}"]`, /at most 262144 bytes/, 413],
      ['is too large a text', 'x'.repeat(262_145), /at most 262144 bytes/, 413, TEXT],
      [
        'is XML',
        '<id/>',
        /json or text\/plain or application\/x-www-form-url/,
        415,
        { 'Content-Type': 'text/xml' },
      ],
      ['is compressed', 'x', /must not be compressed/, 415, { ...TEXT, 'Content-Encoding': 'gzip' }],
    ];
  for (const [what, body, detail, status = 400, headers] of refused) {
    it(`refuses a body that ${what}, with ${status}, and notes a fault of its reader`, async () => {
      const answer = await service.post(body, { ...headers }, PATH);
      expect(answer.status).to.equal(status);
      expect(answer.text).to.match(detail);
      expect(service.gate.pushed).to.deep.equal([]);
      expect(service.gate.unreadable.map(({ code, message }) => [code, message])).to.deep.equal([
        ['FRAME_INVALID', `a request was refused with ${status}; the answer to the device says why`],
      ]);
    });
  }

  it('answers with the outcome of each reading, and the reason of a refusal', async () => {
    const results: readonly PushResult[] = [
      { n: 1, outcome: 'counted' },
      { n: 2, outcome: 'already-counted' },
      { n: 3, outcome: 'provisional' },
      { n: 4, outcome: 'waiting' },
      { n: 5, outcome: 'repeated' },
      {
        n: undefined,
        outcome: 'refused',
        error: { code: 'BLANK_TALLY_ID', message: 'the reader says "no tag"' },
      },
    ];
    service.gate.answer = () => results;
    const { status, text } = await service.post([], {}, PATH);
    expect(status).to.equal(200);
    expect(JSON.parse(text)).to.deep.equal({
      acked: 6,
      results: [
        ...results.slice(0, 5),
        { n: null, outcome: 'refused', code: 'BLANK_TALLY_ID', detail: 'the reader says "no tag"' },
      ],
    });
  });

  it('answers 503 when readings were not kept, and names them', async () => {
    service.gate.answer = () => [
      { n: 1, outcome: 'waiting' },
      { n: 2, outcome: 'not-kept' },
    ];
    const { status, text, headers } = await service.post([ADA, ADA], { Accept: 'application/json' }, PATH);
    expect(status).to.equal(503);
    expect(headers.get('retry-after')).to.equal('5');
    expect(JSON.parse(text)).to.deep.include({
      acked: 1,
      results: [
        { n: 1, outcome: 'waiting' },
        { n: 2, outcome: 'not-kept' },
      ],
      detail: '1 of 2 readings could not be kept; send all of them again',
    });
    expect((await service.post([ADA, ADA], {}, PATH)).text).to.equal(
      '1 of 2 readings could not be kept; send all of them again',
    );
  });

  it('answers 429 when too many requests of the reader wait', async () => {
    service.gate.answer = () => undefined;
    const { status, headers } = await service.post([ADA], {}, PATH);
    expect([status, headers.get('retry-after')]).to.deep.equal([429, '1']);
  });

  it('answers 404 for a missing reader, and lists the existing ones', async () => {
    const { status, text } = await service.post([ADA], {}, '/api/readers/door/readings');
    expect([status, text]).to.deep.equal([404, 'there is no http reader "door"; there are gate']);
  });

  it('treats the placeholder of its own description like every other name', async () => {
    const { status, text } = await service.post([ADA], {}, '/api/readers/:name/readings');
    expect([status, text]).to.deep.equal([404, 'there is no http reader ":name"; there are gate']);
  });

  for (const name of ['%', '%00', '%2F', '..%2f', '%ff', 'a%20b']) {
    it(`answers 404 for the name ${name}`, async () => {
      expect((await service.post([ADA], {}, `/api/readers/${name}/readings`)).status).to.equal(404);
    });
  }

  it('refuses text and forms that pages of other sites send, which browsers do not ask about', async () => {
    for (const headers of [TEXT, FORM]) {
      for (const Origin of ['http://example.com', 'null', `http://127.0.0.1:1`]) {
        const { status } = await service.post(`id=${ADA}`, { ...headers, Origin }, PATH);
        expect(status, Origin).to.equal(403);
      }
      const Origin = `http://127.0.0.1:${service.port}`;
      expect((await service.post(`id=${ADA}`, { ...headers, Origin }, PATH)).status).to.equal(200);
    }
    expect(service.gate.pushed).to.have.length(2);
  });

  it('accepts only POST', async () => {
    const { status, headers } = await service.request(PATH);
    expect([status, headers.get('allow')]).to.deep.equal([405, 'POST']);
  });
});

describe('the permission to push readings', () => {
  /** The message of the refusal of a request with no readings; `undefined` if it is accepted. */
  async function refusal(principal: Principal, name: string): Promise<string | undefined> {
    await using service = await RunningService.start({ principal });
    const { status, text } = await service.post([], {}, `/api/readers/${name}/readings`);
    return status === 200 ? undefined : text;
  }

  it('is for one reader only, for a device whose token has the name of a reader', async () => {
    const device = { role: 'device', name: 'token gate' } as const;
    expect(await refusal(device, 'gate')).to.equal(undefined);
    expect(await refusal(device, 'door')).to.equal('this token is for the reader "gate"');
    expect(await refusal(device, 'none')).to.equal('this token is for the reader "gate"');
  });

  it('is for all readers, for a device whose token has no name of a reader', async () => {
    expect(await refusal({ role: 'device', name: 'token ESP' }, 'gate')).to.equal(undefined);
  });

  it('is for all readers, for every other user with the permission', async () => {
    expect(await refusal({ role: 'admin', name: 'token gate' }, 'door')).to.match(/^there is no http reader/);
    expect(await refusal({ role: 'kiosk', name: 'gate' }, 'door')).to.match(/^there is no http reader/);
    expect(await refusal({ role: 'kiosk', name: 'token door' }, 'gate')).to.equal(undefined);
  });

  it('includes the list of readers only with the permission to see them', async () => {
    expect(await refusal({ role: 'device', name: 'token ESP' }, 'none')).to.equal(
      'there is no http reader "none"',
    );
    expect(await refusal({ role: 'desk', name: 'eva' }, 'none')).to.contain('there are gate');
  });

  it('comes with advice to set up a reader, if there is none', async () => {
    const [route] = routesOf(operations, pushHandlers([]), undefined as never);
    const ctx = {
      params: { name: 'x' },
      state: { principal: owner },
      throw: (_status: number, message: string): never => {
        throw new Error(message);
      },
    };
    const told = await Promise.resolve(route?.handle(ctx as never)).catch((error: unknown) => String(error));
    expect(told).to.contain('set one with --reader http:NAME');
  });
});

describe('the numbers of pushed readings', () => {
  /** Pushes the same run with each of these tokens, and returns the runs under which the readings arrive. */
  async function runsOf(...tokens: readonly (readonly [label: string, role: Role])[]): Promise<string[]> {
    await using service = await claimedService();
    for (const [label, role] of tokens) {
      const headers = await tokenOf(service, role, label);
      const { status, text } = await service.post({ id: ADA, n: 7, run: 'a7' }, headers, PATH);
      expect(status, text).to.equal(200);
    }
    return service.gate.pushed.map(({ run }) => run);
  }

  it('are those of the device, if its token has the name of the reader', async () => {
    expect(await runsOf(['gate', 'device'], ['gate', 'device'])).to.deep.equal(['a7', 'a7']);
  });

  it('are separate for each sender otherwise, so that nobody can make scans of a device count as known', async () => {
    const runs = await runsOf(['gate', 'device'], ['ESP', 'device'], ['wall', 'kiosk']);
    expect(new Set(runs)).to.have.lengthOf(3);
    expect(runs[1]).to.match(/^[0-9a-f]{64}$/);
  });

  it('are by hand unless a device sends them', async () => {
    await using service = await claimedService();
    for (const role of ['device', 'kiosk', 'desk'] as const) {
      await service.post({ id: ADA }, await tokenOf(service, role), PATH);
    }
    expect(service.gate.pushed.map(({ isByHand }) => isByHand)).to.deep.equal([false, true, true]);
  });

  it('continue with a new token of the same label', async () => {
    const [first, second] = await runsOf(['ESP', 'device'], ['ESP', 'device']);
    expect(first).to.equal(second);
  });

  it('are distinguished by sender and run, for all names', async () => {
    await using service = await claimedService();
    for (const [label, run] of [
      ['a', 'b c'],
      ['a b', 'c'],
    ] as const) {
      await service.post({ id: ADA, run }, await tokenOf(service, 'device', label), PATH);
    }
    const [first, second] = service.gate.pushed.map(({ run }) => run);
    expect(first).not.to.equal(second);
  });
});
