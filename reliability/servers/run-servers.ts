import { setTimeout as delay } from 'node:timers/promises';
import { RoundRobin } from '../../packages/server/test/fixtures/http/round-robin.js';
import { findPrograms } from '../../packages/store-postgres/test/fixtures/postgres-server.js';
import type { Part } from '../part.js';
import { Random } from '../random.js';
import { Cluster } from './cluster.js';
import { insist } from '../ask.js';
import { followStream } from './follow-stream.js';
import { Load, SIGNER } from './load.js';
import { biteDevices, proveBite } from './prove-bite.js';
import { readAll } from './read-all.js';
import { migrate, Server } from './server.js';
import { ServersLedger } from './servers-ledger.js';
import { lastTagOf, type Subject } from './subject.js';

const COUNT = 60;
const SHORT_COUNT = 5;
/** Acknowledgements between two faults. */
const BETWEEN = { least: 20, most: 150 } as const;
const PREFIX = 'A0';
const DEVICES = Array.from({ length: 8 }, (_, n) => `d${n}`);

interface World {
  readonly cluster: Cluster;
  readonly servers: readonly Server[];
  readonly random: Random;
  readonly headers: Subject['headers'];
}

/** The faults. They happen in turn, so that each one happens. */
const faults: Readonly<Record<string, (world: World) => Promise<void>>> = {
  'killed servers': async ({ servers, random }) => {
    const server = random.pick(servers);
    await server.end('SIGKILL');
    await server.start();
  },
  'COMMITs cut off': async ({ cluster, random }) => {
    const fates = ['cut-before', 'cut-after'] as const;
    cluster.cutCommits(Array.from({ length: random.between(1, 4) }, () => random.pick(fates)));
    await delay(0);
  },
  'fast stops of the database': ({ cluster }) => cluster.restart('SIGINT'),
  'killed databases': ({ cluster, random }) => cluster.restart(random.pick(['SIGQUIT', 'SIGKILL'])),
  'fail-overs to the standby': ({ cluster }) => cluster.failOver(),
  'cuts of all connections': async ({ cluster }) => {
    cluster.cutAll();
    await delay(0);
  },
  'servers that were ended in order': async ({ servers, random }) => {
    const server = random.pick(servers);
    await server.end('SIGTERM');
    await server.start();
  },
};

/**
 * Puts load on two servers behind a load balancer, with one PostgreSQL and its synchronous standby. Kills servers and
 * databases, and cuts connections during COMMIT. Compares the data at the end with the requests and their answers.
 */
export const runServers: Part = async ({ seed, count, isShort }) => {
  if (findPrograms() === undefined)
    return { figures: [], failures: [], notRun: 'PostgreSQL is not installed' };
  const total = count ?? (isShort ? SHORT_COUNT : COUNT);
  const random = new Random(seed);
  const cluster = await Cluster.start();
  const devices = [...DEVICES, ...biteDevices];
  const readers = devices.flatMap((device) => ['--reader', `http:${device}?time=device`]);
  const settings = ['--clock', 'trusted', '--repeat-window', '0', '--backlog', '0', ...readers];
  const servers = [0, 1].map(() => new Server('--store', cluster.url, ...settings));
  let balancer: RoundRobin | undefined;
  try {
    await migrate(cluster.url);
    for (const server of servers) await server.start();
    balancer = await RoundRobin.start(servers.map(({ url }) => url));
    const headers = await claim(balancer.url);
    const outcome = await runFaults(balancer.url, { cluster, servers, random, headers }, total);
    const { figures, missed } = await proveBite(servers, headers, random.fork());
    return {
      figures: [...outcome.figures, ...figures],
      failures: [...outcome.failures, ...missed],
    };
  } catch (error) {
    const said = servers.map((server) => server.said).join('\n--\n');
    throw new Error(`the servers said:\n${said}`, { cause: error });
  } finally {
    await balancer?.stop();
    for (const server of servers) await server.end('SIGKILL');
    await cluster.stop();
  }
};

async function runFaults(url: string, world: World, total: number): ReturnType<Part> {
  const ledger = new ServersLedger();
  const { headers } = world;
  const subject = { prefix: PREFIX, headers, devices: DEVICES, random: world.random.fork() };
  const load = new Load(url, ledger, subject);
  const resets: string[] = [];
  const following = followStream(url, {
    ...subject,
    onChange: (id) => ledger.follow(id),
    onReset: (what) => resets.push(what),
  });
  const names = Object.keys(faults);
  const done = new Map(names.map((name) => [name, 0]));
  for (let n = 0; n < total; n++) {
    await load.progress(world.random.between(BETWEEN.least, BETWEEN.most));
    const name = names[n % names.length] ?? '';
    await faults[name]?.(world);
    done.set(name, (done.get(name) ?? 0) + 1);
    if ((n + 1) % 10 === 0) console.error(`  ${n + 1} faults`);
  }
  await load.progress(BETWEEN.most);
  await load.finish();
  await load.tapOnce(lastTagOf(PREFIX));
  await following;
  const shown = await Promise.all(world.servers.map((server) => readAll(server.url, subject)));
  const failures = [
    ...shown.flatMap((each) => ledger.judge(each)),
    ...resets.map((reset) => `the stream could not tell everything: ${reset}`),
  ];
  return {
    figures: [
      ...[...done].map(([what, value]) => ({ what, value })),
      { what: 'requests that had to be sent again', value: load.again },
      { what: 'acknowledged taps that were checked', value: ledger.taps },
      { what: 'acknowledged names that were checked', value: ledger.names.acknowledged },
      { what: 'acknowledged changes of groups that were checked', value: ledger.groups.acknowledged },
      { what: 'acknowledged guests that were checked', value: ledger.guests },
      { what: 'sessions that were checked and ended', value: ledger.sessions },
      { what: 'changes from the event stream that were checked', value: ledger.followed },
      { what: 'taps that a server kept in memory only', value: load.waiting },
    ],
    failures: [...new Set(failures)].slice(0, 20),
  };
}

/**
 * Makes the user who signs in, and a token for all other requests. Without a user, everybody on this machine may do
 * that.
 */
async function claim(url: string): Promise<Subject['headers']> {
  const made = await insist(url, '/api/tokens', { body: JSON.stringify({ label: 'load', role: 'admin' }) });
  const { token } = JSON.parse(made.body) as { readonly token: string };
  const headers = { Authorization: `Bearer ${token}` };
  await insist(url, '/api/users', { body: JSON.stringify(SIGNER), headers });
  return headers;
}
