import { frameDecoders } from '@tallybook/readers';
import { PluggableLine } from '../../packages/readers/test/serial/pluggable-line.js';
import type { Figure, Outcome, Part, RunOptions } from '../part.js';
import { makeBrokenScript } from './http/broken-requests.js';
import { listEndpoints, type OpenApi } from './http/endpoints.js';
import { fuzzDecoder } from './readers/fuzz-decoders.js';
import { fuzzImports } from './imports/fuzz-imports.js';
import { fuzzLines } from './readers/fuzz-lines.js';
import { FuzzedServer, HEAP_MIB } from './fuzzed-server.js';
import {
  makeBodyScript,
  makeClaimedScript,
  makeQueryScript,
  makeStreamScript,
} from './http/hostile-requests.js';
import { ScratchFolder } from '../scratch-folder.js';
import { claim, CLAIMING } from './claim.js';
import { BUSY, replayHttpCase, runHttpPhase, type HttpPhase } from './http/http-phase.js';
import { until } from '../until.js';
import { PATIENCE_MS, PlantedData } from './planted-data.js';
import { trickle } from './http/slow-clients.js';
import { soundFrames } from './readers/sound-frames.js';

const MIB = 2 ** 20;

/** How much of each kind, in full and in a short run. */
const AMOUNTS = {
  // Hostile requests.
  raw: [120_000, 10_000],
  queries: [80_000, 10_000],
  bodies: [40_000, 4_000],
  streams: [5_000, 500],
  claimed: [40_000, 4_000],
  // Bytes.
  noise: [2 * MIB, MIB / 4],
  endless: [64 * MIB, 8 * MIB],
  decoderCases: [20_000, 1_000],
  files: [200, 16],
  largeLines: [1_000_000, 20_000],
  slowMs: [40_000, 5_000],
} as const;

type Amounts = Readonly<Record<keyof typeof AMOUNTS, number>>;

const SLOW_CLIENTS = 40;
/** The server allows 10 s for a header and 30 s for a request, and checks every 5 s. */
const SLOW_ENDED_MS = 36_000;
/** About 90 MiB for Node and the program, the limit of V8's heap, and half as much for memory outside of it. */
const MOST_RSS_OF_IMPORT = (90 + HEAP_MIB + HEAP_MIB / 2) * MIB;
/** Two passwords are hashed at the same time, with 32 MiB each; see `SystemSecrets`. */
const MOST_RSS_OF_SERVER = MOST_RSS_OF_IMPORT + 64 * MIB;

/** Sends hostile input of all kinds to the service, and checks that it stays up, answers, and keeps its data. */
export const fuzz: Part = async (options) => {
  await using scratch = new ScratchFolder('fuzz-');
  const folder = scratch.path;
  const lines = new Map<string, PluggableLine>();
  let server: FuzzedServer | undefined;
  try {
    for (const protocol of Object.keys(frameDecoders)) lines.set(protocol, await PluggableLine.create());
    server = await FuzzedServer.start(
      folder,
      Array.from(lines, ([protocol, line]) => readerUrl(protocol, line)),
    );
    const openApi = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as OpenApi;
    const amounts = scale(options);
    const phases = httpPhases(openApi, amounts);
    if (options.replay !== undefined) return await replay(server, phases, options.replay, options.seed);
    const ofServer = await fuzzServer(server, lines, phases, amounts, options.seed);
    const ofRest = await fuzzRest(folder, amounts, options.seed);
    return {
      figures: [...ofServer.figures, ...ofRest.figures],
      failures: [...ofServer.failures, ...ofRest.failures],
    };
  } finally {
    await server?.stop();
    for (const line of lines.values()) await line.dispose();
  }
};

/** `--count` is the number of raw requests; all other amounts change in proportion. */
function scale({ isShort, count }: RunOptions): Amounts {
  const which = isShort ? 1 : 0;
  const factor = (count ?? AMOUNTS.raw[which]) / AMOUNTS.raw[which];
  const scaled = Object.entries(AMOUNTS).map(([name, each]) => [name, Math.ceil(each[which] * factor)]);
  return { ...(Object.fromEntries(scaled) as Amounts), slowMs: AMOUNTS.slowMs[which] };
}

function readerUrl(protocol: string, { path }: PluggableLine): string {
  return `serial:${path}?protocol=${protocol}&name=${protocol}`;
}

interface Phases {
  /** For a service without users, where everybody may do everything. */
  readonly open: readonly HttpPhase[];
  /** For the same service when it has an admin. Needs the token of the admin. */
  readonly claimed: { readonly name: string; readonly with: (token: string) => HttpPhase };
}

function httpPhases(openApi: OpenApi, amounts: Amounts): Phases {
  const endpoints = listEndpoints(openApi);
  // A body that is valid by chance would make the first user, and all later requests would be refused.
  const leavingOpen = endpoints.filter(
    ({ method, path }) => method !== CLAIMING.method || path !== CLAIMING.path,
  );
  const paths = endpoints.filter(({ isStream }) => !isStream).map(({ path }) => path);
  const open = [
    { name: 'raw', requests: amounts.raw, make: (random) => makeBrokenScript(random, paths) },
    { name: 'queries', requests: amounts.queries, make: (random) => makeQueryScript(random, endpoints) },
    {
      name: 'bodies',
      requests: amounts.bodies,
      make: (random) => makeBodyScript(random, leavingOpen, openApi),
    },
    { name: 'streams', requests: amounts.streams, make: (random) => makeStreamScript(random, endpoints) },
  ] satisfies readonly HttpPhase[];
  const name = 'claimed';
  const claimed = (token: string): HttpPhase => ({
    ...{ name, requests: amounts.claimed },
    make: (random) => makeClaimedScript(random, endpoints, openApi, token),
  });
  return { open, claimed: { name, with: claimed } };
}

async function fuzzServer(
  server: FuzzedServer,
  lines: ReadonlyMap<string, PluggableLine>,
  phases: Phases,
  amounts: Amounts,
  seed: number,
): Promise<Outcome> {
  const data = await PlantedData.plant(server);
  const socketsBefore = server.socketCount;
  const figures: Figure[] = [];
  const failures: string[] = [];
  const slow = trickle(server.port, SLOW_CLIENTS, amounts.slowMs);
  const classes = new Map<number, number>();
  let withCredentials = 0;
  let crossings = 0;
  const run = async (phase: HttpPhase): Promise<void> => {
    const tally = await runHttpPhase(phase, seed, server);
    figures.push({ what: `${phase.name}: hostile requests`, value: tally.hostile });
    withCredentials += tally.withCredentials;
    crossings += tally.crossings;
    for (const [kind, count] of tally.classes) classes.set(kind, (classes.get(kind) ?? 0) + count);
    failures.push(
      ...tally.failures,
      ...(await data.check()).map((problem) => `after ${phase.name}: ${problem}`),
    );
    const peak = toMib(server.peakRss);
    console.error(`fuzz: ${phase.name} took ${tally.connections} connections; peak RSS ${peak} MiB`);
  };
  for (const phase of phases.open) await run(phase);
  const noise = { serial: amounts.noise, typed: amounts.noise, endless: amounts.endless };
  failures.push(...(await fuzzLines(server, lines, noise, seed)), ...(await data.check()));
  const token = await claim(server);
  data.signIn(token);
  await run(phases.claimed.with(token));
  const { failures: slowFailures, endedByServer } = await slow;
  failures.push(...slowFailures);
  if (amounts.slowMs >= SLOW_ENDED_MS && endedByServer < SLOW_CLIENTS) {
    failures.push(`of ${SLOW_CLIENTS} slow clients the server got rid of ${endedByServer} only`);
  }
  await until('all sockets are closed', () => server.socketCount <= socketsBefore, PATIENCE_MS).catch(
    (error: unknown) =>
      failures.push(`${server.socketCount} sockets are open, ${socketsBefore} were: ${String(error)}`),
  );
  failures.push(...(await data.check()));
  const { peakRss } = server;
  if (peakRss > MOST_RSS_OF_SERVER) {
    failures.push(`the server took ${toMib(peakRss)} MiB, more than ${toMib(MOST_RSS_OF_SERVER)}`);
  }
  const exitCode = await server.stop();
  if (exitCode !== 0) failures.push(`asked to stop it ended with ${exitCode ?? 'a signal'}`);
  failures.push(...server.complaints.map((line) => `the server complained: ${line}`));
  for (const hundred of [1, 2, 3, 4, 5]) {
    figures.push({ what: `answers ${hundred}xx`, value: classes.get(hundred) ?? 0 });
  }
  figures.push(
    { what: 'requests with credentials', value: withCredentials },
    { what: 'answers to nobody that are no refusal', value: crossings },
    { what: 'refused as too many at a time (503)', value: classes.get(BUSY) ?? 0 },
    { what: 'slow clients', value: SLOW_CLIENTS },
    { what: 'serial noise, bytes', value: amounts.noise * lines.size },
    { what: 'typed noise, bytes', value: amounts.noise + amounts.endless },
    { what: 'server: crashes', value: failures.filter((failure) => failure.includes('crashed')).length },
    { what: 'server: peak RSS, MiB', value: toMib(peakRss) },
  );
  return { figures, failures };
}

async function fuzzRest(folder: string, amounts: Amounts, seed: number): Promise<Outcome> {
  const failures: string[] = [];
  let decoded = 0;
  for (const [protocol, createDecoder] of Object.entries(frameDecoders)) {
    const sound = soundFrames[protocol];
    if (sound === undefined) {
      failures.push(`there is no sound frame of the protocol ${protocol}; add one to sound-frames.ts`);
      continue;
    }
    const tally = fuzzDecoder(protocol, createDecoder, sound, amounts.decoderCases, seed);
    decoded += tally.bytes;
    failures.push(...tally.failures);
  }
  const imports = await fuzzImports(folder, amounts.files, amounts.largeLines, seed);
  failures.push(...imports.failures);
  if (imports.peakRss > MOST_RSS_OF_IMPORT) {
    failures.push(`an import took ${toMib(imports.peakRss)} MiB, more than ${toMib(MOST_RSS_OF_IMPORT)}`);
  }
  const figures = [
    { what: 'decoders: bytes', value: decoded },
    { what: 'imports: files', value: imports.files },
    { what: 'imports: refused', value: imports.refused },
    { what: 'imports: accepted', value: imports.accepted },
    { what: 'imports: peak RSS, MiB', value: toMib(imports.peakRss) },
  ];
  return { figures, failures };
}

/** @param name Name of a phase, a colon, and the number of the case, as printed with a failure. */
async function replay(
  server: FuzzedServer,
  { open, claimed }: Phases,
  name: string,
  seed: number,
): Promise<Outcome> {
  const [phaseName, number] = name.split(':');
  const names = [...open, claimed].map((each) => each.name);
  if (!names.some((each) => each === phaseName) || number === undefined) {
    throw new Error(`--replay is one of ${names.map((each) => `${each}:NUMBER`).join(', ')}; got ${name}`);
  }
  const phase = open.find((each) => each.name === phaseName) ?? claimed.with(await claim(server));
  const { problem, description } = await replayHttpCase(phase, Number(number), seed, server);
  console.log(description);
  return { figures: [], failures: problem === undefined ? [] : [problem] };
}

function toMib(bytes: number): number {
  return Math.round(bytes / MIB);
}
