import { READING_STORE, RESOURCES } from '../dataset.mjs';
import { etagOf, Requests } from '../measure/load.mjs';
import { Peer } from '../measure/peer.mjs';
import { valuesOfPeers } from '../measure/rounds.mjs';

const SECONDS = 1;
const CONNECTIONS = 32;
const TAGS = 1_000;
/** The compared rates differ by a few percent at most, so each has many turns. */
const TURNS_OF_ROUND = 5;
const NAME = 'bench';
const PASSWORD = 'a bench in the old park';
const LEAST = 0.9;

/** The cost of finding the user of a request: the same service with a session, and without users. */
export async function run({ rounds, stores }) {
  const store = await stores.get('reading', READING_STORE);
  const requests = new Requests();
  const rates = new Map();
  // The speed of a program differs by some percent from process to process, so each round starts two new ones.
  for (let round = 0; round < rounds; round++) {
    for (const [what, { session, open }] of await measureRound(requests, store)) {
      const all = rates.get(what) ?? { session: [], open: [] };
      rates.set(what, { session: [...all.session, ...session], open: [...all.open, ...open] });
    }
  }
  requests.close();
  return [...rates].map(([what, each]) => row(what, each));
}

/** @returns The measured request, and its requests per second in each turn. */
async function measureRound(requests, store) {
  const open = await Peer.start('tallybook', { store });
  const closed = await Peer.start('tallybook', { store });
  const cookie = await signIn(closed.url);
  const measured = [];
  for (const { what, path } of RESOURCES) {
    const job = { path, connections: CONNECTIONS, seconds: SECONDS };
    const session = { cookie };
    measured.push([what, await measure(job, [200], { open: {}, session })]);
    // Each process has its own entity tags.
    const tags = { open: await etagOf(open, path), session: await etagOf(closed, path, session) };
    const headers = { open: tags.open, session: { ...tags.session, ...session } };
    measured.push([`${what}: 304`, await measure(job, [304], headers)]);
  }
  // Many connections first: V8 compiles during the first tens of thousands of requests, and one connection sends few.
  for (const connections of [CONNECTIONS, 1]) {
    const job = { path: '/api/mapping', connections, seconds: SECONDS, tagCount: TAGS };
    const what = `POST /api/mapping, ${connections} connection${connections === 1 ? '' : 's'}`;
    // A browser sends the origin of its page with each change, with or without a session.
    const headers = { open: { origin: open.url }, session: { cookie, origin: closed.url } };
    measured.push([what, await measure(job, [200, 201], headers)]);
  }
  await Peer.stopAll();
  return measured;

  async function measure(job, statuses, headers) {
    return valuesOfPeers(TURNS_OF_ROUND, { open, session: closed }, (peer, name) =>
      requests.rate(peer, { ...job, statuses, headers: headers[name] }),
    );
  }
}

/** Makes the first user. Resolves with the cookie of its session. */
async function signIn(url) {
  const headers = { 'content-type': 'application/json', origin: url };
  const user = { name: NAME, role: 'admin', password: PASSWORD };
  const added = await fetch(`${url}/api/users`, { method: 'POST', headers, body: JSON.stringify(user) });
  if (!added.ok) throw new Error(`no user could be added: ${added.status} ${await added.text()}`);
  const body = JSON.stringify({ name: NAME, password: PASSWORD });
  const signedIn = await fetch(`${url}/api/session`, { method: 'POST', headers, body });
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0];
  await signedIn.arrayBuffer();
  if (cookie === undefined) throw new Error(`nobody could sign in: ${signedIn.status}`);
  const refused = await fetch(`${url}/api/mapping`);
  await refused.arrayBuffer();
  if (refused.status !== 401) throw new Error(`it is open to everybody: ${refused.status}`);
  return cookie;
}

function row(what, { session, open }) {
  return {
    ...{ what: `${what}, with a session`, ours: session, theirs: open, peer: 'without users' },
    ...{ unit: '/s', least: LEAST },
  };
}
