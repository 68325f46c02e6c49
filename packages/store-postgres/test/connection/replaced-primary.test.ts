import assert from 'node:assert/strict';
import { migratePostgres } from '@tallybook/store-postgres';
import { Connections } from '../../src/connection/connections.js';
import { parsePostgresUrl } from '../../src/connection/postgres-url.js';
import { Timelines } from '../../src/connection/session.js';
import { withHost } from '../fixtures/commit-proxy.js';
import { useOwnServer } from '../fixtures/postgres.js';
import type { TestServer } from '../fixtures/postgres-server.js';

const options = { most: 2, idleInTransactionMs: 0 };

describe('A primary that a standby has replaced, and that still runs', () => {
  let standby: TestServer;
  const primary = useOwnServer(async (server) => {
    await migratePostgres(server.url);
    standby = await server.startStandby();
  });
  const open: Connections[] = [];

  after(async () => {
    for (const each of open) await each.close();
    await (standby as TestServer | undefined)?.stop();
  });

  const both = (): string => withHost(primary.url, `127.0.0.1:${primary.port},127.0.0.1:${standby.port}`);

  function connect(timelines: Timelines, url = both()): Connections {
    const made = new Connections(parsePostgresUrl(url), { ...options, timelines });
    open.push(made);
    return made;
  }

  async function portOf(connections: Connections): Promise<number | undefined> {
    const connection = await connections.take();
    const [row] = await connection.query<{ port: number }>('SELECT inet_server_port() AS port');
    connection.release();
    return row?.port;
  }

  it('is left by all connections of a store as soon as one of them has seen the new primary', async () => {
    const timelines = new Timelines();
    const [asking, other, alone] = [connect(timelines), connect(timelines), connect(timelines, primary.url)];
    assert.equal(await portOf(asking), primary.port);
    assert.equal(await portOf(other), primary.port);
    assert.equal(await portOf(alone), primary.port);
    await standby.promote();
    // Nobody has seen it yet.
    assert.equal(await portOf(other), primary.port);
    await asking.askOthers();
    for (const each of [asking, other]) assert.equal(await portOf(each), standby.port);
    await assert.rejects(alone.take(), /a standby has replaced it/);
  });

  it('is not used at the start if the new primary was seen before', async () => {
    const timelines = new Timelines();
    assert.equal(await portOf(connect(timelines, standby.url)), standby.port);
    assert.equal(await portOf(connect(timelines)), standby.port);
  });
});
