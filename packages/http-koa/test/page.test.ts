import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { owner } from '@tallybook/domain/access';
import { expect } from 'chai';
import { readPage, type LoadPage, type PageFile } from '../src/index.js';
import { servePage } from '../src/page/serve-page.js';
import { claimedService, PASSWORD, sessionOf } from './fixtures/claimed-service.js';
import { RunningService, useService } from './fixtures/running-service.js';

const file = (body: string, more: Partial<PageFile> = {}): PageFile => ({
  type: 'text/html; charset=utf-8',
  etag: 'tag',
  isImmutable: false,
  body: Buffer.from(body),
  ...more,
});
const script = { type: 'text/javascript; charset=utf-8', isImmutable: true } as const;
const page = new Map<string, PageFile>([
  ['index.html', file('<h1>Tallybook</h1>', { br: Buffer.from('BR'), gzip: Buffer.from('GZ') })],
  ['assets/app-1.js', file('run()', script)],
]);

interface Raw {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Sends the path unchanged, and reads the body unchanged: `fetch` tidies paths and inflates answers. */
async function ask(service: RunningService, path: string, headers = {}, method = 'GET'): Promise<Raw> {
  const response = await service.begin(path, { method, headers });
  const body = Buffer.concat(await response.toArray()).toString('latin1');
  return { status: response.statusCode, headers: response.headers, body };
}

function start(load: LoadPage = () => Promise.resolve(page)): Promise<RunningService> {
  return RunningService.start({ page: load });
}

describe('a page', () => {
  const service = useService(start);

  it('has the policy of the app in place of ours, directive by directive', async () => {
    const images = "'self' https://example.org";
    const policy = { 'trusted-types': 'lit-html', 'font-src': undefined, 'img-src': images };
    const load = (): Promise<typeof page> => Promise.resolve(page);
    await using service = await RunningService.start({ page: load, policy });
    const { headers } = await ask(service, '/');
    expect(String(headers['content-security-policy']).split('; ')).to.include.members([
      "default-src 'none'",
      "img-src 'self' https://example.org",
      'trusted-types lit-html',
    ]);
    expect(headers['content-security-policy']).to.not.contain('font-src');
    for (const wrong of [{ 'img-src': "'self'; script-src *" }, { 'img-src': 'a, b' }, { 'Img src': '*' }]) {
      expect(() => servePage(load, { policy: wrong }))
        .to.throw('a directive is lower-case letters')
        .with.property('code', 'INVALID_OPTION');
    }
  });

  it('is the answer of the root, with a policy that allows only its own files', async () => {
    const { status, headers, body } = await ask(service, '/');
    expect(status).to.equal(200);
    expect(body).to.equal('<h1>Tallybook</h1>');
    expect(headers).to.include({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      etag: '"tag"',
      vary: 'Accept-Encoding',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
    const policy = String(headers['content-security-policy']).split('; ');
    expect(policy).to.include.members([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "frame-ancestors 'self'",
      "require-trusted-types-for 'script'",
    ]);
    expect(String(headers['content-security-policy'])).not.to.contain('unsafe');
  });

  it('has files that may be kept for ever if their names depend on their content', async () => {
    const { headers } = await ask(service, '/assets/app-1.js');
    expect(headers).to.include({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect(headers).not.to.have.property('content-security-policy');
  });

  for (const [accepted, encoding, body, tag] of [
    ['gzip, br', 'br', 'BR', '"tag-br"'],
    ['gzip', 'gzip', 'GZ', '"tag-gzip"'],
    ['br;q=0, gzip;q=0', undefined, '<h1>Tallybook</h1>', '"tag"'],
    ['zstd', undefined, '<h1>Tallybook</h1>', '"tag"'],
  ] as const) {
    it(`is sent as ${encoding ?? 'plain bytes'} to a client that accepts ${accepted}, with a tag of its own`, async () => {
      const answer = await ask(service, '/', { 'Accept-Encoding': accepted });
      expect(answer.body).to.equal(body);
      expect(answer.headers['content-encoding']).to.equal(encoding);
      expect(answer.headers['etag']).to.equal(tag);
      const again = await ask(service, '/', { 'Accept-Encoding': accepted, 'If-None-Match': tag });
      expect([again.status, again.body]).to.deep.equal([304, '']);
    });
  }

  it('answers HEAD without a body, and lists its methods', async () => {
    const head = await ask(service, '/', {}, 'HEAD');
    expect([head.status, head.body, head.headers['content-length']]).to.deep.equal([200, '', '18']);
    const options = await ask(service, '/', {}, 'OPTIONS');
    expect([options.status, options.headers['allow']]).to.deep.equal([200, 'GET, HEAD']);
    const post = await ask(service, '/', {}, 'POST');
    expect([post.status, post.headers['allow']]).to.deep.equal([405, 'GET, HEAD']);
  });

  it('has the policy of all other answers for refusals and methods', async () => {
    const policy = (await ask(service, '/not-there')).headers['content-security-policy'];
    expect(policy).to.be.a('string');
    for (const path of ['/', '/assets/app-1.js', '/setup']) {
      for (const method of ['POST', 'TRACE', 'OPTIONS']) {
        const { headers } = await ask(service, path, {}, method);
        expect(headers['content-security-policy'], `${method} ${path}`).to.equal(policy);
      }
    }
  });

  describe('that needs other resources first', () => {
    const asksFirst = [
      { path: './api/today', needs: 'see-today' },
      { path: './api/days', needs: 'see-record' },
    ] as const;
    const asking = new Map([['index.html', file('<h1>Tallybook</h1>', { asksFirst })]]);
    const [today, days, changes] = ['today', 'days', 'sync/changes'].map(
      (path) => `<./api/${path}>; rel=preload; as=fetch; crossorigin`,
    );

    it('makes browsers request them at once, if everybody may', async () => {
      await using service = await start(() => Promise.resolve(asking));
      const { headers } = await ask(service, '/');
      expect(headers).to.include({ link: `${today}, ${days}`, etag: '"tag-0.1"' });
    });

    it('links to nothing that the client may not read, and has another tag for each set of links', async () => {
      await using service = await claimedService({ page: () => Promise.resolve(asking) }, 'kiosk');
      const stranger = await ask(service, '/');
      expect(stranger.headers).not.to.have.property('link');
      const { cookie } = await sessionOf(service, 'kiosk');
      const kiosk = await ask(service, '/', { cookie, 'If-None-Match': String(stranger.headers['etag']) });
      expect(kiosk.status).to.equal(200);
      expect(kiosk.headers).to.include({ link: today, vary: 'Accept-Encoding, Cookie, Authorization' });
      const again = await ask(service, '/', { 'If-None-Match': String(kiosk.headers['etag']) });
      expect(again.status).to.equal(200);
      expect(again.headers).not.to.have.property('link');
    });

    it('has different tags for two clients with equally many but different links', async () => {
      const each = [
        { path: './api/today', needs: 'see-today' },
        { path: './api/sync/changes', needs: 'sync-record' },
      ] as const;
      const other = new Map([['index.html', file('<h1>Tallybook</h1>', { asksFirst: each })]]);
      await using service = await claimedService({ page: () => Promise.resolve(other) }, 'kiosk', 'station');
      const kiosk = await ask(service, '/', await sessionOf(service, 'kiosk'));
      expect(kiosk.headers).to.include({ link: today });
      const known = String(kiosk.headers['etag']);
      const session = await sessionOf(service, 'station');
      const station = await ask(service, '/', { ...session, 'If-None-Match': known });
      expect(station.status).to.equal(200);
      expect(station.headers).to.include({ link: changes });
    });
  });

  for (const [path, place] of [
    ['/setup', './'],
    ['/setup/', '../'],
    ['/setup?from=label', './'],
  ] as const) {
    it(`leads from ${path} to the page, which asks for the setup code or the password, without a sign-in`, async () => {
      await using service = await RunningService.start({
        access: { requiresClaim: true },
        page: () => Promise.resolve(page),
      });
      for (const state of ['unclaimed', 'claimed'] as const) {
        if (state === 'claimed')
          await service.access.users.put(owner, { name: 'ada', role: 'admin', password: PASSWORD });
        expect(service.access.state).to.equal(state);
        const answer = await ask(service, path);
        expect([answer.status, answer.headers['location']]).to.deep.equal([302, place]);
        expect(answer.headers).to.include({
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
        });
        expect((await ask(service, path, {}, 'HEAD')).status).to.equal(302);
        expect((await ask(service, path, {}, 'OPTIONS')).headers['allow']).to.equal('GET, HEAD');
        expect((await ask(service, path, {}, 'POST')).status).to.equal(405);
        expect(new URL(place, `http://device${path}`).pathname).to.equal('/');
      }
    });
  }

  for (const path of [
    '/none',
    '/Setup',
    '//setup',
    '/setup/x',
    '/assets/',
    '/assets',
    '//index.html',
    '/index.html/',
    '/../package.json',
    '/assets/../index.html',
    '/%2e%2e/package.json',
    '/..%2fpackage.json',
    '/assets%2fapp-1.js',
    '/%00',
    '/__proto__',
    '/constructor',
    '/api',
    '/api/none',
    '/apifoo',
  ]) {
    it(`has nothing at ${path}`, async () => {
      const { status, body } = await ask(service, path);
      expect([status, body]).to.deep.equal([404, 'Not found']);
    });
  }

  it('is read at the first request, and only once', async () => {
    let count = 0;
    await using service = await start(() => {
      count++;
      return Promise.resolve(page);
    });
    await ask(service, '/api/mapping');
    expect(count).to.equal(0);
    await Promise.all([ask(service, '/'), ask(service, '/'), ask(service, '/none')]);
    expect(count).to.equal(1);
  });

  it('is read again after a failure', async () => {
    const results: (() => ReturnType<LoadPage>)[] = [
      () => Promise.reject(new Error('the disk is away')),
      () => Promise.resolve(page),
    ];
    await using service = await start(() => (results.shift() ?? (() => Promise.resolve(undefined)))());
    expect((await ask(service, '/')).status).to.equal(500);
    expect((await ask(service, '/')).status).to.equal(200);
  });

  it('may be missing', async () => {
    await using none = await RunningService.start();
    await using notInstalled = await start(() => Promise.resolve(undefined));
    for (const service of [none, notInstalled])
      for (const path of ['/', '/setup']) expect((await ask(service, path)).status, path).to.equal(404);
  });
});

describe('readPage', () => {
  let folder = '';

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tallybook-page-'));
    await mkdir(join(folder, 'page', 'assets'), { recursive: true });
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('reads exactly the named files', async () => {
    const described = { type: 'text/css', etag: 'x', isImmutable: true };
    const files = [
      { path: 'assets/a.css', ...described, br: 2, gz: 2 },
      { path: 'b.css', ...described },
    ];
    await writeFile(join(folder, 'files.json'), JSON.stringify({ folder: 'page', files }));
    for (const name of ['assets/a.css', 'assets/a.css.br', 'assets/a.css.gz', 'b.css', 'secret']) {
      await writeFile(join(folder, 'page', name), name);
    }
    const read = await readPage(join(folder, 'files.json'));
    expect([...read.keys()]).to.deep.equal(['assets/a.css', 'b.css']);
    const { br, gzip, body } = read.get('assets/a.css') ?? file('');
    expect([br, gzip, body].map(String)).to.deep.equal([
      'assets/a.css.br',
      'assets/a.css.gz',
      'assets/a.css',
    ]);
    expect(read.get('b.css')).not.to.have.property('br');
  });

  it('rejects if a named file is missing', async () => {
    const files = [{ path: 'gone.css', type: 'text/css', etag: 'x', isImmutable: true }];
    await writeFile(join(folder, 'files.json'), JSON.stringify({ folder: 'page', files }));
    let failure: unknown;
    await readPage(join(folder, 'files.json')).catch((error: unknown) => (failure = error));
    expect(failure).to.have.property('code', 'ENOENT');
  });

  it('reads the manifest of the page, whose compressed files have the same content', async () => {
    const manifest = new URL('../../web/dist/files.json', import.meta.url).pathname;
    const read = await readPage(manifest);
    expect(read.has('index.html')).to.equal(true);
    for (const { body, br, gzip } of read.values()) {
      if (br !== undefined) expect(brotliDecompressSync(br).equals(body)).to.equal(true);
      if (gzip !== undefined) expect(gunzipSync(gzip).equals(body)).to.equal(true);
    }
  });
});
