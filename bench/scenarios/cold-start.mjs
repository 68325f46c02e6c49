import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import modules from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { installPacked, packAll } from '../../tools/packages/packing.mjs';
import { serveOnce } from '../../tools/packages/serve-once.mjs';
import { days } from '../dataset.mjs';
import { CHECKOUT, Peer } from '../measure/peer.mjs';
import { medianOfRounds, valuesOfRounds } from '../measure/rounds.mjs';
import { compare } from '../measure/table.mjs';

const SETTLE_MS = 1_000;
/** Starts of a round: a start is short, and other work of the machine may fall into it. */
const TURNS_OF_ROUND = 5;
const MANY_NAMES = 1_000_000;
/** Since 22.8, Node keeps compiled code. */
const MOST_OF_LIMIT = modules.enableCompileCache === undefined ? 2 : 1.6;
/** Checks the files of a store in a new process, as a start does: V8 has compiled none of the code yet. */
const LOOK = `
  const begin = performance.now();
  const { damages } = await inspectFiles(process.argv[1]);
  if (damages.length > 0) throw new Error(JSON.stringify(damages));
  console.log(performance.now() - begin);
`;
const inspection = new URL('../../packages/store-level/dist/repair/inspect-files.js', import.meta.url).href;

/** Milliseconds that the check of all files of a store takes. */
function lookAt(store) {
  const program = `import { inspectFiles } from '${inspection}';${LOOK}`;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program, store]);
  return Number(output.toString());
}

/** Packs the packages as for a release, and installs them with npm as users do. Returns the installed program. */
function installServer() {
  const folder = mkdtempSync(join(tmpdir(), 'tallybook-installed-'));
  installPacked(folder, { tarballs: packAll(folder), names: ['@tallybook/server'] });
  return join(folder, 'node_modules/.bin/tallybook');
}

/** Time from the start of the process to its first answer, and its memory then. */
export async function run({ rounds, stores }) {
  const store = await stores.get('ten-years', {
    names: 1_000,
    days: days(3_000).map((day) => ({ day, ids: 60 })),
  });
  const program = installServer();
  // As after a first start: Node has kept the code that V8 compiled, if this version can.
  for (const each of [CHECKOUT, program])
    await serveOnce(each, mkdtempSync(join(tmpdir(), 'tallybook-first-')));
  const kib = { tallybook: [], installed: [], limit: [] };
  const start = async (name, options) => {
    const peer = await Peer.start(name === 'limit' ? name : 'tallybook', options);
    const response = await fetch(`${peer.url}/api/mapping`);
    await response.text();
    const milliseconds = Number(process.hrtime.bigint() - peer.startedAtNs) / 1e6;
    await pause(SETTLE_MS);
    kib[name].push(peer.residentKiB);
    await peer.stop();
    return milliseconds;
  };
  const milliseconds = await valuesOfRounds(TURNS_OF_ROUND * rounds, {
    tallybook: () => start('tallybook', { store }),
    installed: () => start('installed', { store, program }),
    limit: () => start('limit', { args: ['empty'] }),
  });
  const many = await stores.get('million-names', { names: MANY_NAMES });
  const looks = await medianOfRounds(rounds, {
    tenYears: async () => lookAt(store),
    million: async () => lookAt(many),
  });
  const mib = (name) => kib[name].map((each) => each / 1_024);
  const title = 'limit, empty store';
  const coldStart = compare('cold start to the first answer, ten years of data', milliseconds, 'limit', {
    ...{ title, unit: 'ms', most: MOST_OF_LIMIT },
  });
  const memory = { tallybook: mib('tallybook'), limit: mib('limit') };
  return [
    coldStart,
    { ...coldStart, what: 'the same of the installed package', ours: milliseconds.installed },
    { what: 'of it comparing all checksums of the store', ours: looks.tenYears, unit: 'ms' },
    { what: 'comparing those of 1,000,000 names', ours: looks.million, unit: 'ms' },
    compare('resident memory, idle, ten years of data', memory, 'limit', { title, unit: 'MiB', most: 1.4 }),
  ];
}
