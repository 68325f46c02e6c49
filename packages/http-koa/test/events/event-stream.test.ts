import {
  createReading,
  Emitter,
  parseName,
  parseTallyId,
  TallybookError,
  toDay,
  type AttendanceEvent,
} from '@tallybook/domain';
import { expect } from 'chai';
import { RunningService, useService } from '../fixtures/running-service.js';
import { StreamClient } from '../fixtures/stream-client.js';
import { ada, bob } from '../../../testing/test/fixtures/known-values.js';

const ids = (client: StreamClient): (string | undefined)[] =>
  client.events.filter(({ event }) => event === 'msg').map(({ data }) => data);

/** Id of the event before the first one. */
async function firstId(service: RunningService): Promise<string> {
  return `${await service.journal.origin()}-0`;
}

describe('GET /api/idevent', () => {
  const service = useService();

  it('begins at once, before the first event', async () => {
    const { response, blocks } = await StreamClient.connect(service);
    expect(response.statusCode).to.equal(200);
    expect(response.headers).to.include({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      connection: 'close',
    });
    expect(await blocks.count(1)).to.deep.equal([{ retry: '2000', id: await firstId(service) }]);
  });

  it('sends the id of every scan, then the recorded scan', async () => {
    await service.mapping.put(parseTallyId(ada), parseName({ first: 'Ada', last: 'Łovelace' }));
    const client = await StreamClient.connect(service);
    await service.tap(ada);
    await client.receive(2);
    await service.tap(bob);
    await client.receive(4);
    service.clock.advance(5_000);
    await service.tap(ada);
    const events = await client.receive(6);
    const kinds = ['msg', 'attendance'];
    expect(events.map(({ event }) => event)).to.deep.equal([...kinds, ...kinds, ...kinds]);
    expect(ids(client)).to.deep.equal([ada, bob, ada]);
    const who = { name: { first: 'Ada', last: 'Łovelace' }, person: `tag-${ada}` };
    const nobody = { name: null, person: null };
    const attendances = events
      .filter(({ event }) => event === 'attendance')
      .map(({ data }) => JSON.parse(data ?? '') as unknown);
    expect(attendances).to.deep.equal([
      { id: ada, day: 20_413, at: 1_763_700_000, outcome: 'counted', ...who, reader: 'door' },
      { id: bob, day: 20_413, at: 1_763_700_000, outcome: 'counted', ...nobody, reader: 'door' },
      { id: ada, day: 20_413, at: 1_763_700_005, outcome: 'already-counted', ...who, reader: 'door' },
    ]);
  });

  it('writes events in the documented format, byte for byte', async () => {
    const answering = service.exchange('GET /api/idevent HTTP/1.0\r\n\r\n');
    await service.subscribers(1);
    const watcher = await StreamClient.connect(service);
    await service.tap(ada);
    await watcher.receive(2);
    await service.events.close();
    const text = await answering;
    const [head = '', body = ''] = text.split('\r\n\r\n');
    expect(head)
      .to.match(/^HTTP\/1.1 200 OK\r\n/)
      .and.not.match(/transfer-encoding/i);
    expect(body).to.match(
      /^retry: 2000\nid: [0-9a-f]{16}-0\n\nevent: msg\ndata: 04A2B3C4D5\n\nid: [0-9a-f]{16}-1\nevent: attendance\ndata: \{"id":"04A2B3C4D5",.*\}\n\n$/,
    );
  });

  it('sends `failed` of a scan that is kept in memory, and its `attendance` when it is written', async () => {
    const client = await StreamClient.connect(service);
    service.days.failure = new TallybookError('STORE_WRITE_FAILED', 'the disk is full');
    await service.tap(ada);
    service.days.failure = undefined;
    service.clock.advance(60_000);
    const [, failed, attendance] = await client.receive(3);
    expect([failed?.['event'], failed?.['data']]).to.deep.equal([
      'failed',
      '{"id":"04A2B3C4D5","reader":"door","isKept":true}',
    ]);
    expect(attendance?.['event']).to.equal('attendance');
    const filed = { id: ada, at: 1_763_700_000, outcome: 'counted' };
    expect(JSON.parse(attendance?.['data'] ?? ''))
      .to.include(filed)
      .and.not.have.property('filed');
  });

  it('sends `failed` of a scan that is lost', async () => {
    await using service = await RunningService.start({ backlogLimit: 0 });
    const client = await StreamClient.connect(service);
    service.days.failure = new TallybookError('STORE_WRITE_FAILED', 'the disk is full');
    await service.tap(ada);
    const [, failed] = await client.receive(2);
    expect([failed?.['event'], failed?.['data']]).to.deep.equal([
      'failed',
      '{"id":"04A2B3C4D5","reader":"door","isKept":false}',
    ]);
  });

  it('sends `attendance` of a scan whose day is not known yet, and again when it is', async () => {
    await service.mapping.put(parseTallyId(ada), parseName({ first: 'Ada', last: 'Łovelace' }));
    const name = { first: 'Ada', last: 'Łovelace' };
    const client = await StreamClient.connect(service);
    service.clock.setSynchronised(false);
    service.clock.set(5);
    await service.tap(ada);
    service.clock.set(1_763_700_000);
    service.clock.setSynchronised(true);
    service.clock.advance(1_000);
    const [msg, ...attendances] = await client.receive(3);
    expect([msg?.['event'], msg?.['data']]).to.deep.equal(['msg', ada]);
    expect(attendances.map(({ event }) => event)).to.deep.equal(['attendance', 'attendance']);
    const who = { id: ada, name, person: `tag-${ada}`, reader: 'door' };
    expect(attendances.map(({ data }) => JSON.parse(data ?? '') as unknown)).to.deep.equal([
      { ...who, day: null, at: null, outcome: 'provisional', sequence: 1 },
      { ...who, day: 20_413, at: 1_763_700_000, outcome: 'counted', filed: { sequence: 1 } },
    ]);
  });

  it('sends the bounds of the time with the `attendance` after a restart of the device', async () => {
    await service.tap(bob);
    service.clock.setSynchronised(false);
    service.clock.set(5);
    await service.tap(ada);
    await service.attendance.close();
    service.clock.reboot('second', 1_763_700_500);
    service.clock.setSynchronised(true);
    const client = await StreamClient.connect(service);
    await service.attendance.open();
    const [attendance] = await client.receive(1);
    expect(JSON.parse(attendance?.['data'] ?? '')).to.deep.equal({
      ...{ id: ada, name: null, person: null, reader: 'door' },
      ...{ day: 20_413, at: 1_763_700_500, outcome: 'counted' },
      filed: { sequence: 1, estimate: { earliest: 1_763_700_000, latest: 1_763_700_500 } },
    });
  });

  it('sends nothing for a reading that is no tap', async () => {
    const source = new Emitter<AttendanceEvent>();
    await using service = await RunningService.start({ source });
    const client = await StreamClient.connect(service);
    const id = parseTallyId(ada);
    const error = new TallybookError('STORE_READ_FAILED', 'the disk is gone');
    const scan = { id, reader: 'door', at: service.clock.now(), day: toDay(20_413) };
    source.emit({ kind: 'repeated', reading: createReading(service.clock, 'door', id) });
    source.emit({ kind: 'name-unavailable', scan, error });
    source.emit({ kind: 'trouble', error });
    source.emit({ kind: 'scan', scan });
    const [first] = await client.receive(1);
    expect([first?.['event'], first?.['data']]).to.deep.equal(['msg', ada]);
  });

  it('asks clients to wait for the set time', async () => {
    await using service = await RunningService.start({ events: { retryMs: 750 } });
    const client = await StreamClient.connect(service);
    const [greeting] = await client.blocks.count(1);
    expect(greeting).to.include({ retry: '750' });
  });
});
