import { expect } from 'chai';
import { SoftAuthenticator } from '../../../passkeys-webauthn/test/soft-authenticator.js';
import type { TallybookProcess } from '../fixtures/processes/server-process.js';
import { storedService } from '../fixtures/processes/stored-service.js';

const PASSWORD = 'a quiet yellow door 9';

interface Options {
  readonly challenge: string;
  readonly user: { readonly id: string };
}

/** A page under `localhost`, where browsers support passkeys without https. */
class PageOfLocalhost {
  readonly origin: string;
  cookie = '';

  constructor(url: string) {
    this.origin = `http://localhost:${new URL(url).port}`;
  }

  async post(path: string, body: object): Promise<{ readonly status: number; readonly text: string }> {
    const answer = await fetch(this.origin + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: this.origin, Cookie: this.cookie },
      body: JSON.stringify(body),
    });
    const [cookie] = answer.headers.getSetCookie();
    if (cookie !== undefined) this.cookie = cookie.split(';')[0] ?? '';
    return { status: answer.status, text: await answer.text() };
  }

  async options(path: string, body: object): Promise<Options> {
    return JSON.parse((await this.post(path, body)).text) as Options;
  }
}

describe('passkeys of the program', () => {
  const { serve, inStore } = storedService();

  async function start(): Promise<{ readonly server: TallybookProcess; readonly page: PageOfLocalhost }> {
    const server = serve();
    return { server, page: new PageOfLocalhost(await server.url()) };
  }

  it('sign a user in also after a restart, and are invalid after their removal on the command line', async () => {
    const { server, page } = await start();
    const user = { name: 'ada', password: PASSWORD };
    expect((await page.post('/api/users', user)).status).to.equal(201);
    expect((await page.post('/api/session', user)).status).to.equal(200);
    expect((await inStore('passkey', 'list')).output).to.equal('there are no passkeys\n');
    const device = new SoftAuthenticator(page.origin, 'localhost');
    const asked = await page.options('/api/passkeys/challenge', { password: PASSWORD });
    const added = await page.post('/api/passkeys', {
      label: 'phone',
      answer: device.create(asked.challenge),
    });
    expect(added.status, added.text).to.equal(201);
    await server.kill();

    const { page: later } = await start();
    const authenticator = device.at(later.origin);
    const use = async (): Promise<number> => {
      const { challenge } = await later.options('/api/session/passkey/challenge', {});
      const answer = authenticator.get(challenge, asked.user.id);
      return (await later.post('/api/session/passkey', answer)).status;
    };
    expect(await use()).to.equal(200);
    const { output } = await inStore('passkey', 'list');
    expect(output).to.match(
      /^ID +USER +LAST USED +FOR +LABEL\n[\w-]{16} +ada +\d{4}-\d\d-\d\d +localhost +phone\n$/,
    );
    const { challenge } = await later.options('/api/session/passkey/challenge', {});
    const [id = ''] = /^[\w-]{16}/m.exec(output.slice(output.indexOf('\n') + 1)) ?? [];
    expect((await inStore('passkey', 'remove', id)).output).to.equal(
      'the passkey "phone" of ada is removed, and ada is signed out\n',
    );
    expect(
      (await later.post('/api/session/passkey', authenticator.get(challenge, asked.user.id))).status,
    ).to.equal(409);
    const again = await inStore('passkey', 'remove', id);
    expect([again.exitCode, again.errors]).to.satisfy(
      ([exitCode, errors]: [number, string]) => exitCode === 2 && errors.includes('tallybook passkey list'),
    );
  });
});
