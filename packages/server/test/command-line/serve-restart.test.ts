import { loadConfig, serve, type Settings } from '@tallybook/server';
import { expect } from 'chai';
import { readStoredSettings } from '../../src/config/stored-settings.js';
import { CaughtOutput } from '../fixtures/processes/caught-output.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

describe('The restart of serve', () => {
  const folder = temporaryFolder();
  afterEach(() => delete process.env['NOTIFY_SOCKET']);

  /** Starts a service, and gives its URL when it serves. */
  async function start(
    output: CaughtOutput,
  ): Promise<{ readonly url: string; readonly served: Promise<number> }> {
    const settings: Settings = {
      port: '0',
      store: `level:${folder.path('store')}`,
      reader: ['simulated:?every=1d'],
    };
    const served = serve(loadConfig(settings, {}, { readStored: readStoredSettings }));
    let url: string | undefined;
    while ((url = /"msg":"listening on ([^"]+)"/.exec(output.text)?.[1]) === undefined)
      await new Promise(setImmediate);
    return { url, served };
  }

  it('answers first, ends the event streams, closes the store, and ends with the code that systemd takes', async () => {
    // Nobody listens there, so the messages to systemd are lost.
    process.env['NOTIFY_SOCKET'] = folder.path('notify');
    using output = new CaughtOutput(process.stdout);
    const { url, served } = await start(output);
    const state = (await (await fetch(`${url}/api/settings`)).json()) as { canRestart: boolean };
    expect(state.canRestart).to.equal(true);
    const stream = await fetch(`${url}/api/idevent`);
    const ended = stream.text();
    const answer = await fetch(`${url}/api/restart`, { method: 'POST' });
    expect([answer.status, await answer.text()]).to.deep.equal([202, '']);
    expect(await served).to.equal(75);
    await ended;
    expect(output.text)
      .to.match(/"signal":"restart".*"msg":"stopping"/)
      .and.match(/"msg":"stopped"/);
    // The store is free again, and what it starts with next is what is stored.
    delete process.env['NOTIFY_SOCKET'];
    using again = new CaughtOutput(process.stdout);
    const next = await start(again);
    process.emit('SIGTERM', 'SIGTERM');
    expect(await next.served).to.equal(0);
  });

  it('does not wait for the trial of a reader', async () => {
    process.env['NOTIFY_SOCKET'] = folder.path('notify');
    using output = new CaughtOutput(process.stdout);
    const { url, served } = await start(output);
    const asking = {
      ...{ method: 'POST', headers: { 'Content-Type': 'application/json' } },
      body: JSON.stringify({ reader: `serial:${folder.path('missing')}` }),
    };
    const ask = (): Promise<number | string> =>
      fetch(`${url}/api/settings/reader-trial`, asking).then(
        ({ status }) => status,
        () => 'cut off',
      );
    // One is refused because the other one runs.
    const trials = [ask(), ask()];
    expect(await Promise.race(trials)).to.equal(409);
    await fetch(`${url}/api/restart`, { method: 'POST' });
    expect(await served).to.equal(75);
    expect(await Promise.all(trials)).to.satisfy((ends: unknown[]) =>
      ends.some((end) => end === 200 || end === 'cut off'),
    );
  });

  it('is refused without systemd, and the service goes on', async () => {
    using output = new CaughtOutput(process.stdout);
    const { url, served } = await start(output);
    expect((await fetch(`${url}/api/restart`, { method: 'POST' })).status).to.equal(409);
    expect((await fetch(`${url}/api/health/live`)).status).to.equal(200);
    process.emit('SIGTERM', 'SIGTERM');
    expect(await served).to.equal(0);
  });
});
