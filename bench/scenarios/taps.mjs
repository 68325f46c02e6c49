import { tags } from '../dataset.mjs';
import { Peer } from '../measure/peer.mjs';
import { valuesOfRounds } from '../measure/rounds.mjs';

const BURST = 1_000;
/** Bursts of one round. */
const BURSTS = 10;

/** The rate of taps in a burst, until the last of them is on the disk. */
export async function run({ rounds }) {
  const peers = { tallybook: await Peer.start('tallybook'), limit: await Peer.start('limit') };
  const tapped = { tallybook: 0, limit: 0 };
  const rate = async (name) => {
    const before = performance.now();
    for (let burst = 0; burst < BURSTS; burst++) {
      await peers[name].record(tags(BURST, tapped[name]));
      tapped[name] += BURST;
    }
    return (BURSTS * BURST * 1_000) / (performance.now() - before);
  };
  for (const name of Object.keys(peers)) await rate(name);
  const rates = await valuesOfRounds(rounds, {
    tallybook: () => rate('tallybook'),
    limit: () => rate('limit'),
  });
  for (const peer of Object.values(peers)) await peer.stop();
  return [
    {
      what: 'taps recorded, bursts of 1,000',
      ours: rates.tallybook,
      theirs: rates.limit,
      peer: 'limit, 32 writers',
      unit: '/s',
      least: 1.5,
    },
  ];
}
