import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CommitProxy, withHost } from '../../packages/store-postgres/test/fixtures/commit-proxy.js';
import { findPrograms, TestServer } from '../../packages/store-postgres/test/fixtures/postgres-server.js';
import { until } from '../until.js';

/** Time limit for a standby to follow, in milliseconds. Only a failure reaches it. */
const PATIENCE_MS = 60_000;

/**
 * A primary and a synchronous standby: without the standby, the primary commits nothing. Each is behind a proxy that
 * can cut connections.
 */
export class Cluster {
  /** The URL for the servers: both hosts, through the proxies. */
  readonly url: string;
  #primary: TestServer;
  #standby: TestServer | undefined;
  /** That of the primary, and that of the standby. */
  #proxies: readonly [CommitProxy, CommitProxy];

  private constructor(primary: TestServer, proxies: readonly [CommitProxy, CommitProxy]) {
    this.#primary = primary;
    this.#proxies = proxies;
    const hosts = proxies.map(({ host }) => host).join(',');
    this.url = `${withHost(primary.url, hosts)}?site=reliability`;
  }

  static async start(): Promise<Cluster> {
    const primary = await TestServer.start();
    const proxies = [await CommitProxy.start(primary.port), await CommitProxy.start(primary.port)] as const;
    const cluster = new Cluster(primary, proxies);
    try {
      await cluster.#addStandby();
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  /** Ends the primary, and starts it again: `SIGINT` quickly but cleanly, the others like a crash. */
  async restart(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void> {
    await this.#primary.end(signal);
    await this.#primary.resume();
  }

  /** Kills the primary permanently. The standby becomes the primary, and gets a new standby. */
  async failOver(): Promise<void> {
    await this.#primary.end('SIGKILL');
    await this.#primary.stop();
    if (this.#standby === undefined) throw new TypeError('there is no standby');
    const [former, proxy] = this.#proxies;
    [this.#primary, this.#standby, this.#proxies] = [this.#standby, undefined, [proxy, former]];
    await this.#primary.promote();
    await this.#waitForStandby(false);
    await this.#addStandby();
  }

  /** Cuts the connection of one of the next COMMITs, before it reaches the database, or before its answer comes back. */
  cutCommits(fates: readonly ('cut-before' | 'cut-after')[]): void {
    this.#proxies[0].next(...fates);
  }

  cutAll(): void {
    for (const proxy of this.#proxies) proxy.cut();
  }

  async stop(): Promise<void> {
    for (const proxy of this.#proxies) await proxy[Symbol.asyncDispose]();
    await this.#standby?.stop();
    await this.#primary.stop();
  }

  async #addStandby(): Promise<void> {
    this.#standby = await this.#primary.startStandby();
    this.#proxies[1].databasePort = this.#standby.port;
    await this.#waitForStandby(true);
  }

  /** @param waits Whether the commits of the primary wait for a standby. */
  async #waitForStandby(waits: boolean): Promise<void> {
    const { url } = this.#primary;
    await askDatabase(url, `ALTER SYSTEM SET synchronous_standby_names = '${waits ? '*' : ''}'`);
    await askDatabase(url, 'SELECT pg_reload_conf()');
    if (!waits) return;
    const states = `SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'`;
    await until('the standby follows', async () => (await askDatabase(url, states)) === '1', PATIENCE_MS);
    // After this commit, the standby has all earlier commits too.
    await askDatabase(url, 'CREATE TABLE followed (); DROP TABLE followed');
  }
}

/** The answer of a database to a statement, as text. */
export async function askDatabase(url: string, sql: string): Promise<string> {
  const psql = join(findPrograms() ?? '', 'psql');
  return (await promisify(execFile)(psql, [url, '-XAtqc', sql], { timeout: PATIENCE_MS })).stdout.trim();
}
