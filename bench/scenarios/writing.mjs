import { Card } from '../measure/card.mjs';
import { Requests } from '../measure/load.mjs';
import { Peer } from '../measure/peer.mjs';
import { valuesOfPeers } from '../measure/rounds.mjs';
import { SlowSync } from '../measure/slow-sync.mjs';
import { compare } from '../measure/table.mjs';

const TAGS = 1_000;
const STATUSES = [200, 201];
/** The speed of the disk changes from moment to moment, so each peer has several turns in a round. */
const TURNS_OF_ROUND = 5;
const SECONDS = 1;

/** New names, each on the disk before its answer. */
export async function run({ rounds, note }) {
  const requests = new Requests();
  const rows = [];

  const peers = await Peer.startAll(['tallybook', 'limit', 'fastify-sqlite', 'express-memory']);
  // Many connections first: V8 compiles during the first tens of thousands of requests, and one connection sends few.
  const many = await measure(peers, 32, TURNS_OF_ROUND * rounds);
  const alone = await measure(peers, 1, TURNS_OF_ROUND * rounds);
  rows.push(
    compare('POST /api/mapping, 1 connection', alone, 'limit', { least: 0.9 }),
    compare('POST /api/mapping, 1 connection', alone, 'fastify-sqlite'),
    compare('POST /api/mapping, 32 connections', many, 'limit', { least: 1.15 }),
    compare('POST /api/mapping, 32 connections', many, 'fastify-sqlite', { least: 1 }),
    compare('POST /api/mapping, 32 connections', many, 'express-memory'),
  );
  await Peer.stopAll();

  const card = await Card.mount(note);
  if (card !== undefined) {
    try {
      rows.push(...(await measureOn(card)));
    } finally {
      await card.remove();
    }
  }

  const slowSync = await SlowSync.compile(note);
  if (slowSync !== undefined) {
    // As on an SSD; below, as on a slow card.
    const quick = await Peer.startAll(['tallybook', 'limit'], { env: slowSync.env(1) });
    rows.push(
      compare('POST /api/mapping, 32 connections, sync 1 ms', await measure(quick, 32, rounds), 'limit'),
      compare('POST /api/mapping, 1 connection, sync 1 ms', await measure(quick, 1, rounds), 'limit'),
    );
    await Peer.stopAll();
    const slow = await Peer.startAll(['tallybook', 'limit', 'fastify-sqlite'], { env: slowSync.env(10) });
    const slowly = await measure(slow, 32, rounds);
    rows.push(
      compare('POST /api/mapping, 32 connections, sync 10 ms', slowly, 'fastify-sqlite', { least: 10 }),
      compare('POST /api/mapping, 32 connections, sync 10 ms', slowly, 'limit'),
    );
    await Peer.stopAll();
    await slowSync.remove();
  }
  requests.close();
  return rows;

  /**
   * On the file system of a card, each write that makes a file longer costs a second flush. Without a journal, as on some
   * virtual machines, it does not.
   */
  async function measureOn(card) {
    const onCard = await Peer.startAll(['tallybook', 'limit', 'fastify-sqlite'], { on: card.path });
    const ofMany = await measure(onCard, 32, TURNS_OF_ROUND * rounds);
    const ofOne = await measure(onCard, 1, TURNS_OF_ROUND * rounds);
    await Peer.stopAll();
    return [
      compare('POST /api/mapping, 1 connection, ext4 of a card', ofOne, 'limit', { least: 0.9 }),
      compare('POST /api/mapping, 1 connection, ext4 of a card', ofOne, 'fastify-sqlite'),
      compare('POST /api/mapping, 32 connections, ext4 of a card', ofMany, 'limit', { least: 1.15 }),
      compare('POST /api/mapping, 32 connections, ext4 of a card', ofMany, 'fastify-sqlite', { least: 1 }),
    ];
  }

  function measure(peers, connections, turns) {
    const job = { path: '/api/mapping', connections, seconds: SECONDS, tagCount: TAGS, statuses: STATUSES };
    return valuesOfPeers(turns, peers, (peer) => requests.rate(peer, job));
  }
}
