import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { tagOf } from '../dataset.mjs';
import { putName } from '../measure/http.mjs';
import { Peer } from '../measure/peer.mjs';
import { median } from '../measure/rounds.mjs';

const SIZES = [10_000, 100_000, 1_000_000];
const TOGETHER = 8;
const LOOP_DELAY = new URL('../measure/loop-delay.mjs', import.meta.url).href;

/**
 * The time of the mapping after a change, for one client and for several at once; the waiting time of other requests; and
 * the memory.
 */
export async function run({ rounds, stores }) {
  const rows = [];
  for (const names of SIZES) {
    const store = await stores.get(`names-${names}`, { names });
    const file = join(mkdtempSync(join(tmpdir(), 'loop-delay-')), 'delay');
    const env = { LOOP_DELAY_FILE: file, NODE_OPTIONS: `--import=${LOOP_DELAY}` };
    const peer = await Peer.start('tallybook', { store, env });
    await pause(6_000);
    rows.push(...(await measure(peer, { names, rounds, file })));
    await peer.stop();
  }
  return rows;
}

async function measure(peer, { names, rounds, file }) {
  const [alone, together, unchanged] = [[], [], []];
  await longestTurn(peer, file);
  const others = new Others(peer);
  for (let round = 0; round < rounds; round++) {
    await rename(peer, round);
    const before = performance.now();
    const etag = await read(peer);
    alone.push(performance.now() - before);
    const asked = performance.now();
    await read(peer, { 'if-none-match': etag });
    unchanged.push(performance.now() - asked);
    const begin = performance.now();
    await Promise.all(
      Array.from({ length: TOGETHER }, async (_, n) => {
        await rename(peer, n);
        await read(peer);
      }),
    );
    together.push(performance.now() - begin);
  }
  const slowest = await others.stop();
  const what = `${names.toLocaleString('en')} names`;
  return [
    { what: `GET /api/mapping after a change, ${what}`, ours: median(alone), unit: 'ms' },
    { what: `the same, 304, ${what}`, ours: median(unchanged), unit: 'ms' },
    { what: `${TOGETHER} times POST and GET at once, ${what}`, ours: median(together), unit: 'ms' },
    { what: `another request meanwhile, the slowest, ${what}`, ours: slowest, unit: 'ms' },
    { what: `the longest turn, ${what}`, ours: await longestTurn(peer, file), unit: 'ms', most: 50 },
    { what: `resident memory afterwards, ${what}`, ours: peer.residentKiB / 1_024, unit: 'MiB' },
  ];
}

async function read(peer, headers = {}) {
  const response = await fetch(`${peer.url}/api/mapping`, { headers });
  for await (const chunk of response.body ?? []) void chunk;
  return response.headers.get('etag');
}

function rename(peer, n) {
  return putName(peer, tagOf(n), { first: String(performance.now()), last: 'Byron' });
}

async function longestTurn(peer, file) {
  rmSync(file, { force: true });
  process.kill(peer.pid, 'SIGUSR2');
  while (!existsSync(file) || readFileSync(file, 'utf8') === '') await pause(5);
  return Number(readFileSync(file, 'utf8'));
}

/** Sends small requests, one after another. */
class Others {
  #isStopping = false;
  #asking;

  constructor(peer) {
    this.#asking = this.#ask(peer);
  }

  stop() {
    this.#isStopping = true;
    return this.#asking;
  }

  async #ask(peer) {
    let slowest = 0;
    while (!this.#isStopping) {
      const before = performance.now();
      await (await fetch(`${peer.url}/api/backlog`)).arrayBuffer();
      slowest = Math.max(slowest, performance.now() - before);
      await pause(5);
    }
    return slowest;
  }
}
