import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { RecordedTimers } from '../../../testing/test/fixtures/recorded-timers.js';
import { Connections, LIFETIME_SECONDS } from '../../src/connection/connections.js';
import { NoHostError } from '../../src/connection/postgres-errors.js';
import { parsePostgresUrl, type PostgresTarget } from '../../src/connection/postgres-url.js';
import { CommitProxy, withHost } from '../fixtures/commit-proxy.js';
import { usePostgres } from '../fixtures/postgres.js';

/** A host that a test takes away and brings back. */
class Host {
  readonly #proxy: CommitProxy;
  /** How many connections were asked for. */
  asked = 0;
  isThere = true;

  constructor(proxy: CommitProxy) {
    this.#proxy = proxy;
    proxy.isOpen = () => {
      this.asked++;
      return this.isThere;
    };
  }

  get host(): string {
    return this.#proxy.host;
  }

  goAway(): void {
    this.isThere = false;
    this.#proxy.cut();
  }

  stop(): Promise<void> {
    return this.#proxy[Symbol.asyncDispose]();
  }
}

describe('Of several hosts of a PostgreSQL', () => {
  const postgres = usePostgres();
  let hosts: readonly Host[];
  let connections: Connections;

  beforeEach(async () => {
    hosts = await Promise.all(
      [1, 2, 3].map(async () => new Host(await CommitProxy.start(postgres.current.port))),
    );
    connections = new Connections(targetOf(postgres.current.url), { most: 2, idleInTransactionMs: 0 });
  });

  afterEach(async () => {
    await connections.close();
    for (const host of hosts) await host.stop();
  });

  function targetOf(url: string): PostgresTarget {
    const all = hosts.map(({ host }) => host).join();
    return parsePostgresUrl(withHost(url, all));
  }

  it('are closed at once, although one that is asked never answers', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const url = withHost(postgres.current.url, `${hosts[0]?.host ?? ''},127.0.0.1:${port}`);
    const those = new Connections(parsePostgresUrl(url), { most: 2, idleInTransactionMs: 0 });
    (await those.take()).release();
    const [asking] = [those.askOthers(), await once(silent, 'connection')];
    const from = performance.now();
    await those.close();
    await asking;
    assert.ok(performance.now() - from < 5_000);
    silent.close();
  });

  /** How many connections each was asked for by taking one. */
  async function askedByTaking(): Promise<readonly number[]> {
    for (const host of hosts) host.asked = 0;
    const connection = await connections.take();
    await connection.query('SELECT 1');
    connection.destroy();
    return hosts.map(({ asked }) => asked);
  }

  it('the one that accepted writes last is asked first, then those after it, and then those before it', async () => {
    const [first, second, third] = hosts;
    assert.deepEqual(await askedByTaking(), [1, 0, 0]);
    first?.goAway();
    assert.deepEqual(await askedByTaking(), [1, 1, 0]);
    if (first) first.isThere = true;
    assert.deepEqual(await askedByTaking(), [0, 1, 0]);
    second?.goAway();
    assert.deepEqual(await askedByTaking(), [0, 1, 1]);
    third?.goAway();
    assert.deepEqual(await askedByTaking(), [1, 0, 1]);
  });

  it('the others are asked before one whose answer was lost, or that holds a lock for too long', async () => {
    await askedByTaking();
    for (const host of hosts) host.asked = 0;
    (await connections.take()).abandon();
    (await connections.take()).release();
    assert.deepEqual(
      hosts.map(({ asked }) => asked),
      [1, 1, 0],
    );
  });

  it('the one in use is left after the lifetime of its connections', async () => {
    using timers = new RecordedTimers();
    (await connections.take()).release();
    timers.expire(LIFETIME_SECONDS * 1_000);
    assert.deepEqual(await askedByTaking(), [1, 0, 0]);
  });

  it('all are named, each with its reason, if none can be used', async () => {
    for (const host of hosts) host.goAway();
    await assert.rejects(connections.take(), (error) => {
      assert.ok(error instanceof NoHostError);
      assert.deepEqual(
        error.failures.map(({ host }) => host),
        targetOf(postgres.current.url).hosts,
      );
      for (const { port } of targetOf(postgres.current.url).hosts)
        assert.ok(error.message.includes(`127.0.0.1:${port}: Connection terminated`), error.message);
      assert.equal(error.cause, error.failures.at(-1)?.error);
      return true;
    });
  });

  it('an address of IPv6 is named in brackets', () => {
    const { message } = new NoHostError([
      { host: { host: '::1', port: 5432 }, error: new Error('no') },
      { host: { host: 'db', port: 1 }, error: new Error('neither') },
    ]);
    assert.equal(message, 'no host can be used ([::1]:5432: no; db:1: neither)');
  });
});
