import { spawn, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { HeldPort } from '../../packages/testing/test/fixtures/held-port.js';
import { postgresUser, runProgram } from '../servers/database.js';

/** Time limit for a state of the cluster, in milliseconds. Only a failure reaches it. */
const PATIENCE_MS = 120_000;
const LOOK_MS = 200;
const NODES = ['n1', 'n2', 'n3'] as const;
const PROGRAMS = ['/usr/bin/patroni', '/usr/bin/etcd', '/usr/sbin/haproxy'];

/** The programs that this machine lacks. */
export function findMissingPrograms(): readonly string[] {
  return PROGRAMS.filter((program) => !existsSync(program));
}

/** Settings that are quicker than the defaults of Patroni: a lock that is not renewed ends after 20 seconds. */
const DCS = { ttl: 20, loop_wait: 2, retry_timeout: 3, maximum_lag_on_failover: 1_000_000_000 };

interface Node {
  readonly name: string;
  readonly folder: string;
  readonly database: HeldPort;
  readonly api: HeldPort;
  patroni: ChildProcess | undefined;
}

/** Three PostgreSQL with Patroni, an etcd that holds their lock, and a HAProxy with two ways to the primary. */
export class PatroniCluster {
  readonly #folder: string;
  readonly #programs: string;
  readonly #nodes: readonly Node[];
  readonly #etcd: readonly [HeldPort, HeldPort];
  readonly #proxies: readonly [HeldPort, HeldPort];
  readonly #others: ChildProcess[] = [];

  private constructor(
    folder: string,
    programs: string,
    nodes: readonly Node[],
    [one, two, three, four]: readonly [HeldPort, HeldPort, HeldPort, HeldPort],
  ) {
    this.#folder = folder;
    this.#programs = programs;
    this.#nodes = nodes;
    this.#etcd = [one, two];
    this.#proxies = [three, four];
  }

  /** @param programs Folder of the programs of PostgreSQL. */
  static async start(programs: string): Promise<PatroniCluster> {
    const folder = mkdtempSync('/tmp/tallybook-failover-');
    chmodSync(folder, 0o755);
    const nodes: Node[] = [];
    for (const name of NODES) {
      const place = join(folder, name);
      mkdirSync(place, { mode: 0o700 });
      own(place);
      nodes.push({
        ...{ name, folder: place, patroni: undefined },
        ...{ database: await HeldPort.take(), api: await HeldPort.take() },
      });
    }
    const ports = [1, 2, 3, 4].map(() => HeldPort.take());
    const [one, two, three, four] = (await Promise.all(ports)) as [HeldPort, HeldPort, HeldPort, HeldPort];
    const cluster = new PatroniCluster(folder, programs, nodes, [one, two, three, four]);
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
    const [fencing, lenient] = this.#proxies.map(({ port }) => this.#urlOf(`127.0.0.1:${port}`));
    const hosts = this.#nodes.map(({ database }) => `127.0.0.1:${database.port}`).join(',');
    return { fencing: fencing ?? '', lenient: lenient ?? '', direct: this.#urlOf(hosts) };
  }

  /** Asks Patroni to make another node the primary. */
  async switchOver(): Promise<void> {
    const leader = await this.#leader();
    const body = JSON.stringify({ leader: leader.name });
    await fetch(`${apiOf(leader)}/switchover`, { method: 'POST', body });
    await this.#untilLeaderIsNot(leader);
  }

  /** Kills the PostgreSQL of the primary; Patroni goes on. */
  async killDatabase(): Promise<void> {
    kill(postmasterOf(await this.#leader()), 'SIGKILL');
  }

  /** Kills the primary with its Patroni. Call {@link startMissing} afterwards. */
  async killNode(): Promise<void> {
    const leader = await this.#leader();
    leader.patroni?.kill('SIGKILL');
    kill(postmasterOf(leader), 'SIGKILL');
    await this.#untilLeaderIsNot(leader);
  }

  /**
   * Freezes the primary until another node has taken its place, and for some time after that.
   *
   * @param what `node`: with its PostgreSQL; `patroni`: the PostgreSQL goes on, and nobody fences it.
   */
  async freeze(what: 'node' | 'patroni', afterwardsMs: number): Promise<void> {
    const leader = await this.#leader();
    const frozen = [leader.patroni?.pid ?? 0, ...(what === 'node' ? processesOf(leader) : [])];
    for (const pid of frozen) kill(pid, 'SIGSTOP');
    await this.#untilLeaderIsNot(leader);
    await delay(afterwardsMs);
    for (const pid of frozen) kill(pid, 'SIGCONT');
  }

  /** Takes the etcd away: Patroni makes the primary a standby, as it cannot renew its lock. */
  async freezeEtcd(ms: number): Promise<void> {
    const [etcd] = this.#others;
    kill(etcd?.pid ?? 0, 'SIGSTOP');
    await delay(ms);
    kill(etcd?.pid ?? 0, 'SIGCONT');
  }

  /** Kills the primary while the standbys do not have its latest commits: they are lost. */
  async loseCommits(meanwhile: () => Promise<void>): Promise<void> {
    await this.#configure({ synchronous_mode: false });
    const leader = await this.#leader();
    await until(
      'asynchronous commits',
      async () => (await this.#ask(leader, 'SHOW synchronous_standby_names')) === '',
    );
    const receivers = this.#nodes.filter((node) => node !== leader).flatMap(receiversOf);
    for (const pid of receivers) kill(pid, 'SIGSTOP');
    await meanwhile();
    leader.patroni?.kill('SIGKILL');
    kill(postmasterOf(leader), 'SIGKILL');
    // What the primary has sent last is in the buffers of their sockets.
    for (const pid of receivers) kill(pid, 'SIGKILL');
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
    for (const node of this.#nodes) kill(postmasterOf(node), 'SIGQUIT');
    for (const child of this.#others) child.kill('SIGKILL');
    for (const node of this.#nodes)
      await until('the end of a database', () => Promise.resolve(!isAlive(postmasterOf(node))));
    const ports = [
      ...this.#etcd,
      ...this.#proxies,
      ...this.#nodes.flatMap(({ database, api }) => [database, api]),
    ];
    for (const port of ports) await port[Symbol.asyncDispose]();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async #startAll(): Promise<void> {
    const [client, peer] = this.#etcd.map(({ port }) => `http://127.0.0.1:${port}`);
    const etcd = ['--data-dir', join(this.#folder, 'etcd'), '--enable-v2', '--log-level', 'error'];
    const urls = [
      ...['--listen-client-urls', client ?? '', '--advertise-client-urls', client ?? ''],
      ...['--listen-peer-urls', peer ?? '', '--initial-advertise-peer-urls', peer ?? ''],
      ...['--initial-cluster', `default=${peer ?? ''}`],
    ];
    this.#others.push(spawn('/usr/bin/etcd', [...etcd, ...urls], { stdio: 'ignore' }));
    await until('the etcd', async () => (await statusOf(`${client ?? ''}/health`)) === 200);
    for (const node of this.#nodes) this.#startPatroni(node);
    await this.#untilWhole();
    const leader = await this.#leader();
    await this.#ask(leader, 'CREATE ROLE tallybook LOGIN');
    await this.#ask(leader, 'CREATE DATABASE tallybook OWNER tallybook');
    const file = join(this.#folder, 'haproxy.cfg');
    writeFileSync(file, this.#proxySettings());
    this.#others.push(spawn('/usr/sbin/haproxy', ['-db', '-f', file], { stdio: 'ignore' }));
  }

  #startPatroni(node: Node): void {
    const file = join(node.folder, 'patroni.json');
    // JSON is YAML too.
    writeFileSync(file, JSON.stringify(this.#settingsOf(node)));
    own(file);
    // Its file of passwords is in the home folder.
    const env = { PATH: process.env['PATH'], LC_ALL: 'C', HOME: node.folder };
    node.patroni = spawn('/usr/bin/patroni', [file], { stdio: 'ignore', cwd: '/', env, ...postgresUser });
  }

  #settingsOf({ name, folder, database, api }: Node): object {
    const [place, data] = [`127.0.0.1:${database.port}`, join(folder, 'data')];
    const apiPlace = `127.0.0.1:${api.port}`;
    return {
      ...{ scope: 'tally', name, etcd: { host: `127.0.0.1:${this.#etcd[0].port}` } },
      restapi: { listen: apiPlace, connect_address: apiPlace },
      bootstrap: {
        dcs: { ...DCS, synchronous_mode: true, postgresql: { use_pg_rewind: true } },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, { auth: 'trust' }, 'no-sync'],
      },
      postgresql: {
        ...{ listen: place, connect_address: place, data_dir: data, bin_dir: this.#programs },
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

  #proxySettings(): string {
    const [fencing, lenient] = this.#proxies;
    const servers = this.#nodes
      .map(({ name, database, api }) => `  server ${name} 127.0.0.1:${database.port} check port ${api.port}`)
      .join('\n');
    const listen = (name: string, port: number, down: string): string => `
listen ${name}
  bind 127.0.0.1:${port}
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
${listen('fencing', fencing.port, ' on-marked-down shutdown-sessions')}${listen('lenient', lenient.port, '')}`;
  }

  #urlOf(hosts: string): string {
    return `postgres://tallybook@${hosts}/tallybook?site=hall&sslmode=disable`;
  }

  async #ask(node: Node, sql: string): Promise<string> {
    const to = ['-h', '127.0.0.1', '-p', String(node.database.port), '-U', 'postgres', '-d', 'postgres'];
    return (await runProgram(join(this.#programs, 'psql'), [...to, '-XAtqc', sql])).trim();
  }

  async #configure(settings: object): Promise<void> {
    const body = JSON.stringify(settings);
    await fetch(`${apiOf(await this.#leader())}/config`, { method: 'PATCH', body });
  }

  async #leader(): Promise<Node> {
    const leaders: Node[] = [];
    await until('a primary', async () => {
      for (const node of this.#nodes) {
        if ((await statusOf(`${apiOf(node)}/primary`)) === 200) leaders.push(node);
      }
      return leaders.length > 0;
    });
    const [leader] = leaders;
    if (leader === undefined) throw new TypeError('there is one now');
    return leader;
  }

  async #untilLeaderIsNot(former: Node): Promise<void> {
    const others = this.#nodes.filter((node) => node !== former);
    await until('another primary', async () => {
      const states = await Promise.all(others.map((node) => statusOf(`${apiOf(node)}/primary`)));
      return states.includes(200);
    });
  }

  /** Resolves when there is a primary with a synchronous standby, and all nodes stream. */
  async #untilWhole(): Promise<void> {
    await until('three nodes in order', async () => {
      const [primary, replica, sync] = await Promise.all(
        ['primary', 'replica', 'sync'].map(async (role) => {
          const states = await Promise.all(this.#nodes.map((node) => statusOf(`${apiOf(node)}/${role}`)));
          return states.filter((state) => state === 200).length;
        }),
      );
      return primary === 1 && replica === 2 && sync === 1;
    });
  }
}

function apiOf({ api }: Node): string {
  return `http://127.0.0.1:${api.port}`;
}

async function statusOf(url: string): Promise<number | undefined> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(1_000) });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return undefined;
  }
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`${what} did not come`);
    await delay(LOOK_MS);
  }
}

function postmasterOf({ folder }: Node): number {
  try {
    return Number(readFileSync(join(folder, 'data/postmaster.pid'), 'utf8').split('\n')[0]);
  } catch {
    return 0;
  }
}

/** Processes with their parent and their title. */
function processes(): readonly { readonly pid: number; readonly parent: number; readonly title: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
        return [{ pid: Number(name), parent, title: readFileSync(`/proc/${name}/cmdline`, 'utf8') }];
      } catch {
        return [];
      }
    });
}

function processesOf(node: Node): readonly number[] {
  const postmaster = postmasterOf(node);
  return [postmaster, ...processes().flatMap(({ pid, parent }) => (parent === postmaster ? [pid] : []))];
}

function receiversOf(node: Node): readonly number[] {
  const postmaster = postmasterOf(node);
  return processes().flatMap(({ pid, parent, title }) =>
    parent === postmaster && title.includes('walreceiver') ? [pid] : [],
  );
}

function kill(pid: number, signal: NodeJS.Signals): void {
  if (pid <= 0) return;
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

function isAlive(pid: number): boolean {
  try {
    if (pid > 0) process.kill(pid, 0);
    return pid > 0;
  } catch {
    return false;
  }
}

function own(path: string): void {
  const { uid, gid } = postgresUser;
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}
