import { expect } from 'chai';
import { loadConfig, serve, type Settings } from '@tallybook/server';
import { CaughtOutput } from '../fixtures/processes/caught-output.js';
import type { LogLine } from '../fixtures/logged.js';

/** Runs a service until it waits for a signal, uses it, and returns its log after the stop. */
async function logOf(settings: Settings, use: () => void = () => undefined): Promise<readonly LogLine[]> {
  using output = new CaughtOutput(process.stdout);
  const before = process.listenerCount('SIGTERM');
  const { timeZone: zone } = new Intl.DateTimeFormat().resolvedOptions();
  const quiet: Settings = { port: '0', store: 'memory:', reader: ['simulated:?every=1d'], zone };
  const served = serve(loadConfig({ ...quiet, ...settings }, {}));
  while (
    process.listenerCount('SIGTERM') === before ||
    !/to see who is here|nobody gets in/.test(output.text)
  )
    await new Promise(setImmediate);
  use();
  process.emit('SIGTERM', 'SIGTERM');
  expect(await served).to.equal(0);
  return output.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as LogLine);
}

const has = (lines: readonly LogLine[], pattern: RegExp): boolean =>
  lines.some(({ msg }) => pattern.test(msg));

describe('The log of serve', () => {
  it('has the address and the parts, the address of the page, and the reason of the stop', async () => {
    const lines = await logOf({ zone: 'Europe/Berlin' });
    const listening = lines.find(({ msg }) => msg.startsWith('listening on '));
    expect(listening).to.deep.include({
      ...{ store: 'memory:', readers: ['simulated:?every=1d'], indicators: [], publishers: [] },
      zone: 'Europe/Berlin',
    });
    const { url } = listening as LogLine & { readonly url: string };
    expect(listening?.msg).to.equal(`listening on ${url}`);
    const page = lines.find(({ msg }) => msg === `to see who is here, open ${url}/ in a browser`);
    expect(page).to.deep.include({ page: [`${url}/`] });
    const end = lines.slice(-2).map(({ msg, signal }) => [msg, signal]);
    expect(end).to.deep.equal([
      ['stopping', 'SIGTERM'],
      ['stopped', undefined],
    ]);
  });

  for (const host of ['127.0.0.1', 'localhost']) {
    it(`needs no setup code on ${host}, which only this machine reaches`, async () => {
      const lines = await logOf({ host });
      expect(lines.filter(({ level }) => level === 40)).to.deep.equal([]);
      expect(has(lines, /^to see who is here/)).to.equal(true);
    });
  }

  it('shows the setup code and every address at which to enter it, while nobody has access', async () => {
    const line = (await logOf({ host: '0.0.0.0' })).find(({ msg }) => msg.startsWith('nobody gets in yet'));
    const { page, code } = line as LogLine & { readonly page: readonly string[]; readonly code: string };
    expect(line).to.include({
      level: 40,
      msg: `nobody gets in yet: to make the first user, open ${page.join(' or ')} in a browser and enter the setup code ${code}`,
    });
    expect(code).to.match(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){2}[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(page.at(-1)).to.match(/\.local:\d+\/$/);
  });

  it('warns of a missing secret for the identity provider, with the file and the reason', async () => {
    const oidc = { oidcIssuer: 'https://id.example.org', oidcClientId: 'x', publicUrl: 'https://a.example' };
    const isWarned = /^nobody can sign in at the identity provider: check --oidc-client-secret-file$/;
    const file = '/none/secret';
    const lines = await logOf({ ...oidc, oidcClientSecretFile: file });
    const warning = lines.find(({ msg }) => isWarned.test(msg));
    const problem = `the file ${file} does not exist`;
    expect(warning)
      .to.have.nested.property('err.message')
      .that.satisfies((said: string) => said.startsWith(problem));
    expect(has(await logOf(oidc), isWarned)).to.equal(false);
  });

  for (const [streams, isWarned] of [
    ['6', false],
    ['7', true],
    ['8', true],
  ] as const) {
    it(`${isWarned ? 'warns' : 'does not warn'} of ${streams} event streams and 7 connections`, async () => {
      const lines = await logOf({ maxSubscribers: streams, maxConnections: '7' });
      expect(has(lines, /event streams can take all connections/)).to.equal(isWarned);
    });
  }

  it('asks nobody to type ids on a terminal that is no reader', async () => {
    const { isTTY } = process.stdin;
    process.stdin.isTTY = true;
    try {
      expect(has(await logOf({}), /type the id/)).to.equal(false);
    } finally {
      process.stdin.isTTY = isTTY;
    }
  });

  it('logs each unhandled rejection as an error, while the service goes on', async () => {
    const before = process.listeners('unhandledRejection');
    const lines = await logOf({}, () => {
      const [added] = process.listeners('unhandledRejection').filter((each) => !before.includes(each));
      added?.(new Error('lost'), Promise.resolve());
    });
    const lost = lines.find(({ msg }) => msg === 'unexpected error in the program; the service goes on');
    expect(lost).to.deep.include({ level: 50 });
    expect(lost?.['err']).to.include({ message: 'lost' });
    expect(lines.at(-1)?.msg).to.equal('stopped');
  });

  it('ignores that nobody reads it any more', async () => {
    const before = process.stdout.listeners('error');
    await logOf({}, () => {
      const [added] = process.stdout.listeners('error').filter((each) => !before.includes(each));
      expect(added?.(new Error('EPIPE'))).to.equal(undefined);
    });
  });
});
