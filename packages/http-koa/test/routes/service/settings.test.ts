import { once } from 'node:events';
import { request } from 'node:http';
import { TallybookError } from '@tallybook/domain';
import { owner } from '@tallybook/domain/access';
import { expect } from 'chai';
import { claimedService, createToken } from '../../fixtures/claimed-service.js';
import { refusalOf } from '../../fixtures/documented.js';
import { type RunningService, useService } from '../../fixtures/running-service.js';

const TRIAL = '/api/settings/reader-trial';

describe('/api/settings', () => {
  const service = useService();

  const put = (body: unknown): ReturnType<RunningService['request']> =>
    service.request('/api/settings', {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify(body),
    });

  it('shows the settings, and null for what there is not', async () => {
    expect(await service.json('/api/settings')).to.deep.equal({
      settings: [{ name: 'zone', inUse: 'UTC', stored: null, source: 'default' }],
      ...{ isAsked: false, needsRestart: false, canRestart: false, systemZone: null },
    });
  });

  it('hands over the given ones alone, null too, and answers as GET', async () => {
    const { status, text } = await put({ zone: 'Europe/Berlin', keep: null, readers: ['stdin:'], other: 1 });
    expect(status).to.equal(200);
    expect(service.settings.stored).to.deep.equal([
      { zone: 'Europe/Berlin', keep: null, readers: ['stdin:'] },
    ]);
    expect(JSON.parse(text)).to.have.property('isAsked', false);
  });

  it('takes an empty object, as of somebody who was asked', async () => {
    expect((await put({})).status).to.equal(200);
    expect(service.settings.stored).to.deep.equal([{}]);
  });

  it('refuses what is not an object, and is not JSON', async () => {
    expect((await put(['zone'])).status).to.equal(400);
    const { status } = await service.request('/api/settings', { method: 'PUT', body: 'zone=UTC' });
    expect(status).to.equal(415);
    expect(service.settings.stored).to.deep.equal([]);
  });

  it('says why one is refused, with 400 or 409', async () => {
    service.settings.refusal = new TallybookError('INVALID_SETTING', 'zone: there is no zone "Mars"');
    const wrong = await put({ zone: 'Mars' });
    expect(wrong.status).to.equal(400);
    expect(JSON.parse(wrong.text)).to.include({
      code: 'INVALID_SETTING',
      detail: 'zone: there is no zone "Mars"',
    });
    service.settings.refusal = new TallybookError('SETTING_FIXED', 'zone: it is given by --zone');
    expect(refusalOf(await put({ zone: 'UTC' }))).to.deep.equal([409, 'SETTING_FIXED']);
  });

  it('notes who stored which, and never a value', async () => {
    await put({ zone: 'Europe/Berlin', keep: null });
    const [entry] = await service.audit.read(0, 10);
    expect(entry).to.deep.include({ action: 'settings-stored', details: { zone: true, keep: false } });
  });

  it('writes nothing for somebody who loses the right meanwhile', async () => {
    await using claimed = await claimedService();
    const { token, id } = await createToken(claimed, 'admin');
    const store = claimed.settings.store.bind(claimed.settings);
    claimed.settings.store = async (...of) => {
      await claimed.access.credentials.revoke(owner, id);
      await store(...of);
    };
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
    const { status } = await claimed.request('/api/settings', { method: 'PUT', headers, body: '{}' });
    expect([status, claimed.settings.stored]).to.deep.equal([401, []]);
  });

  it('lists the readers and the places for backups', async () => {
    expect(await service.json('/api/settings/readers')).to.deep.equal([
      {
        ...{ title: 'Serial lines', url: 'serial:/dev/ttyUSB0', path: '/dev/ttyUSB0', label: null },
        ...{ isUsable: true, why: null, holder: null, isInUse: false },
      },
    ]);
    expect(await service.json('/api/settings/backup-places')).to.deep.equal([
      { path: '/media/stick', freeBytes: 16_000_000_000, isRemovable: true },
    ]);
  });

  it('has a reader tried, and gives what came', async () => {
    service.settings.trial = () => Promise.resolve({ raw: '04A2', id: '0004A2', faults: [] });
    const { status, text } = await service.post({ reader: 'serial:/dev/ttyUSB0' }, {}, TRIAL);
    expect([status, JSON.parse(text)]).to.deep.equal([200, { raw: '04A2', id: '0004A2', faults: [] }]);
    expect(service.settings.tried.map(({ url }) => url)).to.deep.equal(['serial:/dev/ttyUSB0']);
  });

  it('tries nothing that is not a URL', async () => {
    for (const body of [{}, { reader: 7 }, { reader: ['stdin:'] }])
      expect((await service.post(body, {}, TRIAL)).status).to.equal(400);
    expect(service.settings.tried).to.deep.equal([]);
  });

  it('ends a trial when its client disconnects, and never before', async () => {
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const ended = new Promise<void>((resolve) => {
      service.settings.trial = async (signal) => {
        begin();
        expect(signal.aborted).to.equal(false);
        await once(signal, 'abort');
        resolve();
        return { faults: [] };
      };
    });
    const headers = { 'Content-Type': 'application/json' };
    const asking = request({
      ...{ host: '127.0.0.1', port: service.port, path: TRIAL, method: 'POST', headers },
    });
    asking.on('error', () => undefined);
    asking.end('{"reader":"stdin:"}');
    await begun;
    asking.destroy();
    await ended;
  });
});

describe('POST /api/restart', () => {
  const service = useService();

  it('restarts, and notes who asked', async () => {
    service.settings.canRestart = true;
    expect((await service.post({}, {}, '/api/restart')).status).to.equal(202);
    expect(service.settings.restarts).to.equal(1);
    const [entry] = await service.audit.read(0, 10);
    expect(entry).to.include({ action: 'restarted' });
  });

  it('is 409 where nothing would start the service again', async () => {
    const { status, text } = await service.post({}, {}, '/api/restart');
    expect(status).to.equal(409);
    expect(text).to.match(/^systemd does not supervise this service/);
    expect(service.settings.restarts).to.equal(0);
  });
});
