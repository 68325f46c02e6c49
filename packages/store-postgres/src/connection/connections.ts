import type { Writable } from 'node:stream';
import type pg from 'pg';
import type { PostgresHost, PostgresTarget } from './postgres-url.js';
import { NoHostError, type HostFailure } from './no-host.js';
import { explainRefusal, readPassword } from './password.js';
import { prepareSession } from './session.js';
import type { Queryable, Statement } from './statement.js';
import { tlsOptions } from './tls.js';

export interface ConnectionOptions {
  /** Most connections that are open at a time; a caller that needs one more waits. */
  readonly most: number;
  /** How long a connection may sit within a transaction, in milliseconds; 0 for ever. */
  readonly idleInTransactionMs: number;
  /** Called for each new connection with the settings of its server that are not safe. */
  readonly onUnsafe?: (settings: readonly string[]) => void;
}

/** Milliseconds that it may take to connect, or to wait for a connection that is in use. */
const CONNECT_MS = 10_000;
/** Milliseconds for an answer. One that takes longer will not come, as in a network that drops everything. */
const ANSWER_MS = 30_000;
/** A connection that nobody else uses. Give it back with one of the two. */
export interface Connection extends Queryable {
  /** Rejects as well if the transaction was rolled back. */
  commit(): Promise<void>;
  /** Gives the connection back, for others to use. */
  release(): void;
  /** Ends it: its transaction is rolled back, unless it has ended already. */
  destroy(): void;
}

/**
 * Connections to the host that accepts writes, opened when they are needed. Of several hosts the one that did so last is asked
 * first.
 */
export class Connections {
  readonly #target: PostgresTarget;
  readonly #options: ConnectionOptions;
  readonly #pools = new Map<PostgresHost, pg.Pool>();
  #library: typeof pg | undefined;
  #preferred = 0;

  constructor(target: PostgresTarget, options: ConnectionOptions) {
    this.#target = target;
    this.#options = options;
  }

  /** Rejects with the error of the host, or with a {@link NoHostError} of all of them, if none can be used. */
  async take(): Promise<Connection> {
    // Loaded here, so that a service with another store does not load it.
    this.#library ??= (await import('pg')).default;
    const { hosts } = this.#target;
    const failures: HostFailure[] = [];
    for (let turn = 0; turn < hosts.length; turn++) {
      const index = (this.#preferred + turn) % hosts.length;
      const host = hosts[index];
      if (host === undefined) continue;
      try {
        const client = await this.#poolOf(this.#library, host).connect();
        this.#preferred = index;
        return new PooledConnection(client);
      } catch (error) {
        failures.push({ host, error: explainRefusal(error, { ...this.#target, ...host }) });
      }
    }
    throw failures.length === 1 ? failures[0]?.error : new NoHostError(failures);
  }

  /** Waits for connections that are in use. */
  async close(): Promise<void> {
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(pools.map((pool) => pool.end()));
  }

  #poolOf(library: typeof pg, host: PostgresHost): pg.Pool {
    const known = this.#pools.get(host);
    if (known !== undefined) return known;
    const { user, database, password } = this.#target;
    const pool = new library.Pool({
      host: host.host,
      port: host.port,
      user,
      database,
      password: password ?? (() => readPassword({ ...host, user, database })),
      ssl: tlsOptions(this.#target, host),
      application_name: 'tallybook',
      max: this.#options.most,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: ANSWER_MS,
      keepAlive: true,
      // Several statements are sent at once; each is answered for itself.
      pipeline: true,
      types: numbersOf(library),
      verify: (client, done) => {
        prepareSession(client, this.#options).then(({ unsafe }) => {
          this.#options.onUnsafe?.(unsafe);
          done();
        }, done);
      },
    });
    // A connection that is lost shows where it is used next.
    pool.on('error', () => undefined);
    pool.on('connect', (client) => client.on('error', () => undefined));
    this.#pools.set(host, pool);
    return pool;
  }
}

/** A part of pg that its types do not have. */
interface ClientWithStream {
  readonly connection: { readonly stream?: Writable };
}

class PooledConnection implements Connection {
  readonly #client: pg.PoolClient;
  #isTaken = true;

  constructor(client: pg.PoolClient) {
    this.#client = client;
  }

  async query<R extends object>(
    statement: Statement | string,
    values?: readonly unknown[],
  ): Promise<readonly R[]> {
    const config = typeof statement === 'string' ? { text: statement } : statement;
    this.#gather();
    const { rows } = await this.#client.query<R>({ ...config, ...(values && { values: [...values] }) });
    return rows;
  }

  async commit(): Promise<void> {
    this.#gather();
    const { command } = await this.#client.query('COMMIT');
    // What the server answers if a statement before it failed.
    if (command !== 'COMMIT') throw new Error(`COMMIT was answered with ${command}`);
  }

  release(): void {
    this.#giveBack(false);
  }

  destroy(): void {
    this.#giveBack(true);
  }

  /** What is sent in one turn goes out at once: a statement by itself wakes the server for nothing else. */
  #gather(): void {
    const { stream } = (this.#client as Partial<ClientWithStream>).connection ?? {};
    if (stream === undefined) return;
    stream.cork();
    process.nextTick(() => stream.uncork());
  }

  #giveBack(isBroken: boolean): void {
    if (!this.#isTaken) return;
    this.#isTaken = false;
    this.#client.release(isBroken);
  }
}

/** Everything that is counted here is at most 2^53 - 1, so it comes as a number. */
function numbersOf({ TypeOverrides, types }: typeof pg): pg.TypeOverrides {
  const numbers = new TypeOverrides();
  numbers.setTypeParser(types.builtins.INT8, Number);
  return numbers;
}
