import { tags } from '../dataset.mjs';
import { Peer } from '../measure/peer.mjs';
import { valuesOfPeers } from '../measure/rounds.mjs';
import { compare } from '../measure/table.mjs';

const BURST = 1_000;
/** Bursts of one round. */
const BURSTS = 10;

/** The rate of taps in a burst, until the last of them is on the disk. */
export async function run({ rounds }) {
  const peers = await Peer.startAll(['tallybook', 'limit']);
  const tapped = { tallybook: 0, limit: 0 };
  const rates = await valuesOfPeers(rounds, peers, async (peer, name) => {
    const before = performance.now();
    for (let burst = 0; burst < BURSTS; burst++) {
      await peer.record(tags(BURST, tapped[name]));
      tapped[name] += BURST;
    }
    return (BURSTS * BURST * 1_000) / (performance.now() - before);
  });
  await Peer.stopAll();
  return [
    compare('taps recorded, bursts of 1,000', rates, 'limit', { title: 'limit, 32 writers', least: 1.5 }),
  ];
}
