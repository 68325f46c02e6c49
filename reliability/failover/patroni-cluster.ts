import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findPrograms, own, userOf } from '../../packages/store-postgres/test/fixtures/postgres-server.js';
import { HeldPort } from '../../packages/testing/test/fixtures/held-port.js';
import { askDatabase } from '../servers/cluster.js';
import { until } from '../until.js';

/** Time limit for a state of the cluster, in milliseconds. Only a failure reaches it. */
const PATIENCE_MS = 120_000;
const LOOK_MS = 200;
const NODES = ['n1', 'n2', 'n3'] as const;
const PROGRAMS = ['/usr/bin/patroni', '/usr/bin/etcd', '/usr/sbin/haproxy'];

/** The programs that this machine lacks. */
export function findMissingPrograms(): readonly string[] {
  const missing = PROGRAMS.filter((program) => !existsSync(program));
  return findPrograms() === undefined ? [...missing, 'PostgreSQL'] : missing;
}

/** Settings that are quicker than the defaults of Patroni: a lock that is not renewed ends after 20 seconds. */
const DCS = { ttl: 20, loop_wait: 2, retry_timeout: 3, maximum_lag_on_failover: 1_000_000_000 };

/** A PostgreSQL and its Patroni, with their addresses. */
interface Node {
  readonly name: string;
  readonly folder: string;
  readonly database: string;
  readonly api: string;
  patroni: ChildProcess | undefined;
}

/** Three PostgreSQL with Patroni, an etcd that holds their lock, and a HAProxy with two ways to the primary. */
export class PatroniCluster {
  readonly #folder = mkdtempSync('/tmp/tallybook-failover-');
  readonly #nodes: Node[] = [];
  readonly #others: ChildProcess[] = [];
  readonly #held: HeldPort[] = [];
  readonly #urls = { fencing: '', lenient: '', direct: '' };

  static async start(): Promise<PatroniCluster> {
    const cluster = new PatroniCluster();
    try {
      await cluster.#startAll();
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  /** URLs for servers: through a proxy that ends the connections to a former primary, through one that does not, and without one. */
  get urls(): Readonly<Record<'fencing' | 'lenient' | 'direct', string>> {
    return this.#urls;
  }

  /** Asks Patroni to make another node the primary. */
  async switchOver(): Promise<void> {
    const leader = await this.#leader();
    const body = JSON.stringify({ leader: leader.name });
    await fetch(`http://${leader.api}/switchover`, { method: 'POST', body });
    await this.#untilLeaderIsNot(leader);
  }

  /** Kills the PostgreSQL of the primary; Patroni goes on. */
  async killDatabase(): Promise<void> {
    signal(postmasterOf(await this.#leader()), 'SIGKILL');
  }

  /** Kills the primary with its Patroni. Call {@link startMissing} afterwards. */
  async killNode(): Promise<void> {
    const leader = await this.#leader();
    killNode(leader);
    await this.#untilLeaderIsNot(leader);
  }

  /**
   * Freezes the primary until another node has taken its place, and for some time after that.
   *
   * @param what `node`: with its PostgreSQL; `patroni`: the PostgreSQL goes on, and nobody fences it.
   */
  async freeze(what: 'node' | 'patroni', afterwardsMs: number): Promise<void> {
    const leader = await this.#leader();
    const database = what === 'node' ? [postmasterOf(leader), ...childrenOf(leader)] : [];
    const frozen = [leader.patroni?.pid ?? 0, ...database];
    for (const pid of frozen) signal(pid, 'SIGSTOP');
    await this.#untilLeaderIsNot(leader);
    await delay(afterwardsMs);
    for (const pid of frozen) signal(pid, 'SIGCONT');
  }

  /** Takes the etcd away: Patroni makes the primary a standby, as it cannot renew its lock. */
  async freezeEtcd(ms: number): Promise<void> {
    const [etcd] = this.#others;
    signal(etcd?.pid ?? 0, 'SIGSTOP');
    await delay(ms);
    signal(etcd?.pid ?? 0, 'SIGCONT');
  }

  /** Kills the primary while the standbys do not have its latest commits: they are lost. */
  async loseCommits(meanwhile: () => Promise<void>): Promise<void> {
    await this.#configure({ synchronous_mode: false });
    const leader = await this.#leader();
    await this.#until(
      'commits are asynchronous',
      async () => (await ask(leader, 'SHOW synchronous_standby_names')) === '',
    );
    const standbys = this.#nodes.filter((node) => node !== leader);
    const receivers = standbys
      .flatMap(childrenOf)
      .filter((pid) => read(`/proc/${pid}/cmdline`).includes('walreceiver'));
    for (const pid of receivers) signal(pid, 'SIGSTOP');
    await meanwhile();
    killNode(leader);
    // What the primary has sent last is in the buffers of their sockets.
    for (const pid of receivers) signal(pid, 'SIGKILL');
    await this.#untilLeaderIsNot(leader);
    await this.#configure({ synchronous_mode: true });
  }

  /** Starts killed nodes again, and resolves when all three are in order. */
  async startMissing(): Promise<void> {
    for (const node of this.#nodes) {
      if (node.patroni?.exitCode !== null || node.patroni.signalCode !== null) this.#startPatroni(node);
    }
    await this.#untilWhole();
  }

  async stop(): Promise<void> {
    for (const { patroni } of this.#nodes) patroni?.kill('SIGKILL');
    for (const node of this.#nodes) signal(postmasterOf(node), 'SIGQUIT');
    for (const child of this.#others) child.kill('SIGKILL');
    for (const node of this.#nodes)
      await this.#until('a database has ended', () => !signal(postmasterOf(node), 0));
    for (const port of this.#held) await port[Symbol.asyncDispose]();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async #startAll(): Promise<void> {
    chmodSync(this.#folder, 0o755);
    const [etcd, peer] = [await this.#takePlace(), await this.#takePlace()];
    for (const name of NODES) {
      const folder = join(this.#folder, name);
      mkdirSync(folder, { mode: 0o700 });
      own(folder);
      const places = { database: await this.#takePlace(), api: await this.#takePlace() };
      this.#nodes.push({ name, folder, ...places, patroni: undefined });
    }
    const [client, others] = [`http://${etcd}`, `http://${peer}`];
    const options = [
      ...['--data-dir', join(this.#folder, 'etcd'), '--enable-v2', '--log-level', 'error'],
      ...['--listen-client-urls', client, '--advertise-client-urls', client],
      ...['--listen-peer-urls', others, '--initial-advertise-peer-urls', others],
      ...['--initial-cluster', `default=${others}`],
    ];
    this.#others.push(spawn('/usr/bin/etcd', options, { stdio: 'ignore' }));
    await this.#until('the etcd answers', () => isOk(`${client}/health`));
    for (const node of this.#nodes) {
      const file = settingsOf(node);
      // JSON is YAML too.
      writeFileSync(file, JSON.stringify(this.#settingsOf(node, etcd)));
      own(file);
      this.#startPatroni(node);
    }
    await this.#untilWhole();
    const leader = await this.#leader();
    await ask(leader, 'CREATE ROLE tallybook LOGIN');
    await ask(leader, 'CREATE DATABASE tallybook OWNER tallybook');
    const proxies = { fencing: await this.#takePlace(), lenient: await this.#takePlace() };
    const file = join(this.#folder, 'haproxy.cfg');
    writeFileSync(file, this.#proxySettings(proxies));
    this.#others.push(spawn('/usr/sbin/haproxy', ['-db', '-f', file], { stdio: 'ignore' }));
    const hosts = { ...proxies, direct: this.#nodes.map(({ database }) => database).join(',') };
    for (const [way, places] of Object.entries(hosts)) {
      Object.assign(this.#urls, {
        [way]: `postgres://tallybook@${places}/tallybook?site=hall&sslmode=disable`,
      });
    }
  }

  /** A free address of this machine, until the end. */
  async #takePlace(): Promise<string> {
    const held = await HeldPort.take();
    this.#held.push(held);
    return `127.0.0.1:${held.port}`;
  }

  #startPatroni(node: Node): void {
    // Its file of passwords is in the home folder.
    const env = { PATH: process.env['PATH'], LC_ALL: 'C', HOME: node.folder };
    const options = { stdio: 'ignore', cwd: '/', env, ...userOf() } as const;
    node.patroni = spawn('/usr/bin/patroni', [settingsOf(node)], options);
  }

  #settingsOf({ name, folder, database, api }: Node, etcd: string): object {
    const data = join(folder, 'data');
    return {
      ...{ scope: 'tally', name, etcd: { host: etcd } },
      restapi: { listen: api, connect_address: api },
      bootstrap: {
        dcs: { ...DCS, synchronous_mode: true, postgresql: { use_pg_rewind: true } },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, { auth: 'trust' }, 'no-sync'],
      },
      postgresql: {
        ...{ listen: database, connect_address: database, data_dir: data, bin_dir: findPrograms() },
        pg_hba: [
          'local all all trust',
          'host all all 127.0.0.1/32 trust',
          'host replication all 127.0.0.1/32 trust',
        ],
        authentication: {
          superuser: { username: 'postgres', password: 'x' },
          replication: { username: 'replicator', password: 'x' },
        },
        parameters: {
          ...{ unix_socket_directories: folder, shared_buffers: '16MB', wal_log_hints: 'on' },
          ...{ fsync: 'off', max_connections: 200 },
        },
      },
    };
  }

  #proxySettings({ fencing, lenient }: Readonly<Record<'fencing' | 'lenient', string>>): string {
    const servers = this.#nodes
      .map(({ name, database, api }) => `  server ${name} ${database} check port ${api.split(':')[1]}`)
      .join('\n');
    const listen = (name: string, place: string, down: string): string => `
listen ${name}
  bind ${place}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 3 rise 2${down}
${servers}
`;
    return `defaults
  mode tcp
  timeout connect 2s
  timeout client 30m
  timeout server 30m
  timeout check 2s
${listen('fencing', fencing, ' on-marked-down shutdown-sessions')}${listen('lenient', lenient, '')}`;
  }

  async #configure(settings: object): Promise<void> {
    const body = JSON.stringify(settings);
    await fetch(`http://${(await this.#leader()).api}/config`, { method: 'PATCH', body });
  }

  async #nodesAs(role: 'primary' | 'replica' | 'sync'): Promise<readonly Node[]> {
    const answers = await Promise.all(this.#nodes.map(({ api }) => isOk(`http://${api}/${role}`)));
    return this.#nodes.filter((_, index) => answers[index]);
  }

  #leader(): Promise<Node> {
    return this.#until('there is a primary', async () => (await this.#nodesAs('primary'))[0]);
  }

  async #untilLeaderIsNot(former: Node): Promise<void> {
    await this.#until('there is another primary', async () =>
      (await this.#nodesAs('primary')).find((node) => node !== former),
    );
  }

  /** Resolves when there is a primary with a synchronous standby, and all nodes stream. */
  async #untilWhole(): Promise<void> {
    await this.#until('three nodes are in order', async () => {
      const roles = ['primary', 'replica', 'sync'] as const;
      const nodes = await Promise.all(roles.map((role) => this.#nodesAs(role)));
      return nodes.map(({ length }) => length).join() === '1,2,1';
    });
  }

  #until<T>(what: string, find: () => T | Promise<T>): Promise<Exclude<T, undefined | false>> {
    return until(what, find, PATIENCE_MS, LOOK_MS);
  }
}

function settingsOf({ folder }: Node): string {
  return join(folder, 'patroni.json');
}

function ask({ database }: Node, sql: string): Promise<string> {
  return askDatabase(`postgres://postgres@${database}/postgres`, sql);
}

async function isOk(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(1_000) });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}

function killNode(node: Node): void {
  node.patroni?.kill('SIGKILL');
  signal(postmasterOf(node), 'SIGKILL');
}

/** The process of the PostgreSQL of a node; 0 if there is none. */
function postmasterOf({ folder }: Node): number {
  return Number(read(join(folder, 'data/postmaster.pid')).split('\n')[0]);
}

function childrenOf(node: Node): readonly number[] {
  const pid = postmasterOf(node);
  return read(`/proc/${pid}/task/${pid}/children`).trim().split(' ').map(Number);
}

/** A file; empty if it is not there. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Whether a process is there. It gets the signal; 0 is none. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return pid > 0 && process.kill(pid, name);
  } catch {
    return false;
  }
}
