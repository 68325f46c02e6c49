import { expect } from 'chai';
import { readSystem } from '../../src/pages/system/system-state.js';

type Client = Parameters<typeof readSystem>[0];

/** A service that answers everything with its path, and fails where the test says so. */
function clientWithout(...missing: readonly string[]): Client {
  const get = (path: string): Promise<unknown> =>
    missing.includes(path) ? Promise.reject(new Error(`no ${path}`)) : Promise.resolve(path);
  return { get } as Client;
}

describe('the state of the service', () => {
  const everything = { health: true, stations: true };
  const { signal } = new AbortController();
  const whole = {
    time: '/api/time',
    readers: '/api/readers',
    backlog: '/api/backlog',
    provisional: '/api/provisional',
    status: '/api/status',
    health: '/api/health',
    stations: '/api/stations',
  };

  it('is all that the service knows of itself', async () => {
    expect(await readSystem(clientWithout(), everything, signal)).to.deep.equal(whole);
  });

  it('is without what a device app leaves out', async () => {
    const client = clientWithout('/api/readers', '/api/status', '/api/health', '/api/stations');
    expect(await readSystem(client, everything, signal)).to.deep.equal({
      ...whole,
      ...{ readers: undefined, status: undefined, health: undefined, stations: [] },
    });
  });

  it('does not ask for what the viewer may not see', async () => {
    const state = await readSystem(clientWithout(), { health: false, stations: false }, signal);
    expect(state).to.deep.equal({ ...whole, health: undefined, stations: [] });
  });

  for (const name of ['/api/time', '/api/backlog', '/api/provisional']) {
    it(`is none without ${name}, which every service has`, async () => {
      const failure: unknown = await readSystem(clientWithout(name), everything, signal).catch(
        (error: unknown) => error,
      );
      expect(failure).to.have.property('message', `no ${name}`);
    });
  }
});
