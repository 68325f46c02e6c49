import { createHash } from 'node:crypto';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import type pg from 'pg';
import { tlsOptions, type PostgresHost, type PostgresTarget } from './postgres-url.js';
import { NoHostError, type HostFailure } from './postgres-errors.js';
import { explainRefusal, readPassword } from './password.js';
import { prepareSession } from './prepare-session.js';
import type { Session, Queryable, Timelines } from './session.js';

export interface ConnectionOptions {
  /** Largest number of open connections. A caller that needs one more waits. */
  readonly most: number;
  /** How long a connection may be idle within a transaction, in milliseconds; 0: without a limit. */
  readonly idleInTransactionMs: number;
  /** Called for each new connection with the unsafe settings of its server. */
  readonly onUnsafe?: (settings: readonly string[]) => void;
  /** Shared by all connections of a store, so that none of them uses a server that was replaced. */
  readonly timelines?: Timelines;
}

/** Limit for connecting, and for waiting until a used connection is free, in milliseconds. */
const CONNECT_MS = 10_000;
/** Limit for an answer, in milliseconds. A later answer is taken for lost, for example in a network that drops all packets. */
const ANSWER_MS = 30_000;
/**
 * Age at which a connection is replaced by a new one, in seconds. So a server that was replaced, but still runs, is left: its old
 * connections would never fail.
 */
export const LIFETIME_SECONDS = 30;

/** The transaction was rolled back at its COMMIT, because an earlier statement failed. */
export class RolledBack extends Error {
  constructor(answer: string) {
    super(`COMMIT was answered with ${answer}`);
  }
}

/** A connection that nobody else uses. Give it back with `release` or `destroy`. */
export interface Connection extends Queryable {
  readonly session: Session;
  /** Rejects with {@link RolledBack} if that was the answer. */
  commit(): Promise<void>;
  /** Gives the connection back for others. */
  release(): void;
  /** Ends the connection. Its transaction is rolled back, unless it has ended already. */
  destroy(): void;
  /** Ends the connection as {@link destroy} does. The other hosts are asked before this one, which may have been replaced. */
  abandon(): void;
}

/**
 * Connections to the host that accepts writes, opened when they are needed. With several hosts, the last one that accepted writes
 * is tried first.
 */
export class Connections {
  readonly #target: PostgresTarget;
  readonly #options: ConnectionOptions;
  readonly #pools = new Map<PostgresHost, pg.Pool>();
  readonly #sessions = new WeakMap<object, Session>();
  /** Open sockets of the hosts that are asked at the moment. */
  readonly #asked = new Set<Set<Socket>>();
  readonly #sockets = new WeakMap<pg.Pool, Set<Socket>>();
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
    const first = this.#preferred;
    for (let turn = 0; turn < hosts.length; turn++) {
      const index = (first + turn) % hosts.length;
      const host = hosts[index];
      if (host === undefined) continue;
      try {
        const connection = await this.#takeFrom(this.#library, host, index);
        this.#preferred = index;
        return connection;
      } catch (error) {
        failures.push({ host, error: explainRefusal(error, { ...this.#target, ...host }) });
      }
    }
    throw failures.length === 1 ? failures[0]?.error : new NoHostError(failures);
  }

  /** Connects to the hosts that are not in use. If one of them has replaced the one in use, the {@link Timelines} learn it. */
  async askOthers(): Promise<void> {
    const library = this.#library;
    if (library === undefined) return;
    const others = this.#target.hosts.filter((_, index) => index !== this.#preferred);
    const ask = async (host: PostgresHost): Promise<void> => {
      const pool = this.#poolOf(library, host);
      const sockets = this.#sockets.get(pool) ?? new Set();
      this.#asked.add(sockets);
      try {
        (await pool.connect()).release();
      } finally {
        this.#asked.delete(sockets);
      }
    };
    await Promise.allSettled(others.map(ask));
  }

  /** Waits for used connections, but not for a host that is only asked: it may never answer. */
  async close(): Promise<void> {
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    for (const sockets of this.#asked) for (const socket of sockets) socket.destroy();
    await Promise.all(pools.map((pool) => pool.end()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #takeFrom(library: typeof pg, host: PostgresHost, index: number): Promise<Connection> {
    for (;;) {
      const client = await this.#poolOf(library, host).connect();
      const session = this.#sessions.get(client);
      if (session !== undefined && this.#options.timelines?.isReplaced(session) !== true) {
        const askOthersFirst = (): void => {
          this.#preferred = (index + 1) % this.#target.hosts.length;
        };
        return new PooledConnection(client, session, askOthersFirst);
      }
      // Its server was replaced after it connected. A new connection there is refused.
      client.release(true);
    }
  }

  #poolOf(library: typeof pg, host: PostgresHost): pg.Pool {
    const known = this.#pools.get(host);
    if (known !== undefined) return known;
    const { user, database, password } = this.#target;
    const sockets = new Set<Socket>();
    const pool = new library.Pool({
      stream: () => {
        const socket = new Socket();
        sockets.add(socket);
        return socket.once('close', () => sockets.delete(socket));
      },
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
      maxLifetimeSeconds: LIFETIME_SECONDS,
      keepAlive: true,
      // Several statements are sent at once; each has its own answer.
      pipeline: true,
      types: numbersOf(library),
      verify: (client, done) => {
        prepareSession(client, this.#options).then((session) => {
          if (this.#options.timelines?.isReplaced(session) === true) {
            done(new Error('the server does not accept writes: a standby has replaced it'));
            return;
          }
          this.#sessions.set(client, session);
          this.#options.onUnsafe?.(session.unsafe);
          done();
        }, done);
      },
    });
    // The next use of a lost connection shows the error.
    pool.on('error', () => undefined);
    pool.on('connect', (client) => client.on('error', () => undefined));
    this.#pools.set(host, pool);
    this.#sockets.set(pool, sockets);
    return pool;
  }
}

/** A part of pg that is missing in its types. */
interface ClientWithStream {
  readonly connection: { readonly stream?: Writable };
}

class PooledConnection implements Connection {
  readonly session: Session;
  readonly #client: pg.PoolClient;
  readonly #askOthersFirst: () => void;
  #isTaken = true;

  constructor(client: pg.PoolClient, session: Session, askOthersFirst: () => void) {
    this.session = session;
    this.#client = client;
    this.#askOthersFirst = askOthersFirst;
  }

  async query<R extends object>(statement: string, values?: readonly unknown[]): Promise<readonly R[]> {
    const prepared = values && { name: nameOf(statement), values: [...values] };
    this.#gather();
    return (await this.#client.query<R>({ text: statement, ...prepared })).rows;
  }

  async commit(): Promise<void> {
    this.#gather();
    const { command } = await this.#client.query('COMMIT');
    // The server answers with another command if an earlier statement failed.
    if (command !== 'COMMIT') throw new RolledBack(command);
  }

  release(): void {
    this.#giveBack(false);
  }

  destroy(): void {
    this.#giveBack(true);
  }

  abandon(): void {
    this.#giveBack(true);
    this.#askOthersFirst();
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

const names = new Map<string, string>();

/** The name of SQL with values: because it has one, the database plans it once for each connection. */
function nameOf(statement: string): string {
  const name = names.get(statement) ?? createHash('sha256').update(statement).digest('hex').slice(0, 32);
  names.set(statement, name);
  return name;
}

/** All counted values are at most 2^53 - 1, so integers of 64 bits are read as numbers. */
function numbersOf({ TypeOverrides, types }: typeof pg): pg.TypeOverrides {
  const numbers = new TypeOverrides();
  numbers.setTypeParser(types.builtins.INT8, Number);
  return numbers;
}
