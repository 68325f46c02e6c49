import type { Writable } from 'node:stream';
import type pg from 'pg';
import type { PostgresHost, PostgresTarget } from './postgres-url.js';
import { NoHostError, type HostFailure } from './no-host.js';
import { explainRefusal, readPassword } from './password.js';
import { prepareSession } from './session.js';
import type { Queryable, Statement } from './statement.js';
import { tlsOptions } from './tls.js';

export interface ConnectionOptions {
  /** Largest number of open connections. A caller that needs one more waits. */
  readonly most: number;
  /** How long a connection may be idle within a transaction, in milliseconds; 0: without a limit. */
  readonly idleInTransactionMs: number;
  /** Called for each new connection with the unsafe settings of its server. */
  readonly onUnsafe?: (settings: readonly string[]) => void;
}

/** Limit for connecting, and for waiting until a used connection is free, in milliseconds. */
const CONNECT_MS = 10_000;
/** Limit for an answer, in milliseconds. A later answer is taken for lost, for example in a network that drops all packets. */
const ANSWER_MS = 30_000;
/** A connection that nobody else uses. Give it back with `release` or `destroy`. */
export interface Connection extends Queryable {
  /** Rejects also if the transaction was rolled back. */
  commit(): Promise<void>;
  /** Gives the connection back for others. */
  release(): void;
  /** Ends the connection. Its transaction is rolled back, unless it has ended already. */
  destroy(): void;
}

/**
 * Connections to the host that accepts writes, opened when they are needed. With several hosts, the last one that accepted writes
 * is tried first.
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

  /** If no host can be used, rejects with the error of the only host, or with a {@link NoHostError} of all hosts. */
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

  /** Waits for used connections. */
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
      // Several statements are sent at once; each has its own answer.
      pipeline: true,
      types: numbersOf(library),
      verify: (client, done) => {
        prepareSession(client, this.#options).then(({ unsafe }) => {
          this.#options.onUnsafe?.(unsafe);
          done();
        }, done);
      },
    });
    // The next use of a lost connection shows the error.
    pool.on('error', () => undefined);
    pool.on('connect', (client) => client.on('error', () => undefined));
    this.#pools.set(host, pool);
    return pool;
  }
}

/** A part of pg that is missing in its types. */
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
    // The server answers with another command if an earlier statement failed.
    if (command !== 'COMMIT') throw new Error(`COMMIT was answered with ${command}`);
  }

  release(): void {
    this.#giveBack(false);
  }

  destroy(): void {
    this.#giveBack(true);
  }

  /** Sends all statements of one turn together: each separate packet would wake the server. */
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

/** All counted values are at most 2^53 - 1, so integers of 64 bits are read as numbers. */
function numbersOf({ TypeOverrides, types }: typeof pg): pg.TypeOverrides {
  const numbers = new TypeOverrides();
  numbers.setTypeParser(types.builtins.INT8, Number);
  return numbers;
}
