import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Outcome, Part } from '../part.js';
import { Random } from '../random.js';
import { ScratchFolder } from '../scratch-folder.js';
import { Audience } from './audience.js';
import { judgeGrowth, type Sample } from './judge-growth.js';
import { countOpen, measureHeld, measureStore, type Held, type Open } from './measure.js';
import { SoakedService } from './soaked-service.js';

const FULL_DAYS = 300;
const SHORT_DAYS = 20;
const SAMPLES = 10;
const PEOPLE = 60;
const VIEWERS = 20;
const RESTART_EVERY_DAYS = 10;
const PATIENCE_MS = 10_000;
/** Milliseconds between two checks of the open resources. */
const LOOK_MS = 20;

/**
 * Runs the service through most of a year in minutes, and checks whether its memory or its open resources grow.
 * `--count` is the number of days.
 */
export const soak: Part = async ({ seed, isShort, count }) => {
  return runSoak(seed, count ?? (isShort ? SHORT_DAYS : FULL_DAYS));
};

/** @param onDay Called at the end of each day. The tests of this part cause leaks there. */
export async function runSoak(
  seed: number,
  days: number,
  onDay: () => void = () => undefined,
): Promise<Outcome> {
  await using folder = new ScratchFolder('soak-');
  const path = join(folder.path, 'store');
  const random = new Random(seed);
  const service = new SoakedService(path);
  const audience = new Audience(service, VIEWERS);
  // Node makes some objects once and keeps them. They are made here, before the first measurement.
  await service.open();
  await audience.spendDay(random, PEOPLE);
  audience.leave();
  await service.close();
  const baseline = await settle(() => true);

  const samples: Sample[] = [];
  await service.open();
  for (let day = 1; day <= days; day++) {
    await audience.spendDay(random, PEOPLE);
    await service.passDay(random, PEOPLE);
    onDay();
    if (day % Math.max(Math.floor(days / SAMPLES), 1) === 0) {
      samples.push(await takeSample(service, audience, baseline, path, day, samples));
      console.error(`soak: day ${day} of ${days}`);
    } else if (day % RESTART_EVERY_DAYS === 0) {
      await service.close();
      await service.open();
      audience.leave();
    }
  }
  await service.close();
  const missing = await findMissing(path, service, audience);
  const failures = [...judgeGrowth(baseline, samples), ...missing].map(
    (failure) => `seed ${seed}: ${failure}`,
  );
  return { figures: figuresOf(service, audience, baseline, samples, days), failures };
}

/** Measures without clients, then with the service closed, and opens it again. */
async function takeSample(
  service: SoakedService,
  audience: Audience,
  baseline: Held,
  path: string,
  day: number,
  earlier: readonly Sample[],
): Promise<Sample> {
  audience.leave();
  const open = await settle(() => service.streams === 0);
  await service.close();
  const isClean = ({ descriptors, handles }: Open): boolean =>
    descriptors <= baseline.descriptors && handles <= baseline.handles;
  // An earlier leak does not disappear by waiting.
  const hasLeaked = earlier.some((sample) => !isClean(sample.closed));
  const closed = await settle((left) => hasLeaked || isClean(left));
  const sample = { day, open, closed, ...(await measureStore(path)) };
  await service.open();
  return sample;
}

/**
 * Measures when all sockets are closed on both sides, or after a time limit. Measures only once, because that
 * collects all garbage.
 */
async function settle(isSettled: (open: Open) => boolean): Promise<Held> {
  const deadline = performance.now() + PATIENCE_MS;
  await new Promise(setImmediate);
  while (!isSettled(countOpen()) && performance.now() <= deadline) await pause(LOOK_MS);
  return measureHeld();
}

/** Reads all data with a new service on the store, as after a start of the device. */
async function findMissing(
  path: string,
  { ledger, announced, taps }: SoakedService,
  audience: Audience,
): Promise<readonly string[]> {
  const findings = [...announced.problems];
  if (announced.names !== audience.counts.nameChanges) {
    findings.push(
      `the journal told of ${announced.names} names, and ${audience.counts.nameChanges} were acknowledged`,
    );
  }
  if (ledger.count !== taps) findings.push(`of ${taps} taps ${ledger.count} were acknowledged`);
  const again = new SoakedService(path);
  await again.open();
  for (const day of ledger.days) {
    if (!ledger.agrees(day, await again.load(day)))
      findings.push(`the record of day ${day} is not what was acknowledged`);
  }
  const names = new Map(Array.from(await again.names(), ([id, { last }]) => [String(id), last]));
  for (const [id, last] of audience.names) {
    if (names.get(id) !== last)
      findings.push(`the name of the tag ${id} is not the one that was acknowledged`);
  }
  await again.close();
  return findings;
}

function figuresOf(
  { ledger }: SoakedService,
  { counts }: Audience,
  baseline: Held,
  samples: readonly Sample[],
  days: number,
): Outcome['figures'] {
  const [first, last] = [samples[0], samples.at(-1)];
  return [
    { what: 'days', value: days },
    { what: 'scans acknowledged, and found at the end', value: ledger.count },
    { what: 'visits of viewers', value: counts.visits },
    { what: 'events that these viewers got', value: counts.events },
    { what: 'requests of lists', value: counts.looks },
    { what: 'unchanged lists (304)', value: counts.unchanged },
    { what: 'names changed', value: counts.nameChanges },
    ...(['heap', 'buffers', 'rss'] as const).flatMap((what) => [
      { what: `${what} after day ${first?.day ?? 0}, KiB`, value: toKib(first?.open[what]) },
      { what: `${what} after day ${last?.day ?? 0}, KiB`, value: toKib(last?.open[what]) },
    ]),
    { what: 'descriptors while closed, at first', value: baseline.descriptors },
    {
      what: 'descriptors while closed, at most',
      value: Math.max(...samples.map(({ closed }) => closed.descriptors)),
    },
    { what: 'handles while closed, at first', value: baseline.handles },
    {
      what: 'handles while closed, at most',
      value: Math.max(...samples.map(({ closed }) => closed.handles)),
    },
    { what: 'rows of the store, KiB', value: toKib(last?.data) },
    { what: 'store on the disk, KiB', value: toKib(last?.disk) },
    { what: 'store on the disk, KiB, most', value: toKib(Math.max(...samples.map(({ disk }) => disk))) },
  ];
}

function toKib(bytes = 0): number {
  return Math.round(bytes / 1_024);
}
