import { setTimeout as pause } from 'node:timers/promises';
import { tagOf, tags } from '../dataset.mjs';
import { Subscribers } from '../measure/load.mjs';
import { Peer } from '../measure/peer.mjs';
import { median, medianOfRounds } from '../measure/rounds.mjs';
import { compare } from '../measure/table.mjs';

const SUBSCRIBERS = 500;
/** Single taps of one round. */
const TAPS = 40;
/** Taps of one burst, and bursts of one round. */
const BURST = 100;
const BURSTS = 4;
/** Each tap makes a `msg` and an `attendance`. */
const EVENTS_PER_TAP = 2;
/** Taps that a client missed, and those that 500 clients missed while the service was restarted. */
const MISSED = 20_000;
const MISSED_BY_ALL = 1_000;

/** Time from a tap to the last of many subscribers, and the events that reach them in a second. */
export async function run({ rounds }) {
  const contestants = { tallybook: await begin('tallybook'), limit: await begin('limit') };
  const measure = (what) =>
    medianOfRounds(
      rounds,
      Object.fromEntries(Object.entries(contestants).map(([name, each]) => [name, () => each[what]()])),
    );
  const latency = await measure('latency');
  const deliveries = await measure('deliveries');
  for (const { end } of Object.values(contestants)) await end();
  const { replay, storm } = await missed(rounds);
  const title = 'limit, naive loop';
  return [
    compare('tap to the event at the last of 500 subscribers', latency, 'limit', {
      ...{ title, unit: 'ms', least: 1, isLessBetter: true },
    }),
    compare('events delivered to 500 subscribers, bursts of 100 taps', deliveries, 'limit', {
      ...{ title, least: 1.5 },
    }),
    {
      what: 'events replayed from the journal to a client that missed 20,000 taps',
      ours: replay,
      unit: '/s',
    },
    {
      what: '500 clients come again after a restart, until the last has the 1,000 taps that it missed',
      ours: storm,
      unit: 'ms',
    },
  ];
}

/** The cost of clients that come back and get their missed events. */
async function missed(rounds) {
  const peer = await Peer.start('tallybook');
  const subscribers = new Subscribers();
  const [origin] = (await firstId(peer)).split('-');
  for (let from = 0; from < MISSED; from += BURST) await peer.record(tags(BURST, from));
  // The store decides which tap of a burst is written last.
  await peer.record([tagOf(MISSED)]);
  const text = `"id":"${tagOf(MISSED)}"`;
  const replay = async () => {
    const job = { count: 1, lastEventId: `${origin}-0`, text };
    return (EVENTS_PER_TAP * MISSED * 1_000) / (await subscribers.millisecondsToCatchUp(peer, job));
  };
  const storm = async () => {
    await peer.restart();
    const job = { count: SUBSCRIBERS, lastEventId: `${origin}-${MISSED - MISSED_BY_ALL}`, text };
    return subscribers.millisecondsToCatchUp(peer, job);
  };
  const figures = await medianOfRounds(rounds, { replay, storm });
  subscribers.close();
  await peer.stop();
  return figures;
}

/** The id at the beginning of a stream. */
async function firstId(peer) {
  const { body } = await fetch(`${peer.url}/api/idevent`);
  for await (const chunk of body) {
    const [, id] = /^id: (.*)$/m.exec(Buffer.from(chunk).toString()) ?? [];
    if (id !== undefined) return id;
  }
  throw new Error('the stream ended before its id');
}

async function begin(name) {
  const peer = await Peer.start(name);
  const subscribers = new Subscribers();
  await subscribers.open(peer, SUBSCRIBERS);
  let tapped = 0;

  const latency = async () => {
    const times = [];
    for (let n = 0; n < TAPS; n++) {
      const id = tagOf(tapped++);
      times.push(await subscribers.millisecondsUntilAllRead(`data: ${id}\n`, () => peer.tap([id])));
      // The `attendance` of this tap must come before the next tap.
      await pause(5);
    }
    return median(times);
  };
  const deliveries = async () => {
    let milliseconds = 0;
    for (let n = 0; n < BURSTS; n++) {
      const burst = tags(BURST, tapped);
      tapped += BURST;
      // The store decides which tap of a burst is written last. The burst has ended when one more tap is written.
      const last = tagOf(tapped++);
      milliseconds += await subscribers.millisecondsUntilAllRead(`"id":"${last}"`, () =>
        peer.tap([...burst, last]),
      );
    }
    return (BURSTS * (BURST + 1) * EVENTS_PER_TAP * SUBSCRIBERS * 1_000) / milliseconds;
  };
  await latency();
  await deliveries();
  return {
    latency,
    deliveries,
    end: async () => {
      subscribers.close();
      await peer.stop();
    },
  };
}
