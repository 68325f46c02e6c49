import { statfs } from 'node:fs/promises';
import { connect } from 'node:net';
import { once } from 'node:events';
import { TallybookError } from '@tallybook/domain';
import { expect } from 'chai';
import { MeasuredServer } from '../fixtures/measured-server.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

const ada = '04A2B3C4D5';

describe('GET /api/metrics of a server', () => {
  const folder = temporaryFolder();

  it('has no other sums with names of counters, which Prometheus would treat as mistakes', async () => {
    await using server = await MeasuredServer.start();
    const { text } = await server.request('/api/metrics');
    const wrong = [...text.matchAll(/^# TYPE (\S+_total) (?!counter)\S+$/gm)].map(([, name]) => name);
    expect(wrong).to.deep.equal([]);
  });

  it('has only real values, also at the first request', async () => {
    await using server = await MeasuredServer.start();
    for (let n = 0; n < 2; n++) {
      const { text } = await server.request('/api/metrics');
      const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
      expect(samples.length).to.be.above(50);
      const isReal = (line: string): boolean => /^\S.* -?\d[\d.e+-]*$/.test(line);
      expect(samples.filter((line) => !isReal(line) || / 9\.?223372036/.test(line))).to.deep.equal([]);
    }
  });

  it('has the state of sending at a station, and of its stations at a centre', async () => {
    await using server = await MeasuredServer.start();
    const now = server.get('timekeeper').now();
    const upstream = {
      ...{ connection: 'connected', waiting: 7, oldestWaitingAt: now - 60, refused: [{}, {}] },
    };
    server.get('upstream').read = () => Promise.resolve(upstream as never);
    const gate = { name: 'gate', heardAt: now - 30, status: { waiting: 3 }, refused: [{}] };
    Object.assign(server.get('tallybook').centre ?? {}, { stations: () => Promise.resolve([gate]) });
    const seconds = async (name: string): Promise<number | undefined> => server.sample(`tallybook_${name}`);
    expect(await seconds('upstream_connected')).to.equal(1);
    expect(await seconds('upstream_waiting_changes')).to.equal(7);
    expect(await seconds('upstream_oldest_seconds')).to.be.within(60, 120);
    expect(await seconds('upstream_refused_changes')).to.equal(2);
    expect(await seconds('station_heard_seconds{station="gate"}')).to.be.within(30, 90);
    expect(await seconds('station_waiting_changes{station="gate"}')).to.equal(3);
    expect(await seconds('station_refused_changes{station="gate"}')).to.equal(1);
  });

  it('shows which publishers reach their receivers', async () => {
    const publisher = (name: string, connection: string): object => ({
      ...{ name, connection, setAside: 3, countWaiting: () => Promise.resolve(0) },
    });
    await using server = await MeasuredServer.start();
    const publishers = server.get('publishers') as object[];
    publishers.push(publisher('a', 'connected'), publisher('b', 'waiting'));
    expect(await server.sample('tallybook_publisher_connected{publisher="a"}')).to.equal(1);
    expect(await server.sample('tallybook_publisher_connected{publisher="b"}')).to.equal(0);
    expect(await server.sample('tallybook_publisher_set_aside_changes{publisher="a"}')).to.equal(3);
  });

  it('begins to count scans at its first request, by reader and outcome', async () => {
    await using server = await MeasuredServer.start();
    await server.tap('0011223344');
    expect(await server.sample('tallybook_scans_total{reader="door",outcome="counted"}')).to.equal(undefined);
    await server.tap(ada);
    await server.tap(ada);
    expect(await server.sample('tallybook_scans_total{reader="door",outcome="counted"}')).to.equal(1);
    expect(await server.sample('tallybook_scans_total{reader="door",outcome="repeated"}')).to.equal(1);
    expect(await server.sample('tallybook_scan_write_seconds_count')).to.equal(1);
  });

  it('counts scans that were kept in memory, and shows how many wait', async () => {
    await using server = await MeasuredServer.start();
    await server.request('/api/metrics');
    const days = server.get('storage').days;
    const record = days.record.bind(days);
    days.record = () => Promise.reject(new TallybookError('STORE_WRITE_FAILED', 'the disk is full'));
    await server.tap(ada);
    expect(await server.sample('tallybook_scans_total{reader="door",outcome="kept"}')).to.equal(1);
    expect(await server.sample('tallybook_backlog_scans')).to.equal(1);
    expect(await server.sample('tallybook_scan_write_seconds_count')).to.equal(0);
    days.record = record;
  });

  it('measures in seconds: writes, requests, and the age of a backup', async () => {
    await using server = await MeasuredServer.start();
    await server.request('/api/metrics');
    const now = performance.now.bind(performance);
    let aheadMs = 0;
    performance.now = () => now() + aheadMs;
    try {
      const days = server.get('storage').days;
      const record = days.record.bind(days);
      days.record = (...given) => {
        aheadMs += 2_000;
        return record(...given);
      };
      await server.tap(ada);
      days.record = record;
      const list = days.list.bind(days);
      days.list = (...given) => {
        aheadMs += 3_000;
        return list(...given);
      };
      const answer = await server.request('/api/days?from=20000&to=20001');
      expect(answer.status).to.equal(200);
      days.list = list;
      Object.defineProperty(server.get('scheduledBackup'), 'state', { value: { ageMs: 4_000 } });
      expect(await server.sample('tallybook_scan_write_seconds_sum')).to.be.within(2, 60);
      const route = 'tallybook_http_request_duration_seconds_sum{route="/api/days",status="2xx"}';
      expect(await server.sample(route)).to.be.within(3, 60);
      expect(await server.sample('tallybook_backup_age_seconds')).to.equal(4);
    } finally {
      performance.now = now;
    }
  });

  it('does not wait for the end of an event stream, and shows the number of open ones', async () => {
    await using server = await MeasuredServer.start();
    await server.request('/api/metrics');
    const socket = connect(Number(new URL(server.get('server').url).port), '127.0.0.1');
    socket.write('GET /api/idevent HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(socket, 'data');
    expect(await server.sample('tallybook_event_streams')).to.equal(1);
    expect(await server.sample('tallybook_http_connections')).to.equal(2);
    socket.destroy();
    await server.get('server').close();
    expect(
      (
        await server
          .get('server')
          .open()
          .then(() => server.request('/api/metrics'))
      ).text,
    ).to.not.include('idevent');
  });

  it('has the state of the service: health, readers, clock, journal, version', async () => {
    await using server = await MeasuredServer.start();
    await server.tap(ada);
    expect(await server.sample('tallybook_health{part="store"}')).to.equal(0);
    expect(await server.sample('tallybook_reader_connected{reader="door"}')).to.equal(1);
    expect(await server.sample('tallybook_clock_trusted')).to.be.oneOf([0, 1]);
    expect(await server.sample('tallybook_journal_cursor')).to.equal(1);
    expect(await server.sample('tallybook_backlog_limit_scans')).to.equal(10_000);
    expect(await server.sample('tallybook_backlog_lost_scans')).to.equal(0);
    expect((await server.request('/api/metrics')).text).to.match(
      /^tallybook_info\{version="[0-9.]+.*"\} 1$/m,
    );
    expect(await server.sample('nodejs_eventloop_lag_p99_seconds')).to.be.a('number');
    server.door.unplug();
    expect(await server.sample('tallybook_reader_connected{reader="door"}')).to.equal(0);
  });

  it('has no value for unknown facts, such as the age of a backup', async () => {
    await using server = await MeasuredServer.start();
    const { text } = await server.request('/api/metrics');
    expect(text).to.include('# TYPE tallybook_backup_age_seconds gauge');
    expect(text).to.not.match(/^tallybook_backup_age_seconds /m);
    expect(text).to.not.match(/^tallybook_disk_free_bytes /m);
  });

  it('shows the room on the disk of a store', async () => {
    await using server = await MeasuredServer.start(`level:${folder.path('store')}`);
    const { bsize, blocks } = await statfs(folder.path());
    expect(await server.sample('tallybook_disk_free_bytes')).to.be.within(bsize, bsize * blocks);
  });

  it('leaves out only values that cannot be read', async () => {
    await using server = await MeasuredServer.start();
    const stations = (): Promise<never> => Promise.reject(new Error('no disk'));
    Object.assign(server.get('tallybook').centre ?? {}, { stations });
    const { status, text } = await server.request('/api/metrics');
    expect(status).to.equal(200);
    expect(text).to.not.match(/^tallybook_station_/m);
    expect(text).to.match(/^tallybook_backlog_scans 0$/m);
  });

  it('continues to count after the service was closed and opened', async () => {
    await using server = await MeasuredServer.start();
    await server.request('/api/metrics');
    await server.tap(ada);
    await server.get('server').close();
    await server.get('server').open();
    await server.request('/api/metrics');
    await server.tap('0011223344');
    expect(await server.sample('tallybook_scans_total{reader="door",outcome="counted"}')).to.equal(2);
  });
});
