import { once } from 'node:events';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { request, type IncomingMessage, type Server } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import { HttpListener, type Settings } from '@tallybook/server';
import { recordedLog, type LogLine } from '../fixtures/logged.js';
import type { Recorder } from '@tallybook/testing';
import { openServer } from '../fixtures/container-of.js';

/** The channel on which Node reports requests and their server. */
const REQUESTS = 'http.server.request.start';

/** Sends a request to a service, and returns the answer and the server object. */
async function ask(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ readonly status: number | undefined; readonly server: Server; readonly leave: () => void }> {
  let server: Server | undefined;
  const take = (message: unknown): void => void ({ server } = message as { readonly server: Server });
  subscribe(REQUESTS, take);
  const asking = request(url, { headers, agent: false }).on('error', () => undefined);
  const [response] = (await once(asking.end(), 'response')) as [IncomingMessage];
  unsubscribe(REQUESTS, take);
  if (server === undefined) throw new Error('no server was asked');
  response.on('error', () => undefined);
  return { status: response.statusCode, server, leave: () => response.destroy() };
}

/** Opens connections like another machine, and returns which of them were accepted. */
function connectFromElsewhere(server: Server, count: number): boolean[] {
  const sockets = Array.from({ length: count }, () =>
    Object.defineProperty(new Socket(), 'remoteAddress', { value: '192.0.2.7' }),
  );
  for (const socket of sockets) server.emit('connection', socket);
  const stayed = sockets.map((socket) => !socket.destroyed);
  for (const socket of sockets) socket.destroy();
  return stayed;
}

describe('A setting of the server', () => {
  async function serve<T>(
    settings: Settings,
    use: (url: string, lines: Recorder<LogLine>) => Promise<T>,
  ): Promise<T> {
    const { log, lines } = recordedLog();
    await using server = await openServer({ reader: ['simulated:?every=1d'], ...settings }, { log });
    return await use(server.url, lines);
  }

  it('limits event streams: --max-subscribers', async () => {
    await serve({ maxSubscribers: '1' }, async (url) => {
      const first = await ask(`${url}/api/idevent`);
      const second = await ask(`${url}/api/idevent`);
      expect([first.status, second.status]).to.deep.equal([200, 500]);
      first.leave();
    });
  });

  it('limits connections: --max-connections', async () => {
    await serve({ maxConnections: '7' }, async (url) => {
      expect((await ask(`${url}/api/time`)).server.maxConnections).to.equal(7);
    });
  });

  it('limits connections of another machine, and logs those that are refused: --max-connections-per-address', async () => {
    await serve({ maxConnectionsPerAddress: '3' }, async (url, lines) => {
      const { server } = await ask(`${url}/api/time`);
      expect(connectFromElsewhere(server, 5)).to.deep.equal([true, true, true, false, false]);
      const refused = lines.values.filter(({ msg }) => msg === 'connection refused: too many connections');
      const [limit, address] = ['connections of one address', '192.0.2.7'];
      const flag = '--max-connections-per-address';
      expect(refused).to.have.length(2);
      for (const line of refused) expect(line).to.include({ limit, address, flag });
    });
  });

  it('allows names of the host: --allowed-host', async () => {
    await serve({ allowedHost: ['tally.example'] }, async (url) => {
      expect((await ask(`${url}/api/time`, { Host: 'tally.example' })).status).to.equal(200);
      expect((await ask(`${url}/api/time`, { Host: 'other.example' })).status).to.equal(421);
    });
  });

  it('is 200 connections of another machine by default', async () => {
    const listener = new HttpListener((_, response) => void response.end(), '127.0.0.1', 0);
    await listener.open();
    const { server } = await ask(listener.url);
    const stayed = connectFromElsewhere(server, 202);
    expect(stayed.filter(Boolean)).to.have.length(200);
    expect(stayed.slice(-2)).to.deep.equal([false, false]);
    await listener.close();
  });
});
