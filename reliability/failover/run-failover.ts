import { setTimeout as delay } from 'node:timers/promises';
import type { Figure, Part } from '../part.js';
import { ask, readEntries } from '../ask.js';
import { migrate } from '../servers/server.js';
import { findMissingPrograms, PatroniCluster } from './patroni-cluster.js';
import { WatchedServer } from './watched-server.js';

/** How long servers are watched before and after each fault, in milliseconds. */
const CALM_MS = 3_000;
/** How long a server may go on without a write. */
const STUCK_MS = 35_000;
const LOOK_MS = 100;
/** A primary that nobody fences runs on for longer than a connection lives. */
const UNFENCED_MS = 40_000;
/** The lock in the etcd ends after 20 seconds. */
const ETCD_AWAY_MS = 30_000;

/** The faults. Each resolves when the cluster has a primary again. */
const faults: Readonly<Record<string, (cluster: PatroniCluster) => Promise<void>>> = {
  switchover: (cluster) => cluster.switchOver(),
  'database killed': (cluster) => cluster.killDatabase(),
  'node killed': (cluster) => cluster.killNode(),
  'node frozen': (cluster) => cluster.freeze('node', CALM_MS),
  'primary not fenced': (cluster) => cluster.freeze('patroni', UNFENCED_MS),
  'etcd away': (cluster) => cluster.freezeEtcd(ETCD_AWAY_MS),
};
const SHORT = ['switchover', 'node killed', 'primary not fenced'];

/**
 * Three servers on a PostgreSQL with Patroni, etcd and HAProxy: one through a proxy that ends the connections to a former primary,
 * one through a proxy that does not, and one with the URLs of all nodes. All write and read all the time, and follow their event
 * streams. At the end a standby that is behind replaces the primary, so that commits are lost.
 */
export const runFailover: Part = async ({ isShort }) => {
  const missing = findMissingPrograms();
  if (missing.length > 0)
    return { figures: [], failures: [], notRun: `not installed: ${missing.join(', ')}` };
  const cluster = await PatroniCluster.start();
  const servers: WatchedServer[] = [];
  try {
    await migrate(cluster.urls.direct);
    for (const [name, url] of Object.entries(cluster.urls)) {
      const server = new WatchedServer(name, servers.length, url);
      servers.push(server);
      await server.server.start();
    }
    const registers = servers.map(({ register }) => register);
    for (const server of servers) server.begin(registers);
    await delay(CALM_MS);
    const findings: Findings = { figures: [], failures: [] };
    for (const [fault, run] of Object.entries(faults)) {
      if (isShort && !SHORT.includes(fault)) continue;
      for (const server of servers) server.takeSeen();
      console.error(`  ${fault}`);
      await run(cluster);
      await cluster.startMissing();
      await delay(CALM_MS);
      judge(fault, servers, findings);
    }
    await loseCommits(cluster, servers, findings);
    for (const server of servers) await server.end();
    await judgeTaps(servers, findings);
    return findings;
  } catch (error) {
    const said = servers.map(({ server }) => server.said).join('\n--\n');
    throw new Error(`the servers said:\n${said}`, { cause: error });
  } finally {
    for (const { server } of servers) await server.end('SIGKILL');
    await cluster.stop();
  }
};

/** What was found so far. */
interface Findings {
  readonly figures: Figure[];
  readonly failures: string[];
}

function judge(fault: string, servers: readonly WatchedServer[], { figures, failures }: Findings): void {
  const all = servers.map((server) => [server, server.takeSeen()] as const);
  const sum = (of: 'staleReads' | 'readsThatWentBack'): number =>
    all.reduce((total, [, seen]) => total + seen[of], 0);
  for (const [{ name }, { stuckMs, staleReads, readsThatWentBack }] of all) {
    figures.push({
      what: `${fault}, ${name}: seconds without a write`,
      value: Math.round(stuckMs / 100) / 10,
    });
    if (stuckMs > STUCK_MS) failures.push(`${fault}: ${name} was stuck for ${stuckMs} ms`);
    // Nobody tells a server without a proxy that its primary was replaced: it asks the other nodes every five seconds.
    if (staleReads > 0 && name !== 'direct')
      failures.push(`${fault}: ${name} gave ${staleReads} stale answers`);
    if (readsThatWentBack > 0) failures.push(`${fault}: ${name} went back ${readsThatWentBack} times`);
  }
  figures.push({ what: `${fault}: stale reads`, value: sum('staleReads') });
  figures.push({ what: `${fault}: reads that went back`, value: sum('readsThatWentBack') });
  const resets = servers.reduce((total, server) => total + server.resets, 0);
  figures.push({ what: `${fault}: resets of streams`, value: resets });
  if (resets > 0) failures.push(`${fault}: ${resets} streams were reset although nothing was lost`);
  for (const server of servers) server.resets = 0;
}

/** All servers must notice the loss, and go on with what is there. */
async function loseCommits(
  cluster: PatroniCluster,
  servers: readonly WatchedServer[],
  { figures, failures }: Findings,
): Promise<void> {
  console.error('  standby behind');
  await cluster.loseCommits(() => delay(CALM_MS));
  for (const server of servers) server.forget();
  // The killed node has to be made anew by hand if its history cannot be rewound, so it stays away.
  for (const end = performance.now() + STUCK_MS; performance.now() < end;) {
    if (servers.every((server) => server.register.acknowledged > 0 && server.resets > 0)) break;
    await delay(LOOK_MS);
  }
  for (const server of servers) {
    if (server.register.acknowledged === 0) failures.push(`standby behind: ${server.name} was stuck`);
    server.takeSeen();
    const health = await ask(server.server.url, '/api/health');
    if (health?.body.includes('has lost acknowledged writes') !== true) {
      failures.push(`standby behind: ${server.name} did not say that commits were lost`);
    }
    if (server.resets === 0) failures.push(`standby behind: the stream of ${server.name} was not reset`);
  }
  const shown = await tapsOf(servers[0]);
  const lost = servers.flatMap((server) => server.taps.filter((id) => !shown.has(id)));
  figures.push({ what: 'standby behind: acknowledged taps that were lost', value: lost.length });
  for (const server of servers) {
    for (const id of lost) {
      const index = server.taps.indexOf(id);
      if (index !== -1) server.taps.splice(index, 1);
      server.followed.delete(id);
    }
  }
  await delay(CALM_MS);
  for (const server of servers) {
    const { staleReads, readsThatWentBack } = server.takeSeen();
    if (staleReads + readsThatWentBack > 0) failures.push(`after the loss: ${server.name} gave old answers`);
  }
}

/** Each acknowledged tap is there once, and was in each stream once. */
async function judgeTaps(servers: readonly WatchedServer[], { figures, failures }: Findings): Promise<void> {
  const shown = await tapsOf(servers[0]);
  const taps = servers.flatMap((server) => server.taps);
  const missing = taps.filter((id) => !shown.has(id)).length;
  figures.push({ what: 'acknowledged taps that were checked', value: taps.length });
  if (missing > 0) failures.push(`${missing} acknowledged taps are missing`);
  for (const { name, followed } of servers) {
    const twice = [...followed.values()].filter((count) => count > 1).length;
    if (twice > 0) failures.push(`the stream of ${name} had ${twice} events twice`);
  }
  const counted = [...shown.values()].filter((count) => count !== 1).length;
  if (counted > 0) failures.push(`${counted} taps were counted twice`);
}

async function tapsOf(server: WatchedServer | undefined): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const { id, count } of await readEntries(server?.server.url ?? '')) {
    counts.set(id, (counts.get(id) ?? 0) + count);
  }
  return counts;
}
