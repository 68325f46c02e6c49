import { tags } from '../dataset.mjs';
import { Peer } from '../measure/peer.mjs';
import { median } from '../measure/rounds.mjs';

const STATIONS = 1_000;
/** Taps that wait at each station: a day of a device. */
const TAPS = 500;
/** Stations that send at the same time. A station sends one batch after another. */
const CONNECTIONS = 64;
const DAY = 20_411;
const AT = 1_763_500_000;

/** A centre to which all stations come back at once, and send their waiting taps. */
export async function run({ note }) {
  const centre = await Peer.start('tallybook', {
    args: [
      '--max-writes-per-second',
      '0',
      '--max-reads-per-second',
      '0',
      '--max-connections-per-address',
      '200',
    ],
  });
  const post = (path, body, token) => exchange(`${centre.url}${path}`, { body, token });
  const tokens = [];
  await forEachStation(async (station) => {
    ({ token: tokens[station] } = await post('/api/tokens', {
      label: `station-${station}`,
      role: 'station',
    }));
  });
  const times = [];
  const begin = performance.now();
  await forEachStation(async (station) => {
    const before = performance.now();
    const { acknowledged } = await post('/api/sync', batchOf(station), tokens[station]);
    if (acknowledged !== TAPS) throw new Error(`${acknowledged} of ${TAPS} taps of a batch were taken`);
    times.push(performance.now() - before);
  });
  const seconds = (performance.now() - begin) / 1_000;
  note(
    `${STATIONS} stations with ${TAPS} taps each have caught up after ${seconds.toFixed(1)} s: a batch took ${Math.round(median(times))} ms at the median, ${Math.round(Math.max(...times))} ms at most, with ${CONNECTIONS} at a time`,
  );
  await centre.stop();
  return [
    {
      what: `taps taken from ${STATIONS} stations that were offline`,
      ours: (STATIONS * TAPS) / seconds,
      unit: '/s',
    },
  ];
}

/** Works on as many stations at the same time as there are connections. */
async function forEachStation(work) {
  let next = 0;
  const goOn = async () => {
    while (next < STATIONS) await work(next++);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, goOn));
}

/** A tag comes to several doors, so all stations of a site have the same tags. */
function batchOf(station) {
  const items = tags(TAPS, station * TAPS).map((id, n) => ({
    cursor: n + 1,
    kind: 'scan',
    day: DAY,
    id,
    at: AT + n,
    reader: 'door',
  }));
  const status = { waiting: 0, provisional: 0, isClockTrusted: true, version: '1.0.0' };
  return { run: `station-${station}`, after: 0, through: TAPS, items, status };
}

async function exchange(url, { body, token }) {
  const headers = {
    'content-type': 'application/json',
    // A centre identifies a station by its token, even if nobody signs in.
    ...(token && { authorization: `Bearer ${token}` }),
  };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (response.ok) return response.json();
  throw new Error(`${url} answered ${response.status} ${(await response.text()).slice(0, 500)}`);
}
