import { Agent, request } from 'node:http';
import { tags } from '../dataset.mjs';
import { Peer } from '../measure/peer.mjs';

const STATIONS = 1_000;
/** Taps that wait at each: a day of a device. */
const TAPS = 500;
/** Stations that send at a time; a station sends one batch after another. */
const CONNECTIONS = 64;
const DAY = 20_411;
const AT = 1_763_500_000;

/** A centre to which all stations come back at once, and send what waits. */
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
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const waiting = Array.from({ length: STATIONS }, (_, station) => station);
  const times = [];
  const begin = performance.now();
  const send = async () => {
    for (let station = waiting.pop(); station !== undefined; station = waiting.pop()) {
      const before = performance.now();
      await push(centre.url, agent, batchOf(station));
      times.push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, send));
  const seconds = (performance.now() - begin) / 1_000;
  agent.destroy();
  note(
    `${STATIONS} stations with ${TAPS} taps each have caught up after ${seconds.toFixed(1)} s: a batch took ${Math.round(percentile(times, 50))} ms at the median, ${Math.round(Math.max(...times))} ms at most, with ${CONNECTIONS} at a time`,
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

/** Tags come to several doors, so each station has those of its site. */
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
  return JSON.stringify({ run: `station-${station}`, after: 0, through: TAPS, items, status });
}

function push(url, agent, body) {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const sent = request(`${url}/api/sync`, { method: 'POST', agent, headers }, (response) => {
      const pieces = [];
      response.on('data', (piece) => pieces.push(piece));
      response.on('end', () => {
        const text = Buffer.concat(pieces).toString();
        const isTaken = response.statusCode === 200 && JSON.parse(text).acknowledged === TAPS;
        if (isTaken) resolve();
        else reject(new Error(`a batch was not taken: ${response.statusCode} ${text.slice(0, 500)}`));
      });
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function percentile(times, percent) {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1];
}
