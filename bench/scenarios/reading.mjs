import { DAYS_QUERY, days, FULL_DAY, READING } from '../dataset.mjs';
import { Requests } from '../measure/load.mjs';
import { Peer } from '../measure/peer.mjs';
import { valuesOfRounds } from '../measure/rounds.mjs';

const CONNECTIONS = 32;
const SECONDS = 1;
/** Answers with 304 are fast at all peers, so few turns would not show a difference. */
const UNCHANGED_TURNS_OF_ROUND = 3;
const PEERS = ['tallybook', 'bare-koa', 'fastify-sqlite', 'express-memory', 'limit'];
const RESOURCES = [
  { what: 'GET /api/mapping, 1,000 names', path: '/api/mapping', timesSqlite: 10 },
  { what: 'GET /api/day, 500 ids', path: `/api/day?day=${FULL_DAY}` },
  { what: 'GET /api/days, 3,650 days', path: DAYS_QUERY, timesSqlite: 10 },
];

/** Answers from memory: the same bytes again, and 304. */
export async function run({ rounds, stores }) {
  const store = await stores.get('reading', {
    names: READING.names,
    days: days(READING.dayCount).map((day) => ({ day, ids: day === FULL_DAY ? READING.ids : 1 })),
  });
  const requests = new Requests();
  const peers = {};
  for (const name of PEERS) {
    peers[name] = await Peer.start(name, name === 'tallybook' ? { store } : {});
  }
  const rows = [];
  for (const { what, path, timesSqlite } of RESOURCES) {
    const job = { path, connections: CONNECTIONS, seconds: SECONDS };
    const rates = await measure(rounds, PEERS, (peer) => requests.rate(peer, job));
    rows.push(
      row(what, rates, 'bare-koa', 0.9),
      row(what, rates, 'fastify-sqlite', timesSqlite),
      row(what, rates, 'express-memory'),
      row(what, rates, 'limit'),
    );
    const tags = Object.fromEntries(
      await Promise.all(PEERS.map(async (name) => [name, await etagOf(`${peers[name].url}${path}`)])),
    );
    const unchanged = await measure(
      UNCHANGED_TURNS_OF_ROUND * rounds,
      ['tallybook', 'bare-koa'],
      (peer, name) =>
        requests.rate(peer, { ...job, headers: { 'if-none-match': tags[name] }, statuses: [304] }),
    );
    rows.push(row(`${what}: 304`, unchanged, 'bare-koa', 1));
  }
  requests.close();
  for (const peer of Object.values(peers)) await peer.stop();
  return rows;

  async function measure(turns, names, rate) {
    for (const name of names) await rate(peers[name], name);
    return valuesOfRounds(
      turns,
      Object.fromEntries(names.map((name) => [name, () => rate(peers[name], name)])),
    );
  }
}

function row(what, rates, peer, least) {
  return { what, ours: rates.tallybook, theirs: rates[peer], peer, unit: '/s', least };
}

async function etagOf(url) {
  const response = await fetch(url);
  await response.arrayBuffer();
  return response.headers.get('etag');
}
