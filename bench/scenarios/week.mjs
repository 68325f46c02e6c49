import { DAYS_QUERY, nameOf, tagOf, tags } from '../dataset.mjs';
import { putName } from '../measure/http.mjs';
import { Subscribers } from '../measure/load.mjs';
import { Peer } from '../measure/peer.mjs';

const PEOPLE = 500;
/** People who tap at the same moment. */
const GROUP = 50;
const DAYS = 7;
/** Times of a day at which everybody taps, clients poll and names change. */
const TIMES = 4;
const REQUESTS = 100;
/** An hour takes 50 milliseconds. */
const SPEED = 72_000;

/** As on a small device: with more room, the runtime would collect garbage later. */
const env = { NODE_OPTIONS: '--max-old-space-size=128' };

/** A week with a fast clock: everybody comes and goes, clients poll and subscribe again. Memory must not grow. */
export async function run() {
  const peer = await Peer.start('fast-tallybook', { args: [String(SPEED)], env });
  const residentMiB = [];
  let posted = 0;
  for (let day = 0; day < DAYS; day++) {
    const subscribers = new Subscribers();
    await subscribers.open(peer, PEOPLE);
    for (let time = 0; time < TIMES; time++) {
      for (let n = 0; n < PEOPLE; n += GROUP) await peer.record(tags(GROUP, n));
      const days = await (await get(DAYS_QUERY)).json();
      for (let request = 0; request < REQUESTS; request++) {
        await (await get('/api/mapping')).arrayBuffer();
        await (await get(`/api/day?day=${days.at(-1)}&expand=entries`)).arrayBuffer();
        await putName(peer, tagOf(posted % PEOPLE), nameOf(posted++));
      }
    }
    subscribers.close();
    residentMiB.push(peer.residentKiB / 1_024);
  }
  await peer.stop();
  return [
    {
      what: 'resident memory after a week, against the second day',
      ours: residentMiB.at(-1),
      theirs: residentMiB[1],
      peer: 'itself',
      unit: 'MiB',
      most: 1.1,
    },
  ];

  function get(path) {
    return fetch(`${peer.url}${path}`);
  }
}
