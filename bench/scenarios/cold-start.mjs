import { setTimeout as pause } from 'node:timers/promises';
import { days } from '../dataset.mjs';
import { Peer } from '../measure/peer.mjs';
import { median, medianOfRounds } from '../measure/rounds.mjs';

const SETTLE_MS = 1_000;

/** From the start of the process to its first answer, and what it takes of memory then. */
export async function run({ rounds, stores }) {
  const store = await stores.get('ten-years', {
    names: 1_000,
    days: days(3_000).map((day) => ({ day, ids: 60 })),
  });
  const kib = { tallybook: [], limit: [] };
  const start = async (name, options) => {
    const peer = await Peer.start(name, options);
    const response = await fetch(`${peer.url}/api/mapping`);
    await response.text();
    const milliseconds = Number(process.hrtime.bigint() - peer.startedAtNs) / 1e6;
    await pause(SETTLE_MS);
    kib[name].push(peer.residentKiB);
    await peer.stop();
    return milliseconds;
  };
  const milliseconds = await medianOfRounds(rounds, {
    tallybook: () => start('tallybook', { store }),
    limit: () => start('limit', { args: ['empty'] }),
  });
  const mib = (name) => median(kib[name]) / 1_024;
  const peer = 'limit, empty store';
  return [
    {
      what: 'cold start to the first answer, ten years of data',
      ours: milliseconds.tallybook,
      theirs: milliseconds.limit,
      peer,
      unit: 'ms',
      most: 2,
    },
    {
      what: 'resident memory, idle, ten years of data',
      ours: mib('tallybook'),
      theirs: mib('limit'),
      peer,
      unit: 'MiB',
      most: 1.4,
    },
  ];
}
