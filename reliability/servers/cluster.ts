import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CommitProxy } from '../../packages/store-postgres/test/fixtures/commit-proxy.js';
import { Database } from './database.js';

/**
 * A primary and a synchronous standby: without the standby, the primary commits nothing. Each is behind a proxy that
 * can cut connections.
 */
export class Cluster {
  readonly #folder: string;
  readonly #databases: readonly [Database, Database];
  readonly #proxies: readonly [CommitProxy, CommitProxy];
  /** Which one of them is the primary. */
  #primary: 0 | 1 = 0;

  private constructor(
    folder: string,
    databases: readonly [Database, Database],
    proxies: readonly [CommitProxy, CommitProxy],
  ) {
    this.#folder = folder;
    this.#databases = databases;
    this.#proxies = proxies;
  }

  static async start(programs: string): Promise<Cluster> {
    // Not below the folder of this run: other users have no access to that.
    const folder = mkdtempSync('/tmp/tallybook-servers-');
    chmodSync(folder, 0o755);
    const databases = [
      await Database.at(join(folder, 'one'), programs),
      await Database.at(join(folder, 'two'), programs),
    ] as const;
    const proxies = [
      await CommitProxy.start(databases[0].port),
      await CommitProxy.start(databases[1].port),
    ] as const;
    const cluster = new Cluster(folder, databases, proxies);
    try {
      await databases[0].initialise();
      await databases[0].start();
      await cluster.#addStandby();
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  /** The URL for the servers: both hosts, through the proxies. */
  get url(): string {
    const hosts = this.#proxies.map(({ host }) => host);
    return `postgres://tallybook@${hosts.join(',')}/postgres?site=reliability`;
  }

  /** Stops the primary cleanly, and starts it again. */
  async restart(): Promise<void> {
    await this.#now.end('SIGINT');
    await this.#now.start();
  }

  /** Kills the primary, and starts it again. */
  async crash(signal: 'SIGQUIT' | 'SIGKILL'): Promise<void> {
    await this.#now.end(signal);
    await this.#now.start();
  }

  /** Kills the primary permanently. The standby becomes the primary, and gets a new standby. */
  async failOver(): Promise<void> {
    await this.#now.end('SIGKILL');
    this.#primary = this.#primary === 0 ? 1 : 0;
    await this.#now.promote();
    await this.#now.waitForStandby(false);
    await this.#addStandby();
  }

  /** Cuts the connection of one of the next COMMITs, before it reaches the database, or before its answer comes back. */
  cutCommits(fates: readonly ('cut-before' | 'cut-after')[]): void {
    this.#proxies[this.#primary].next(...fates);
  }

  cutAll(): void {
    for (const proxy of this.#proxies) proxy.cut();
  }

  async stop(): Promise<void> {
    for (const proxy of this.#proxies) await proxy.stop();
    for (const database of this.#databases) await database.stop();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  get #now(): Database {
    return this.#databases[this.#primary];
  }

  async #addStandby(): Promise<void> {
    const standby = this.#databases[this.#primary === 0 ? 1 : 0];
    await standby.end('SIGQUIT');
    await standby.copy(this.#now);
    await standby.start();
    await this.#now.waitForStandby(true);
  }
}
