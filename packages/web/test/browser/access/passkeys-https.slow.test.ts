import { spawnSync } from 'node:child_process';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { BrowserFixture } from '../fixtures/browser.js';
import { PasskeyDevice } from '../fixtures/passkey-device.js';

const SECRET = 'a sentence of Ada';
const HOST = 'club.example';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const fingerprint = createHash('sha256')
  .update(publicKey.export({ type: 'spki', format: 'der' }))
  .digest('base64');

/** Makes a self-signed certificate for the host, or returns what is missing. */
function makeCertificate(key: string, cert: string): string | undefined {
  const made = spawnSync('openssl', [
    ...['req', '-x509', '-key', key, '-out', cert, '-days', '2', '-subj', '/CN=tallybook test'],
    ...['-addext', `subjectAltName=DNS:${HOST}`],
  ]);
  if (made.error !== undefined) return 'openssl not installed';
  if (made.status !== 0) throw new Error(`openssl failed: ${made.stderr.toString()}`);
  return undefined;
}

describe('passkeys over https', () => {
  const fixture = new BrowserFixture([
    `--host-resolver-rules=MAP ${HOST} 127.0.0.1`,
    // The browser accepts it like one of a known authority: with a doubtful certificate there are no passkeys.
    `--ignore-certificate-errors-spki-list=${fingerprint}`,
  ]);
  let folder: string;

  beforeEach(async function () {
    folder = await mkdtemp(join(tmpdir(), 'tallybook-https-'));
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    await writeFile(key, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const missing = makeCertificate(key, cert);
    if (missing !== undefined) this.skip(missing);
    await fixture.service.addUser('ada', 'admin', SECRET);
    await fixture.service.restart(
      ...['--clock', 'trusted', '--allowed-host', HOST, '--tls-cert', cert, '--tls-key', key],
    );
  });

  afterEach(() => rm(folder, { recursive: true }));

  it('are added under the name of the service, and sign one in with cookies for this host alone', async () => {
    const base = `https://${HOST}:${new URL(fixture.service.url).port}/`;
    const page = await fixture.openAs('ada', SECRET, { base, page: '/account', isRefused: true });
    await PasskeyDevice.of(page);
    await page.getByRole('button', { name: 'Add a passkey' }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name of the passkey' }).fill('my phone');
    await dialog.getByLabel('Your password', { exact: true }).fill(SECRET);
    await page.keyboard.press('Enter');
    const row = page.getByRole('row', { name: /my phone/ });
    await row.waitFor();
    expect(await row.textContent()).to.include(HOST);
    await page.getByRole('button', { name: 'Sign out' }).press('Enter');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).press('Enter');
    await page.getByRole('link', { name: 'Your account: ada' }).waitFor();
    const cookies = (await page.context().cookies(base)).map(({ name, secure, httpOnly, sameSite }) => ({
      ...{ name, secure, httpOnly, sameSite },
    }));
    expect(cookies).to.have.deep.members(
      ['__Host-tallybook', '__Host-tallybook-browser'].map((name) => ({
        ...{ name, secure: true, httpOnly: true, sameSite: 'Strict' },
      })),
    );
  });
});
