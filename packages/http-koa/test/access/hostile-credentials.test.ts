import { expect } from 'chai';
import { claimedService } from '../fixtures/claimed-service.js';

const secret = 'A'.repeat(43);

const hostile: readonly Readonly<Record<string, string>>[] = [
  { cookie: 'tallybook' },
  { cookie: 'tallybook=' },
  { cookie: `tallybook=${secret}; tallybook=${secret}` },
  { cookie: 'tallybook=%00%ff' },
  { cookie: `tallybook="${secret}"` },
  { cookie: `__proto__=1; tallybook=${'x'.repeat(7_000)}` },
  { cookie: ';'.repeat(7_000) },
  { cookie: `__Host-tallybook=${secret}` },
  { cookie: `xtallybook=${secret}` },
  { authorization: 'Bearer' },
  { authorization: 'Bearer ' },
  { authorization: `bearer tb_${secret}` },
  { authorization: `Bearer tb_${secret} more` },
  { authorization: `Bearer ${'tb_'.repeat(2_000)}` },
  { authorization: 'Basic YWRhOmNvcnJlY3QgaG9yc2UgYmF0dGVyeQ==' },
  { authorization: 'Digest username="ada"' },
  { 'x-forwarded-user': 'ada' },
  { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'localhost' },
  { 'x-forwarded-for': ','.repeat(5_000) },
  { forwarded: 'for=127.0.0.1;proto=https' },
  { 'x-original-url': '/api/session', 'x-rewrite-url': '/api/session' },
  { 'x-http-method-override': 'GET' },
];

describe('a request with invalid credentials', () => {
  for (const headers of hostile) {
    it(`is 401: ${JSON.stringify(headers).slice(0, 80)}`, async () => {
      await using service = await claimedService({
        trustedProxies: ['10.0.0.1'],
        authHeader: 'X-Forwarded-User',
      });
      for (const path of ['/api/mapping', '/api/users', '/api/nothing', '/api/idevent']) {
        const { status } = await fetch(`http://127.0.0.1:${service.port}${path}`, { headers });
        expect(status, path).to.equal(401);
      }
      expect(service.reports).to.deep.equal([]);
    });
  }

  it('is 401 or refused as a body, for bodies of any kind', async () => {
    await using service = await claimedService();
    const bodies = [
      '',
      '{',
      '[]',
      'null',
      '"x"',
      '{"name":{"a":1}}',
      '{"__proto__":{"role":"admin"}}',
      '\u0000',
    ];
    for (const path of [
      ...['/api/session', '/api/setup', '/api/users', '/api/tokens', '/api/password'],
      ...['/api/session/passkey', '/api/passkeys', '/api/passkeys/challenge'],
    ]) {
      for (const body of bodies) {
        const { status } = await service.post(body, {}, path);
        expect([400, 401, 409, 429], `${path} ${body}`).to.include(status);
      }
    }
    expect(service.access.users.list()).to.have.lengthOf(1);
    expect(service.reports).to.deep.equal([]);
  });
});
