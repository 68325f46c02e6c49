import { setTimeout as pause } from 'node:timers/promises';
import { Subscribers } from '../measure/load.mjs';
import { Peer } from '../measure/peer.mjs';
import { medianOfRounds } from '../measure/rounds.mjs';

const SUBSCRIBERS = 5_000;
/** Milliseconds that are enough for one comment line, which keeps the connections alive. */
const IDLE_MS = 16_000;

/** The memory of idle subscribers. */
export async function run({ rounds }) {
  const kib = await medianOfRounds(rounds, { tallybook: eachSubscriberKiB });
  return [{ what: 'memory of each of 5,000 idle subscribers', ours: kib.tallybook, unit: 'KiB', most: 20 }];
}

async function eachSubscriberKiB() {
  const peer = await Peer.start('tallybook', {
    args: ['--max-subscribers', String(SUBSCRIBERS), '--max-connections', String(2 * SUBSCRIBERS)],
  });
  const subscribers = new Subscribers();
  await subscribers.open(peer, 1);
  await pause(1_000);
  const before = peer.residentKiB;
  await subscribers.open(peer, SUBSCRIBERS - 1);
  await pause(IDLE_MS);
  const kib = (peer.residentKiB - before) / (SUBSCRIBERS - 1);
  subscribers.close();
  await peer.stop();
  return kib;
}
