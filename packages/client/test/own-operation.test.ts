import {
  empty,
  fields,
  integer,
  json,
  named,
  number,
  object,
  operation,
  parsed,
  record,
  string,
  type TallybookOperations,
} from '@tallybook/http-contract';
import { emptyAnswer, implement } from '@tallybook/http-koa';
import { expect } from 'chai';
import { RunningService, useService } from '../../http-koa/test/fixtures/running-service.js';
import { accessRows } from '../../../tools/http-reference.js';
import { TallybookClient } from '../src/index.js';
import { caught } from './fixtures/caught.js';

// As docs/how-to/add-an-operation.md has it.
const shifts = {
  'GET /api/shifts': operation({
    id: 'listShifts',
    summary: 'The shifts of a day',
    action: 'see-record',
    query: { day: parsed<number, 'day'>('day', string(), 'The day.') },
    answers: { 200: json(object({ day: string(), leader: string() })) },
  }),
};
const leader = named('NewLeader', named('Leader', object({ name: string() })));
const leaders = {
  'GET /api/leaders': operation({
    id: 'listLeaders',
    summary: 'The leader of each day',
    action: 'see-record',
    answers: { 200: json(record(string(), leader)) },
  }),
  'POST /api/leaders': operation({
    id: 'nameLeader',
    summary: 'Name the leader of a day',
    action: 'see-record',
    body: fields({
      day: parsed<number, 'day'>('day', integer()),
      since: parsed<number, 'timestamp'>('timestamp', integer()),
      places: parsed<number, 'whole-number'>('whole-number', number()),
      leader,
    }),
    answers: { 201: empty('The day had none.') },
  }),
};
const own = implement(
  { ...shifts, ...leaders },
  {
    'GET /api/shifts': ({ query }) => ({ day: String(query.day), leader: 'Ada', phone: 'secret' }),
    'GET /api/leaders': () => {
      const ada = { name: 'Ada', phone: 'secret' };
      return { 20_411: ada };
    },
    'POST /api/leaders': () => emptyAnswer(201),
  },
);

type WithShifts = TallybookOperations & typeof shifts & typeof leaders;

function clientOf({ port }: RunningService, token?: string): TallybookClient<WithShifts> {
  return new TallybookClient<WithShifts>(`http://127.0.0.1:${port}`, token === undefined ? {} : { token });
}

describe('an operation that an app adds', () => {
  const service = useService(() => RunningService.start({ own }));

  it('has its route, and its client call, whose answer has what the contract says and nothing else', async () => {
    const client = clientOf(service);
    expect(await client.get('/api/shifts', { query: { day: 20_411 } })).to.deep.equal({
      day: '20411',
      leader: 'Ada',
    });
    expect((await client.get('/api/time')).zone).to.equal('UTC');
  });

  it('may answer with values by their names, and without a body', async () => {
    const client = clientOf(service);
    expect(await client.get('/api/leaders')).to.deep.equal({ 20_411: { name: 'Ada' } });
    const body = { day: 20_411, since: 1_763_510_400, places: 0, leader: { name: 'Bo' } };
    expect(await client.post('/api/leaders', { body })).to.equal(201);
    const error = await caught(client.post('/api/leaders', { body: { ...body, day: 1.5 } }));
    expect(error.message).to.match(/^day: a day is .*; got 1.5$/);
  });

  it('refuses a wrong parameter as the interface does', async () => {
    const error = await caught(clientOf(service).get('/api/shifts', { query: { day: -1 } }));
    expect(error).to.include({ status: 400, code: 'INVALID_DAY' });
    expect(error.message).to.match(/^day: a day is a count of days/);
  });

  it('needs its right', async () => {
    await using service = await RunningService.start({ own, access: { requiresClaim: true } });
    const error = await caught(clientOf(service).get('/api/shifts', { query: { day: 1 } }));
    expect(error).to.include({ status: 401, code: 'NOT_CLAIMED' });
  });

  it('is in the OpenAPI document, and in the table of who may what', async () => {
    const { text } = await service.request('/api/openapi.json');
    const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, object>> };
    expect(paths['/api/shifts']?.['get']).to.include({ operationId: 'listShifts' });
    expect(accessRows(shifts)).to.deep.equal([
      ['`GET /api/shifts`', '', '', '', '', 'yes', 'yes', 'yes', ''],
    ]);
  });
});
