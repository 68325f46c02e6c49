import type { IdFormatOptions } from '@tallybook/domain';
import { expect } from 'chai';
import type { Answer } from '../../fixtures/documented.js';
import { RunningService } from '../../fixtures/running-service.js';

const anna = { first: 'Anna', last: 'Beispiel' };
const json = { Accept: 'application/json' };
const dec10: readonly IdFormatOptions[] = [{ spelling: 'dec10' }];
const dec: readonly IdFormatOptions[] = [{ spelling: 'dec' }];
/** The number of a card, and its id. */
const [NUMBER, ID] = ['0563537489', '2196E651'];
const DAY = 20_413;
const AT = 1_763_700_000;

type Send = (id: string, format?: string) => Promise<Answer>;

/** Each request that takes an id. */
function entrances(service: RunningService): Readonly<Record<string, Send>> {
  const query = (format?: string): string => (format === undefined ? '' : `&format=${format}`);
  const get =
    (path: string, method = 'GET'): Send =>
    (id, format) =>
      service.request(`${path}id=${id}${query(format)}`, { method, headers: json });
  const post =
    (path: string, body: (id: string) => object): Send =>
    (id, format) =>
      service.post({ ...body(id), ...(format !== undefined && { format }) }, json, path);
  const addition = { action: 'add', day: DAY, at: AT - 600, reason: 'forgot to tap' };
  return {
    'POST /api/mapping': post('/api/mapping', (id) => ({ id, name: anna })),
    'GET /api/mapping': get('/api/mapping?'),
    'POST /api/corrections': post('/api/corrections', (id) => ({ ...addition, id })),
    'POST /api/corrections with a list': (id, format) =>
      service.post({ corrections: [{ ...addition, at: AT - 700, id, format }] }, json, '/api/corrections'),
    'GET /api/scans': get(`/api/scans?day=${DAY}&`),
    'POST /api/people': (id, format) =>
      service.post(
        `id;first;last\n${id};Anna;Beispiel\n`,
        { ...json, 'Content-Type': 'text/csv' },
        `/api/people?${query(format)}`,
      ),
    'GET /api/person/data': get('/api/person/data?'),
    'DELETE /api/mapping': get('/api/mapping?', 'DELETE'),
    'POST /api/erasures': post('/api/erasures', (id) => ({ ids: [id] })),
  };
}

describe('An id in a request', () => {
  for (const [how, format, formats] of [
    ['by the readers of the service', undefined, dec10],
    ['by the format beside it', 'dec10', []],
  ] as const) {
    it(`is read ${how}, at each entrance`, async () => {
      await using service = await RunningService.start({ idFormats: formats });
      await service.tap(ID);
      await service.post({ id: ID, name: anna });
      for (const [entrance, send] of Object.entries(entrances(service))) {
        const answer = await send(NUMBER, format);
        expect([answer.status, answer.text], entrance).to.satisfy(
          ([status, text]: [number, string]) => status < 300 && !text.includes(NUMBER),
        );
        if (entrance === 'GET /api/mapping') expect(JSON.parse(answer.text)).to.deep.equal(anna);
      }
      expect((await service.request('/api/mapping')).text).to.equal('{}');
      expect((await service.request(`/api/day?day=${DAY}`)).status, 'the erased scan').to.equal(404);
    });
  }

  it('is refused with both readings, and nothing is done, at each entrance', async () => {
    await using service = await RunningService.start({ idFormats: dec });
    for (const [entrance, send] of Object.entries(entrances(service))) {
      const { status, text } = await send('12345678');
      expect(text, entrance).to.include('00BC614E (format=dec) or 12345678 (format=hex)');
      const isList = entrance === 'POST /api/people';
      expect(status, entrance).to.equal(isList ? 422 : 400);
      const problem = JSON.parse(text) as { code: string; refused?: readonly object[] };
      expect(problem.code).to.equal(isList ? 'INVALID_NAME_LIST' : 'AMBIGUOUS_TALLY_ID');
      if (!isList) continue;
      expect(problem.refused?.[0]).to.deep.include({
        code: 'AMBIGUOUS_TALLY_ID',
        readings: [
          { id: '00BC614E', format: 'dec' },
          { id: '12345678', format: 'hex' },
        ],
      });
    }
    expect((await service.request('/api/mapping')).text).to.equal('{}');
    expect(service.reports).to.deep.equal([]);
  });

  it('is refused before a wrong field after it', async () => {
    await using service = await RunningService.start({ idFormats: dec });
    const { text } = await service.post({ id: '12345678', name: 5 });
    expect(text).to.match(/^id: the id can be read in several ways/);
  });

  it('is searched in turn with other costly reads, and only if it has two readings', async () => {
    await using service = await RunningService.start({ idFormats: dec, answerWaitMs: 50 });
    const asked = service.days.reads;
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const list = service.days.list.bind(service.days);
    service.days.list = async (from, to) => {
      service.days.reads++;
      await released;
      return list(from, to);
    };
    const days = service.request(`/api/days?from=${AT}&to=${AT}`);
    while (service.days.reads === asked) await new Promise(setImmediate);
    const statusOf = async (id: string) => (await service.request(`/api/mapping?id=${id}`)).status;
    expect([await statusOf('12345678'), await statusOf('00BC614E')]).to.deep.equal([503, 404]);
    release();
    expect((await days).status).to.equal(200);
  });

  it('can be sent back as it was answered', async () => {
    await using service = await RunningService.start({ idFormats: dec10 });
    const old = '0006547886';
    await service.post({ id: old, name: anna, format: 'hex' });
    await service.post({ id: '12345678', name: anna });
    const mapping = await service.json<object>('/api/mapping');
    expect(Object.keys(mapping)).to.have.members([old, '12345678']);
    for (const id of Object.keys(mapping))
      expect((await service.request(`/api/mapping?id=${id}`, { method: 'DELETE' })).status).to.equal(204);
  });

  it('is hex in an application that knows no readers, unless it has a format', async () => {
    await using service = await RunningService.start({ isBare: true });
    await service.post({ id: NUMBER, name: anna });
    await service.post({ id: 'M-004711', name: anna, format: 'text' });
    expect(await service.json('/api/mapping')).to.have.all.keys([NUMBER, '9263E6C9228C4B4E188C']);
  });
});

describe('GET /api/id', () => {
  const look = (service: RunningService, query: string): Promise<unknown> => service.json(`/api/id?${query}`);

  it('shows the tag that a text means, its name, and when and where it was read last', async () => {
    await using service = await RunningService.start({ idFormats: dec10 });
    await service.tap(ID);
    const lastSeen = { at: AT, day: DAY, reader: 'door' };
    const reading = { id: ID, format: 'dec10', name: null, person: null, isLost: false, lastSeen };
    expect(await look(service, `text=${NUMBER}`)).to.deep.equal({ readings: [reading], formats: ['dec10'] });
    await service.post({ id: NUMBER, name: anna });
    expect(await look(service, 'text=21+96+e6+51')).to.deep.equal({
      readings: [{ ...reading, format: 'hex', name: anna, person: `tag-${ID}` }],
      formats: ['dec10'],
    });
  });

  it('shows all readings of which a person must choose', async () => {
    await using service = await RunningService.start({ idFormats: dec });
    const unknown = { name: null, person: null, isLost: false, lastSeen: null };
    expect(await look(service, 'text=12345678')).to.deep.equal({
      readings: [
        { id: '00BC614E', format: 'dec', ...unknown },
        { id: '12345678', format: 'hex', ...unknown },
      ],
      formats: ['dec'],
    });
    expect(await look(service, 'text=12345678&format=dec')).to.deep.include({
      readings: [{ id: '00BC614E', format: 'dec', ...unknown }],
    });
  });

  it('answers 400 if the text is no id', async () => {
    await using service = await RunningService.start({ idFormats: dec10 });
    for (const text of ['', 'Ada', '9999999999'])
      expect((await service.request(`/api/id?text=${text}`)).text).to.match(/^text: /);
  });
});
