import { once } from 'node:events';
import { statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { expect } from 'chai';
import {
  openAll,
  parseTallyId,
  TallybookError,
  Timekeeper,
  toDay,
  toTimestamp,
  type Indication,
} from '@tallybook/domain';
import { createContainer, loadConfig, serviceId, type Services, type Settings } from '@tallybook/server';
import { ManualClock, MemoryDayStore, ScriptedIdSource } from '@tallybook/testing';
import { RELEASED_AT } from '../../src/config/released-at.js';
import { recordedLog, type LogLine } from '../fixtures/logged.js';
import { failureOf } from '../fixtures/failure-of.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';
import { rebindParts } from '../fixtures/stores/rebind-parts.js';
import { containerOf, openServer } from '../fixtures/container-of.js';

const station = { upstream: 'https://centre.example.org', upstreamTokenFile: '/etc/token' };
const config = loadConfig({ port: '0', store: 'memory:', logLevel: 'silent' }, {});

describe('createContainer', () => {
  const folder = temporaryFolder();

  it('erases guests at a place without a centre, unless they are kept for ever, and never at a station', () => {
    const limitOf = (settings: Settings): unknown =>
      containerOf({ clock: 'trusted', ...settings })
        .get(serviceId('tallybook'))
        .retention.guestLimit() !== undefined;
    expect([{}, { keepGuests: '7days' }, { keepGuests: 'never' }, station].map(limitOf)).to.deep.equal([
      ...[true, true, false, false],
    ]);
  });

  it('can make all of its services without opening one', () => {
    const container = createContainer(config);
    const names: (keyof Services)[] = [
      'config',
      'log',
      'systemClock',
      'clock',
      'timekeeper',
      'tallybook',
      'calendar',
      'storage',
      'idSources',
      'indicators',
      'publishers',
      'events',
      'app',
      'listener',
      'attendanceLog',
      'outputLog',
      'clockLog',
      'scheduledBackup',
      'storeNotices',
      'openness',
      'health',
      'httpMeter',
      'metrics',
      'server',
    ];
    for (const name of names) expect(container.get(serviceId(name)), name).to.be.an.instanceOf(Object);
    expect(container.get(serviceId('server')).status).to.equal('closed');
    expect(container.get(serviceId('storage')).status).to.equal('closed');
  });

  it('is not open to all programs of this machine if people sign in at a provider, because others reach it then', () => {
    const stateWith = (settings: Parameters<typeof loadConfig>[0]): string =>
      containerOf(settings).get(serviceId('tallybook')).access.state;
    expect(stateWith({})).to.equal('open');
    const oidc = { oidcIssuer: 'https://id.example.org/', oidcClientId: 'tallybook' };
    const elsewhere = { ...oidc, publicUrl: 'https://tally.example.org' };
    expect(stateWith(elsewhere)).to.equal('unclaimed');
    const labelled = containerOf({ ...elsewhere, oidcLabel: 'School' });
    expect(labelled.get(serviceId('tallybook')).access.provider.label).to.equal('School');
  });

  it('accepts users from the header of a trusted proxy, and logs a removed day', async () => {
    const { log, lines } = recordedLog();
    const proxy = { trustedProxy: ['127.0.0.1'], authHeader: 'Remote-User', authHeaderRole: 'admin' };
    await using server = await openServer({ reader: ['simulated:?every=1d'], ...proxy }, { log });
    const headers = { 'Remote-User': 'ada', Origin: server.url };
    await server.container
      .get(serviceId('storage'))
      .days.record(toDay(20_413), parseTallyId('04A2B3C4D5'), toTimestamp(1_763_700_000));
    const remove = (more: RequestInit): Promise<Response> =>
      fetch(`${server.url}/api/day?day=20413`, { method: 'DELETE', ...more });
    expect((await remove({ headers: { Origin: server.url } })).status).to.equal(401);
    expect((await remove({ headers })).status).to.equal(204);
    const removed = lines.values.find(({ msg }) => msg === 'the record of a day was removed');
    expect(removed).to.include({ level: 40, day: 20_413 });
  });

  it('makes each service once', () => {
    const container = createContainer(config);
    expect(container.get(serviceId('storage'))).to.equal(container.get(serviceId('storage')));
    expect(container.get(serviceId('server'))).to.equal(container.get(serviceId('server')));
  });

  it('gives each part its settings', () => {
    const container = containerOf({ clock: 'trusted', backlog: '7' });
    expect(container.get(serviceId('clock')).isSynchronised()).to.equal(true);
    expect(container.get(serviceId('tallybook')).attendance.backlog.limit).to.equal(7);
    expect(createContainer(config).get(serviceId('clock')).isSynchronised()).to.equal(undefined);
  });

  it('searches the backups of the set folder for persons and old data, and none by default', async () => {
    const file = 'tallybook-00000007-2020-01-01T00-00-00Z.jsonl';
    await mkdir(folder.path('backups'));
    await writeFile(folder.path('backups', file), '{"id":"04A2B3C4D5"}');
    for (const [settings, found] of [
      [{ backup: folder.path('backups') }, [file]],
      [{}, []],
    ] as const) {
      const container = containerOf({ clock: 'trusted', keep: '24months', ...settings });
      await using opened = await openAll([container.get(serviceId('storage'))]);
      const ids = [parseTallyId('04A2B3C4D5')];
      const report = await container
        .get(serviceId('tallybook'))
        .personal?.erasures.erase(ids, { isDryRun: true, actor: 'ada' });
      expect(report?.backupsWithIt).to.deep.equal(found);
      expect((await container.get(serviceId('tallybook')).retention.plan()).backups).to.deep.equal(found);
      await opened.close();
    }
  });

  it('logs that the file of the setup code cannot be written, and continues', async () => {
    await mkdir(folder.path('store/setup-code/taken'), { recursive: true });
    const { log, lines } = recordedLog();
    const settings = { store: `level:${folder.path('store')}`, host: '0.0.0.0' };
    const container = containerOf(settings, { log });
    const { access } = container.get(serviceId('tallybook'));
    const [storage, file] = [container.get(serviceId('storage')), container.get(serviceId('setupCodeFile'))];
    await using opened = await openAll([storage, access, file]);
    expect(lines.values.map(({ level, msg }) => [level, msg])).to.deep.include([
      40,
      'could not write the setup code into a file; it is in this log',
    ]);
    await opened.close();
  });

  it('sends nothing to a centre from replaced stores', async () => {
    const container = containerOf(station);
    rebindParts(container, { days: new MemoryDayStore() });
    const refused = await failureOf(container.get(serviceId('server')).open(), 'INVALID_OPTION');
    expect(refused).to.match(/^sync\(\) needs .*stations, which the storage lacks$/);
  });

  it('does not trust a clock before the release', () => {
    const container = createContainer(config);
    const clock = new ManualClock(RELEASED_AT - 1);
    container.rebind(serviceId('clock')).toConstantValue(clock);
    const timekeeper = container.get(serviceId('timekeeper'));
    expect(timekeeper.trust()).to.deep.equal({ isTrusted: false, doubt: 'before-build' });
    clock.set(RELEASED_AT);
    expect(timekeeper.trust().isTrusted).to.equal(true);
    // The clock of this machine may be wrong. Its time when this file was written is another lower bound.
    const latest = Math.max(Date.now(), statSync(import.meta.filename).mtimeMs);
    expect(RELEASED_AT * 1000).to.be.within(Date.UTC(2026, 10, 21), latest);
  });

  it('does not remove changes for their age by an untrusted clock', async () => {
    const clock = new ManualClock(RELEASED_AT + 1);
    const container = createContainer({ ...config, store: `level:${folder.path('store')}`, journalDays: 1 });
    container.rebind(serviceId('clock')).toConstantValue(clock);
    await using storage = container.get(serviceId('storage'));
    await storage.open();
    const { mapping: names, journal } = storage;
    await names.put(parseTallyId('04A2B3C4D5'), { first: 'Ada', last: '' });
    clock.set(RELEASED_AT + 100 * 86_400);
    clock.setSynchronised(false);
    await names.put(parseTallyId('04A2B3C4D6'), { first: 'Bob', last: '' });
    expect(await journal.read(0, 10)).to.have.property('isKnown', true);
    clock.setSynchronised(true);
    await names.put(parseTallyId('04A2B3C4D7'), { first: 'Cyd', last: '' });
    expect(await journal.read(0, 10)).to.have.property('isKnown', false);
  });

  it('opens and closes the clock with the server', async () => {
    const container = createContainer(config);
    const parts = [container.get(serviceId('systemClock')), container.get(serviceId('clockLog'))];
    const server = container.get(serviceId('server'));
    await server.open();
    expect(parts.map(({ status }) => status)).to.deep.equal(['open', 'open']);
    await server.close();
    expect(parts.map(({ status }) => status)).to.deep.equal(['closed', 'closed']);
  });

  it('logs a connection that was cut for too many requests, with its address', async () => {
    const { log, lines } = recordedLog();
    await using server = await openServer({}, { log, idSources: [] });
    const { port, hostname } = new URL(server.url);
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    const closed = once(socket, 'close');
    socket.resume().write('GET /api/idevent HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(18));
    await closed;
    const isCut = ({ msg }: LogLine): boolean =>
      msg === 'connection cut: too many requests without an answer';
    expect(await lines.find('a cut', isCut)).to.include({
      limit: 'waiting requests of one connection',
      address: '127.0.0.1',
    });
  });

  it('accepts an indicator of a device app, and shows a refused write on it while the service continues', async () => {
    let isFull = true;
    class FullDayStore extends MemoryDayStore {
      override record(...scan: Parameters<MemoryDayStore['record']>): ReturnType<MemoryDayStore['record']> {
        return isFull
          ? Promise.reject(new TallybookError('STORE_WRITE_FAILED', 'disk full'))
          : super.record(...scan);
      }
    }
    const indications: Indication[] = [];
    const clock = new ManualClock();
    const source = new ScriptedIdSource(clock);
    const { log, lines } = recordedLog();
    const idSources = [source];
    const container = containerOf({}, { log, clock, timekeeper: new Timekeeper(clock), idSources });
    rebindParts(container, { days: new FullDayStore() });
    container
      .bind(serviceId('indicator'))
      .toConstantValue({ show: (indication) => void indications.push(indication) });

    await using server = container.get(serviceId('server'));
    await server.open();
    const attendance = container.get(serviceId('tallybook')).attendance;
    source.present('04A2B3C4D5');
    await attendance.settled();
    isFull = false;
    clock.advance(3000);
    source.present('04A2B3C4D5');
    await attendance.settled();
    expect(indications.map(({ signal }) => signal)).to.deep.equal(['failed', 'unknown']);
    expect(lines.values.filter((line) => JSON.stringify(line).includes('STORE_WRITE_FAILED'))).to.have.length(
      1,
    );
    expect((await fetch(`${server.url}/api/day?day=20413`)).status).to.equal(200);
  });
});
