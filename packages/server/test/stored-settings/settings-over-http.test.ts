import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import {
  createContainer,
  loadConfig,
  serviceId,
  type Settings,
  type TallybookServer,
} from '@tallybook/server';
import { SerialIdSource } from '@tallybook/readers';
import { expect } from 'chai';
import { encodeFrame } from '../../../readers/test/serial/decoders/rdm6300-frame.js';
import { PluggableLine } from '../../../readers/test/serial/pluggable-line.js';
import { readStoredSettings } from '../../src/config/stored-settings.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

interface State {
  readonly settings: readonly { name: string; inUse: unknown; stored: unknown; source: string }[];
  readonly isAsked: boolean;
  readonly needsRestart: boolean;
  readonly canRestart: boolean;
  readonly systemZone: string | null;
}

describe('A server with stored settings', () => {
  const folder = temporaryFolder();
  let server: TallybookServer | undefined;
  let warnings: string[];
  let container: ReturnType<typeof createContainer>;
  afterEach(() => server?.close());

  /** Starts the server again with what is stored. */
  async function start(flags: Settings = {}): Promise<void> {
    await server?.close();
    warnings = [];
    const settings = { port: '0', store: `level:${folder.path('store')}`, logLevel: 'silent', ...flags };
    const config = loadConfig(
      settings,
      {},
      {
        ...{ readStored: readStoredSettings, warn: (problem) => warnings.push(problem) },
      },
    );
    container = createContainer(config);
    server = container.get(serviceId('server'));
    await server.open();
  }

  async function ask(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
    return fetch(`${server?.url}${path}`, {
      ...{ method, headers: { 'Content-Type': 'application/json', Accept: 'application/json' } },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  }

  const state = async (): Promise<State> => (await (await ask('GET', '/api/settings')).json()) as State;
  const put = (body: unknown): Promise<Response> => ask('PUT', '/api/settings', body);
  const settingOf = ({ settings }: State, name: string): unknown =>
    settings.find((each) => each.name === name);

  it('has only defaults at first, and nobody was asked', async () => {
    await start();
    const { settings, ...others } = await state();
    expect(settings).to.deep.equal(
      [
        ['name', null],
        ['zone', 'UTC'],
        ['dayStart', '00:00'],
        ['keep', null],
        ['keepGuests', '30days'],
        ['readers', ['stdin:']],
        ['backup', null],
      ].map(([name, inUse]) => ({ name, inUse, stored: null, source: 'default' })),
    );
    const { timeZone: systemZone } = new Intl.DateTimeFormat().resolvedOptions();
    expect(others).to.deep.equal({ isAsked: false, needsRestart: false, canRestart: false, systemZone });
  });

  it('uses what was stored after the next start, and says before that it does not yet', async () => {
    await start();
    const wanted = {
      ...{ name: 'Fire station Northwood', zone: 'Europe/Berlin', dayStart: '04:00', keep: '24months' },
      ...{ keepGuests: 'never', readers: ['simulated:?every=1d'], backup: folder.path('backups') },
    };
    const answer = await put(wanted);
    expect(answer.status).to.equal(200);
    const stored = (await answer.json()) as State;
    expect([stored.isAsked, stored.needsRestart]).to.deep.equal([true, true]);
    expect(settingOf(stored, 'zone')).to.deep.equal({
      ...{ name: 'zone', inUse: 'UTC', stored: 'Europe/Berlin', source: 'default' },
    });
    expect(((await (await ask('GET', '/api/time')).json()) as { zone: string }).zone).to.equal('UTC');

    await start();
    expect(warnings).to.deep.equal([]);
    const used = await state();
    expect(Object.fromEntries(used.settings.map(({ name, inUse }) => [name, inUse]))).to.deep.equal(wanted);
    expect(used.settings.map(({ source }) => source)).to.deep.equal(used.settings.map(() => 'stored'));
    expect([used.isAsked, used.needsRestart]).to.deep.equal([true, false]);
    const time = (await (await ask('GET', '/api/time')).json()) as { zone: string; dayStart: string };
    expect([time.zone, time.dayStart]).to.deep.equal(['Europe/Berlin', '04:00']);
    expect(await (await ask('GET', '/api/status')).json()).to.include({ name: wanted.name });
    expect(((await (await ask('GET', '/api/retention')).json()) as { keep: string }).keep).to.equal(
      '24months',
    );
  });

  it('leaves what is not named, takes null for the default, and {} for having been asked', async () => {
    await start();
    const asked = (await (await put({})).json()) as State;
    expect([asked.isAsked, asked.needsRestart]).to.deep.equal([true, false]);
    await put({ zone: ' Asia/Tokyo ', dayStart: '04:00' });
    expect(settingOf(await state(), 'zone')).to.include({ stored: 'Asia/Tokyo' });
    const changed = (await (await put({ zone: null })).json()) as State;
    expect(settingOf(changed, 'zone')).to.include({ stored: null });
    expect(settingOf(changed, 'dayStart')).to.include({ stored: '04:00' });
  });

  it('needs no restart once the stored value is again the one in use', async () => {
    await start();
    expect(((await (await put({ zone: 'Asia/Tokyo' })).json()) as State).needsRestart).to.equal(true);
    expect(((await (await put({ zone: 'UTC' })).json()) as State).needsRestart).to.equal(false);
  });

  it('needs no restart for a stored value that no start would take', async () => {
    await start();
    await writeFile(folder.path('store', 'settings.json'), '{"zone":"Mars/Olympus"}');
    const found = await state();
    expect([found.isAsked, found.needsRestart]).to.deep.equal([true, false]);
  });

  it('shows what is given by a flag, and refuses to store it', async () => {
    await start({ zone: 'Asia/Kolkata' });
    expect(settingOf(await state(), 'zone')).to.deep.equal({
      ...{ name: 'zone', inUse: 'Asia/Kolkata', stored: null, source: 'given' },
    });
    const refused = await put({ zone: 'Asia/Tokyo', name: 'Hall' });
    expect(refused.status).to.equal(409);
    expect(await refused.json()).to.include({
      code: 'SETTING_FIXED',
      detail: 'zone: --zone gives it, which wins; change it there',
    });
    expect((await state()).isAsked).to.equal(false);
  });

  const wrong: readonly (readonly [what: string, body: object, detail: RegExp])[] = [
    ['a zone that does not exist', { zone: 'Mars/Olympus' }, /^zone: .*Mars\/Olympus/],
    ['a number', { keep: 24 }, /^keep: must be a text, or null; got 24$/],
    ['an empty text', { name: ' ' }, /^name: /],
    ['a list of readers with a wrong one', { readers: ['stdin:', 'teleport:'] }, /^readers: .*teleport/],
    ['no readers', { readers: [] }, /^readers: must be a list of URLs, at least one, or null; got/],
    ['two readers of one name', { readers: ['stdin:', 'stdin:?'] }, /^readers: .*both named/],
    [
      'a password in the URL of a reader',
      { readers: ['mqtt://me:secret@b/x'] },
      /^readers: .*user or a password/,
    ],
    ['a relative folder', { backup: 'backups' }, /^backup: the whole path of a folder/],
    [
      'a folder in a folder that is not there',
      { backup: '/nowhere/at/all' },
      /^backup: the service cannot write to \/nowhere\/at\/all: the folder above does not exist/,
    ],
    [
      'a folder in which nothing can be made',
      { backup: '/proc/backups' },
      /^backup: the service cannot write to \/proc\/backups: /,
    ],
    [
      'a file as the folder',
      { backup: '/etc/hostname' },
      /^backup: the service cannot write to \/etc\/hostname: it is not a folder/,
    ],
  ];
  for (const [what, body, detail] of wrong) {
    it(`refuses ${what}, and stores nothing of the rest`, async () => {
      await start();
      const refused = await put({ dayStart: '04:00', ...body });
      expect(refused.status).to.equal(400);
      const problem = (await refused.json()) as { code: string; detail: string };
      expect(problem.code).to.equal('INVALID_SETTING');
      expect(problem.detail).to.match(detail);
      expect(problem.detail).to.not.include('secret');
      expect((await state()).isAsked).to.equal(false);
    });
  }

  it('makes the folder for backups for its owner only, and leaves nothing in it', async () => {
    await start();
    await put({ backup: folder.path('backups') });
    expect((await stat(folder.path('backups'))).mode & 0o777).to.equal(0o700);
    await put({ backup: folder.path('backups') });
    expect((await state()).settings.at(-1)).to.include({ stored: folder.path('backups') });
  });

  const within: readonly (readonly [what: string, parts: readonly string[]])[] = [
    ['the folder of the store', []],
    ['a folder in it', ['repair-complete']],
    ['a folder in it by another way', ['..', 'link', 'repair-complete']],
  ];
  for (const [what, parts] of within) {
    it(`refuses ${what} as the folder for backups, and makes nothing there`, async () => {
      await start();
      const store = folder.path('store');
      await symlink(store, folder.path('link'));
      const names = await readdir(store);
      const refused = await put({ backup: [store, ...parts].join('/') });
      expect(refused.status).to.equal(400);
      expect(((await refused.json()) as { detail: string }).detail).to.match(
        /^backup: a folder outside of that of the store, .*store; got/,
      );
      expect(await readdir(store)).to.deep.equal(names);
    });
  }

  it('keeps all of many changes at the same time', async () => {
    await start();
    await Promise.all([
      put({ name: 'Hall' }),
      put({ zone: 'Asia/Tokyo' }),
      put({ dayStart: '04:00' }),
      put({ keep: '1years' }),
    ]);
    const text = await readFile(folder.path('store', 'settings.json'), 'utf8');
    expect(JSON.parse(text)).to.deep.equal({
      ...{ name: 'Hall', zone: 'Asia/Tokyo', dayStart: '04:00', keep: '1years' },
    });
  });

  it('answers 503 if the file cannot be written, and keeps the old one', async () => {
    await start();
    await put({ zone: 'Asia/Tokyo' });
    await mkdir(folder.path('store', '.settings.json.unfinished', 'in-the-way'), { recursive: true });
    expect((await put({ zone: 'UTC' })).status).to.equal(503);
    expect(settingOf(await state(), 'zone')).to.include({ stored: 'Asia/Tokyo' });
  });

  it('does not offer them with a store in memory', async () => {
    await start({ store: 'memory:' });
    for (const [method, path] of [
      ['GET', '/api/settings'],
      ['PUT', '/api/settings'],
      ['GET', '/api/settings/readers'],
      ['POST', '/api/restart'],
    ] as const)
      expect((await ask(method, path)).status, path).to.equal(404);
  });

  it('refuses to restart without systemd', async () => {
    await start();
    expect((await ask('POST', '/api/restart')).status).to.equal(409);
  });

  describe('when a reader is tried', () => {
    let line: PluggableLine;
    beforeEach(async () => (line = await PluggableLine.create()));
    afterEach(() => line.dispose());
    const trial = (reader: string, signal?: AbortSignal): Promise<Response> =>
      ask('POST', '/api/settings/reader-trial', { reader }, signal);
    const days = async (): Promise<unknown> => (await ask('GET', '/api/days?from=0&to=9999999999')).json();
    const connected = async (name: string): Promise<void> => {
      for (;;) {
        const readers = (await (await ask('GET', '/api/readers')).json()) as readonly {
          name: string;
          connection: string;
        }[];
        if (readers.find((each) => each.name === name)?.connection === 'connected') return;
      }
    };

    it('keeps the lock of the store, also if somebody names its file', async () => {
      await start();
      const file = folder.path('store', 'LOCK');
      const { ino } = await stat(file);
      const isLocked = async (): Promise<boolean> =>
        (await readFile('/proc/locks', 'utf8')).includes(`:${ino} `);
      expect(await isLocked()).to.equal(true);
      const reader = new SerialIdSource({ path: file }, container.get(serviceId('clock')));
      await reader.open();
      await reader.close();
      expect(await isLocked()).to.equal(true);
    });

    it('gives the tag of a reader that the service does not use, and closes it', async () => {
      await start();
      const answer = trial(`serial:${line.path}?format=dec10`);
      // The frames before the opening are lost, so it sends until one is read.
      const over = answer.then(() => 'over');
      const sent = async (): Promise<void> => {
        await line.send(encodeFrame('010063E9AE'));
        await new Promise(setImmediate);
      };
      while ((await Promise.race([over, sent()])) !== 'over');
      const found = (await (await answer).json()) as { raw: string; id: string; faults: unknown };
      expect(found.id).to.match(/^[0-9A-F]{6,20}$/);
      expect(found.raw).to.be.a('string');
      expect(await days()).to.deep.equal([]);
    });

    it('takes the next tap of a reader that the service uses, which is not recorded; the one after is', async () => {
      await start({ reader: [`serial:${line.path}?confirm=1&name=door`] });
      await connected('door');
      const divert = container.get(serviceId('tallybook')).attendance;
      let isWaiting: () => void = () => undefined;
      const waiting = new Promise<void>((resolve) => (isWaiting = resolve));
      const original = divert.divertNext.bind(divert);
      divert.divertNext = (...of) => {
        isWaiting();
        return original(...of);
      };
      // Another spelling of the same device.
      const answer = trial(`serial:${line.path}`);
      await waiting;
      await line.send(encodeFrame('010063E9AE'));
      const found = (await (await answer).json()) as { raw: string; id: string; faults: unknown };
      expect(found).to.deep.equal({ raw: found.raw, id: '010063E9AE', faults: [] });
      expect(await days()).to.deep.equal([]);
      await line.send(encodeFrame('0006547886'));
      while (((await days()) as readonly unknown[]).length === 0) await new Promise(setImmediate);
    });

    it('refuses a second trial, and another one may begin when the client of the first is gone', async () => {
      await start();
      const url = `serial:${line.path}`;
      const leaving = new AbortController();
      const first = trial(url, leaving.signal).catch(() => undefined);
      for (;;) {
        const { status } = await trial(url, AbortSignal.timeout(1_000)).catch(() => ({ status: 0 }));
        if (status === 409) break;
      }
      leaving.abort();
      await first;
      let { status } = await trial('teleport:');
      while (status === 409) ({ status } = await trial('teleport:'));
      expect(status).to.equal(400);
    });

    for (const [what, reader] of [
      ['no URL', 'door'],
      ['an unknown kind', 'teleport:'],
      ['a reader that gets its readings over HTTP', 'http:door'],
      ['a password', 'mqtt://me:secret@b/x'],
    ] as const) {
      it(`refuses ${what}`, async () => {
        await start();
        const refused = await trial(reader);
        expect(refused.status).to.equal(400);
        expect(await refused.text())
          .to.match(/"reader: /)
          .and.not.include('secret');
      });
    }

    it('refuses the standard input, if the service does not read from it', async () => {
      await start({ reader: ['simulated:?every=1d'] });
      expect((await trial('stdin:')).status).to.equal(400);
    });
  });
});
