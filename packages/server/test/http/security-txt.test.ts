import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serviceId } from '@tallybook/server';
import { expect } from 'chai';
import { RELEASED_AT } from '../../src/config/released-at.js';
import { loadPage } from '../../src/http/page.js';
import { withSecurityTxt } from '../../src/http/security-txt.js';
import { containerOf } from '../fixtures/container-of.js';

describe('/.well-known/security.txt', () => {
  async function ask(contact: string): Promise<Response> {
    const app = containerOf({}, { page: withSecurityTxt(loadPage, contact, RELEASED_AT) }).get(
      serviceId('app'),
    );
    await using server = createServer(app.callback());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/.well-known/security.txt`;
    const response = await fetch(url, { headers: { Connection: 'close' } });
    return new Response(await response.text(), response);
  }

  it('says how to report a vulnerability, until a year after the release', async () => {
    const response = await ask('security@tallybook.test');
    expect(response.status).to.equal(200);
    expect(response.headers.get('Content-Type')).to.equal('text/plain; charset=utf-8');
    const [comment, ...lines] = (await response.text()).trimEnd().split('\n');
    expect(comment).to.match(/^# /);
    const fields = new Map(lines.map((line) => [line.split(':')[0], line.replace(/^[^:]+: /, '')]));
    expect(fields).to.have.keys('Contact', 'Expires', 'Preferred-Languages');
    expect(fields.get('Contact')).to.equal('mailto:security@tallybook.test');
    const days = (Date.parse(String(fields.get('Expires'))) / 1000 - RELEASED_AT) / 86_400;
    expect(days).to.be.within(360, 365);
  });

  it('is not there while the contact is a placeholder', async () => {
    expect((await ask('security@example.invalid')).status).to.equal(404);
    expect((await ask('security@tallybook.example.invalid')).status).to.equal(404);
  });
});
