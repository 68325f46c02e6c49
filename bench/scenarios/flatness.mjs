import { DAYS_QUERY, tagOf } from '../dataset.mjs';
import { timeOf } from '../measure/http.mjs';
import { Requests } from '../measure/load.mjs';
import { Peer } from '../measure/peer.mjs';
import { median, medianOfRounds, valuesOfPeers } from '../measure/rounds.mjs';

const TAPS = 500;
const SECONDS = 1;
/** The first tag that no store holds. */
const NEW_TAGS = 1_000_000;
/** Days from 1970 on, so today is one of them. */
const CENTURY = 36_500;

/** The cost of a tap and of a new name: in a small store, and in stores that are large in one way each. */
export async function run({ rounds, stores }) {
  const today = Math.floor(Date.now() / 86_400_000);
  const shapes = {
    small: { names: 10, days: [{ day: today, ids: 10 }] },
    'a day of 100,000 ids': { names: 10, days: [{ day: today, ids: 100_000 }] },
    '100,000 names': { names: 100_000, days: [{ day: today, ids: 10 }] },
    '36,500 days': { names: 10, days: Array.from({ length: CENTURY }, (_, day) => ({ day, ids: 10 })) },
  };
  const requests = new Requests();
  const peers = {};
  for (const [shape, content] of Object.entries(shapes)) {
    // The day is not over, so the last scans of some of these people are in the future.
    const store = await stores.get(shape.replaceAll(/\W/g, '-'), content);
    peers[shape] = await Peer.start('tallybook', { store, args: ['--clock', 'trusted'] });
  }
  let tapped = NEW_TAGS;
  const tap = await valuesOfPeers(rounds, peers, async (peer) => {
    const times = [];
    for (let n = 0; n < TAPS; n++) {
      const before = performance.now();
      await peer.record([tagOf(tapped++)]);
      times.push(performance.now() - before);
    }
    return median(times);
  });
  const post = await valuesOfPeers(rounds, peers, async (peer) => {
    const job = { path: '/api/mapping', connections: 1, seconds: SECONDS, tagCount: 10_000 };
    return 1_000 / (await requests.rate(peer, { ...job, statuses: [200, 201] }));
  });
  const read = async (path) => {
    const each = (shape) => requests.rate(peers[shape], { path, connections: 32, seconds: SECONDS });
    return medianOfRounds(rounds, {
      small: () => each('small'),
      century: () => each('36,500 days'),
    });
  };
  const day = await read(`/api/day?day=${today}`);
  const firstDays = await timeOf(`${peers['36,500 days'].url}${DAYS_QUERY}`);
  const { century: allDays } = await read(DAYS_QUERY);

  requests.close();
  await Peer.stopAll();
  const grown = Object.keys(shapes).filter((shape) => shape !== 'small');
  const compare = (what, times) =>
    grown.map((shape) => ({
      what: `${what}, ${shape}`,
      ours: median(times[shape]),
      theirs: median(times.small),
      peer: 'small store',
      unit: 'ms',
      most: 1.3,
    }));
  return [
    ...compare('one tap', tap),
    ...compare('one POST', post),
    {
      what: 'GET /api/day after 100 years',
      ours: day.century,
      theirs: day.small,
      peer: 'small store',
      unit: '/s',
    },
    { what: 'GET /api/days after 100 years, all 36,500, for the first time', ours: firstDays, unit: 'ms' },
    { what: 'GET /api/days after 100 years, all 36,500', ours: allDays, unit: '/s' },
  ];
}
