import { READING_STORE, RESOURCES } from '../dataset.mjs';
import { etagOf, Requests } from '../measure/load.mjs';
import { Peer } from '../measure/peer.mjs';
import { valuesOfPeers } from '../measure/rounds.mjs';
import { compare } from '../measure/table.mjs';

const CONNECTIONS = 32;
const SECONDS = 1;
/** Answers with 304 are fast at all peers, so few turns would not show a difference. */
const UNCHANGED_TURNS_OF_ROUND = 3;

/** Answers from memory: the same bytes again, and 304. */
export async function run({ rounds, stores }) {
  const store = await stores.get('reading', READING_STORE);
  const requests = new Requests();
  const peers = {
    tallybook: await Peer.start('tallybook', { store }),
    ...(await Peer.startAll(['bare-koa', 'fastify-sqlite', 'express-memory', 'limit'])),
  };
  const rows = [];
  for (const { what, path, timesSqlite } of RESOURCES) {
    const job = { path, connections: CONNECTIONS, seconds: SECONDS };
    const rates = await valuesOfPeers(rounds, peers, (peer) => requests.rate(peer, job));
    rows.push(
      compare(what, rates, 'bare-koa', { least: 0.9 }),
      compare(what, rates, 'fastify-sqlite', { least: timesSqlite }),
      compare(what, rates, 'express-memory'),
      compare(what, rates, 'limit'),
    );
    const { tallybook, 'bare-koa': koa } = peers;
    const tags = { tallybook: await etagOf(tallybook, path), 'bare-koa': await etagOf(koa, path) };
    const unchanged = await valuesOfPeers(
      UNCHANGED_TURNS_OF_ROUND * rounds,
      { tallybook, 'bare-koa': koa },
      (peer, name) => requests.rate(peer, { ...job, headers: tags[name], statuses: [304] }),
    );
    rows.push(compare(`${what}: 304`, unchanged, 'bare-koa', { least: 1 }));
  }
  requests.close();
  await Peer.stopAll();
  return rows;
}
