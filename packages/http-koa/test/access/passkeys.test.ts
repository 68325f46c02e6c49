import { expect } from 'chai';
import { SoftAuthenticator, type Deviation } from '../../../passkeys-webauthn/test/soft-authenticator.js';
import { claimedService, cookieOf, PASSWORD, signIn } from '../fixtures/claimed-service.js';
import type { Answer } from '../fixtures/documented.js';
import { RunningService, useService } from '../fixtures/running-service.js';

const HOST = 'tally.example';
const ORIGIN = `https://${HOST}`;
/** Headers of a trusted proxy. */
const proxied = { 'x-forwarded-proto': 'https', 'x-forwarded-host': HOST, origin: ORIGIN };
const near = { trustedProxies: ['127.0.0.0/8'] };

interface Options {
  readonly challenge: string;
}
interface CreationOptions extends Options {
  readonly user: { readonly id: string };
}

/** A person with a signed-in browser and a device. */
class Person {
  readonly device = new SoftAuthenticator(ORIGIN, HOST);
  readonly service: RunningService;
  headers: Record<string, string>;
  handle = '';

  private constructor(service: RunningService, headers: Record<string, string>) {
    this.service = service;
    this.headers = headers;
  }

  static async signedIn(service: RunningService, name: string): Promise<Person> {
    const cookie = cookieOf(await signIn(service, name, proxied));
    return new Person(service, { ...proxied, cookie });
  }

  async options(): Promise<CreationOptions> {
    const { text } = await this.service.post({ password: PASSWORD }, this.headers, '/api/passkeys/challenge');
    return JSON.parse(text) as CreationOptions;
  }

  async add(label = 'phone', deviation: Deviation = {}): Promise<Answer> {
    const { challenge, user } = await this.options();
    this.handle = user.id;
    const answer = this.device.create(challenge, deviation);
    return this.service.post({ label, answer }, this.headers, '/api/passkeys');
  }

  async use(deviation: Deviation = {}, headers: Record<string, string> = proxied): Promise<Answer> {
    return this.send(this.device.get(await challengeOf(this.service), this.handle, deviation), headers);
  }

  send(answer: object, headers: Record<string, string> = proxied): Promise<Answer> {
    return this.service.post(answer, headers, '/api/session/passkey');
  }
}

async function challengeOf(service: RunningService): Promise<string> {
  const { text } = await service.post({}, proxied, '/api/session/passkey/challenge');
  return (JSON.parse(text) as Options).challenge;
}

describe('/api/passkeys', () => {
  const service = useService(() => claimedService(near, 'viewer'));

  it('adds a passkey of a browser, lists and removes it', async () => {
    const viewer = await Person.signedIn(service, 'viewer');
    const added = await viewer.add();
    expect(added.status).to.equal(201);
    const { id } = JSON.parse(added.text) as { id: string };
    expect(await service.json('/api/passkeys', viewer.headers)).to.deep.equal([
      {
        ...{ id, user: 'viewer', host: HOST, label: 'phone', isSynced: false },
        ...{ createdAt: service.clock.now(), lastUsed: null },
      },
    ]);
    const remove = (headers: Record<string, string>, query = `?id=${id}`): Promise<Answer> =>
      service.request(`/api/passkeys${query}`, { method: 'DELETE', headers });
    expect((await remove(viewer.headers, '')).status).to.equal(400);
    expect((await remove(viewer.headers)).status).to.equal(204);
    expect((await remove(viewer.headers)).status).to.equal(404);
    expect((await service.post({}, proxied, '/api/session/passkey/challenge')).status).to.equal(409);
  });

  it('shows an admin the passkeys of everybody, and lets only an admin remove those of others', async () => {
    const [ada, viewer] = [await Person.signedIn(service, 'ada'), await Person.signedIn(service, 'viewer')];
    await ada.add('key');
    await viewer.add();
    const [key, phone] = await service.json<{ id: string; user: string }[]>(
      '/api/passkeys?all=1',
      ada.headers,
    );
    expect([key?.user, phone?.user]).to.deep.equal(['ada', 'viewer']);
    expect((await service.request('/api/passkeys?all=1', { headers: viewer.headers })).status).to.equal(403);
    expect((await service.request('/api/passkeys?all=2', { headers: ada.headers })).status).to.equal(400);
    const remove = async (headers: Record<string, string>, id = ''): Promise<number> =>
      (await service.request(`/api/passkeys?id=${id}`, { method: 'DELETE', headers })).status;
    expect(await remove(viewer.headers, key?.id)).to.equal(404);
    expect(await remove(ada.headers, phone?.id)).to.equal(204);
    expect((await viewer.use()).status).to.equal(401);
  });

  it('gives a browser options that another host, key or person cannot answer', async () => {
    const ada = await Person.signedIn(service, 'ada');
    await ada.add('key');
    const { challenge, user, ...rest } = (await ada.options()) as CreationOptions & Record<string, unknown>;
    expect(user).to.deep.equal({ id: ada.handle, name: 'ada', displayName: 'ada' });
    expect(challenge).to.match(/^[\w-]{104}$/);
    expect(rest).to.deep.equal({
      rp: { id: HOST, name: 'Tallybook' },
      pubKeyCredParams: [-7, -257].map((alg) => ({ type: 'public-key', alg })),
      timeout: 300_000,
      excludeCredentials: [{ type: 'public-key', id: ada.device.credentialId.toString('base64url') }],
      authenticatorSelection: {
        ...{ residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      },
      attestation: 'none',
    });
  });

  it('needs the password of the user who is signed in', async () => {
    const ada = await Person.signedIn(service, 'ada');
    const wrong = await service.post({ password: 'wrong horse' }, ada.headers, '/api/passkeys/challenge');
    expect([wrong.status, wrong.text]).to.deep.equal([401, 'the name or the password is wrong']);
  });

  it('refuses with a clear message a passkey that does not fit the options', async () => {
    const ada = await Person.signedIn(service, 'ada');
    const deviations: readonly Deviation[] = [
      { origin: 'https://evil.example' },
      { host: 'evil.example' },
      { flags: 64 | 1 },
      { cose: Buffer.of(0xff) },
      { crossOrigin: true },
      { credentialId: Buffer.alloc(1_100, 1) },
    ];
    for (const deviation of deviations) {
      const { status, text } = await ada.add('phone', deviation);
      expect([status, text.startsWith('this passkey cannot') || text.startsWith('its id')]).to.deep.equal([
        400,
        true,
      ]);
    }
    for (const [label, answer] of [
      ['', {}],
      ['phone', undefined],
      ['phone', { response: 'rubbish' }],
    ]) {
      const refused = await service.post({ label, answer }, ada.headers, '/api/passkeys');
      expect(refused.status, refused.text).to.equal(400);
    }
  });
});

describe('POST /api/session/passkey', () => {
  const service = useService(() => claimedService(near, 'viewer'));
  let viewer: Person;

  beforeEach(async () => {
    viewer = await Person.signedIn(service, 'viewer');
    await viewer.add();
  });

  it('signs in the user of the passkey, with a session like any other', async () => {
    const challenge = await service.post({}, proxied, '/api/session/passkey/challenge');
    expect(JSON.parse(challenge.text)).to.deep.include({
      ...{ rpId: HOST, allowCredentials: [], userVerification: 'required', timeout: 300_000 },
    });
    const answer = await viewer.use();
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('set-cookie')).to.match(
      /^__Host-tallybook=.*; HttpOnly; SameSite=Strict; Secure$/,
    );
    const headers = { ...proxied, cookie: cookieOf(answer) };
    expect(await service.json('/api/session', headers)).to.deep.include({
      user: { name: 'viewer', role: 'viewer' },
      hasPasskeys: true,
    });
    expect((await service.request('/api/mapping', { headers })).status).to.equal(200);
  });

  it('is refused from another page, and does not bypass the rules for pages', async () => {
    const { status } = await viewer.use({}, { ...proxied, origin: 'https://evil.example' });
    expect(status).to.equal(403);
  });

  it('accepts an answer once', async () => {
    const answer = viewer.device.get(await challengeOf(service), viewer.handle);
    expect((await viewer.send(answer)).status).to.equal(200);
    expect((await viewer.send(answer)).status).to.equal(401);
  });

  it('accepts at one server the challenge of another server on the same store', async () => {
    await using one = await claimedService(near, 'viewer');
    await using other = await RunningService.start({ access: near, beside: one });
    const theirs = await Person.signedIn(one, 'viewer');
    await theirs.add();
    const answer = theirs.device.get(await challengeOf(other), theirs.handle);
    expect((await theirs.send(answer)).status).to.equal(200);
    expect((await other.post(answer, proxied, '/api/session/passkey')).status).to.equal(401);
  });

  it('gives the same refusal for all mistakes, and never fails', async () => {
    const ada = await Person.signedIn(service, 'ada');
    await ada.add('key', { counter: 9 });
    const refused = new Set<string>();
    const expectRefused = async (answer: Promise<Answer>): Promise<void> => {
      const { status, text } = await answer;
      refused.add(`${status} ${text}`);
      service.clock.advance(61_000);
    };
    const deviations: readonly Deviation[] = [
      { origin: 'https://evil.example' },
      { origin: `http://${HOST}` },
      { host: 'evil.example' },
      { flags: 1 },
      { flags: 4 },
      { type: 'webauthn.create' },
      { crossOrigin: true },
      { counter: 8 },
      { credentialId: Buffer.alloc(32, 1) },
    ];
    for (const deviation of deviations) await expectRefused(ada.use(deviation));
    const { handle } = viewer;
    const challenge = (): Promise<string> => challengeOf(service);
    await expectRefused(ada.send(viewer.device.get(await challenge(), ada.handle)));
    await expectRefused(ada.send(new SoftAuthenticator(ORIGIN, HOST).get(await challenge(), handle)));
    await expectRefused(ada.send(viewer.device.get('c'.repeat(104), handle)));
    await expectRefused(ada.send({ ...viewer.device.get(await challenge(), handle), response: null }));
    expect([...refused]).to.deep.equal(['401 the passkey is not known here, or its answer is wrong']);
    expect(service.reports).to.deep.equal([]);
  });

  it('refuses a body that is too large or no answer', async () => {
    expect((await viewer.send({ id: 'A'.repeat(20_000) })).status).to.equal(413);
    for (const answer of [{}, { id: 7 }, { id: 'a b' }])
      expect((await viewer.send(answer)).status).to.equal(400);
  });
});

describe('where browsers have no passkeys', () => {
  it('is under http, except localhost, and under an IP address', async () => {
    await using service = await claimedService(near);
    const ada = await Person.signedIn(service, 'ada');
    await ada.add();
    const places: readonly (readonly [proto: string, host: string])[] = [
      ['http', HOST],
      ['https', '192.168.1.20'],
      ['https', '192.168.1.20:8443'],
      ['https', '[fd00::1]'],
      ['https', '0x7f000001'],
      ['https', 'a b'],
    ];
    for (const [proto, host] of places) {
      const headers = { 'x-forwarded-proto': proto, 'x-forwarded-host': host, origin: `${proto}://${host}` };
      const session = await service.request('/api/session', { headers });
      expect(session.text, host).to.include('"hasPasskeys":false');
      const { status } = await service.post({}, headers, '/api/session/passkey/challenge');
      expect(status, host).to.be.oneOf([409, 403]);
    }
    const local = { 'x-forwarded-proto': 'http', 'x-forwarded-host': 'localhost:8080' };
    const { status, text } = await service.post({}, local, '/api/session/passkey/challenge');
    expect([status, text]).to.deep.equal([409, 'nobody has a passkey for localhost']);
  });
});
