import { expect } from 'chai';
import { readSystem } from '../../src/pages/system/system-state.js';

type Client = Parameters<typeof readSystem>[0];

/** A service that answers everything with its name, and fails where the test says so. */
function clientWithout(...missing: readonly string[]): Client {
  const answer = (_: object, name: string) => (): Promise<unknown> =>
    missing.includes(name) ? Promise.reject(new Error(`no ${name}`)) : Promise.resolve(name);
  return new Proxy({}, { get: (target, name) => answer(target, String(name)) }) as Client;
}

describe('the state of the service', () => {
  const everything = { health: true, stations: true };
  const { signal } = new AbortController();
  const whole = {
    time: 'readTime',
    readers: 'listReaders',
    backlog: 'readBacklog',
    provisional: 'listProvisional',
    status: 'readStatus',
    health: 'readHealth',
    stations: 'listStations',
  };

  it('is all that the service knows of itself', async () => {
    expect(await readSystem(clientWithout(), everything, signal)).to.deep.equal(whole);
  });

  it('is without what a device app leaves out', async () => {
    const client = clientWithout('listReaders', 'readStatus', 'readHealth', 'listStations');
    expect(await readSystem(client, everything, signal)).to.deep.equal({
      ...whole,
      ...{ readers: undefined, status: undefined, health: undefined, stations: [] },
    });
  });

  it('does not ask for what the viewer may not see', async () => {
    const state = await readSystem(clientWithout(), { health: false, stations: false }, signal);
    expect(state).to.deep.equal({ ...whole, health: undefined, stations: [] });
  });

  for (const name of ['readTime', 'readBacklog', 'listProvisional']) {
    it(`is none without ${name}, which every service has`, async () => {
      const failure: unknown = await readSystem(clientWithout(name), everything, signal).catch(
        (error: unknown) => error,
      );
      expect(failure).to.have.property('message', `no ${name}`);
    });
  }
});
