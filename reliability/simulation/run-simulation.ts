import type { Figure, Outcome, RunOptions } from '../part.js';
import { makePlan, type Plan } from './plan.js';
import { formatPlan, parsePlan, shrinkPlan } from './shrink.js';
import { runWorld } from './world.js';

const COUNT = 10_000;
const SHORT_COUNT = 75;
/** The tests use the first worlds, so the short run uses the next ones. */
export const TESTED_WORLDS = 25;
/** Failures that are reduced and described; more of them give no new information. */
const TOLD_MAX = 5;

/** Runs many worlds, each with a seed of its own, from `seed` on. */
export async function simulate({ seed, count, isShort, replay }: RunOptions): Promise<Outcome> {
  if (replay !== undefined) return simulateAgain(replay);
  const worlds = count ?? (isShort ? SHORT_COUNT : COUNT);
  const first = isShort && count === undefined ? seed + TESTED_WORLDS : seed;
  const totals = { stations: 0, steps: 0, happened: 0 };
  const bad: number[] = [];
  const failures: string[] = [];
  for (let index = 0; index < worlds; index++) {
    const plan = makePlan(first + index);
    const { problems, happened } = await runWorld(plan);
    totals.stations += plan.stations;
    totals.steps += plan.steps.length;
    totals.happened += happened;
    if (problems.length > 0) {
      bad.push(plan.seed);
      if (failures.length < TOLD_MAX) failures.push(await tell(plan));
    }
    if ((index + 1) % 1_000 === 0) console.error(`  ${index + 1} worlds`);
  }
  if (bad.length > failures.length) failures.push(`and the worlds of the seeds ${bad.join(', ')}`);
  const figures: readonly Figure[] = [
    { what: 'worlds', value: worlds },
    { what: 'stations', value: totals.stations },
    { what: 'operations and faults', value: totals.steps },
    { what: 'events', value: totals.happened },
  ];
  return { figures, failures };
}

/**
 * Makes a failed world as small as possible. Resolves with a description of its problems, and the command that
 * repeats it.
 */
async function tell(whole: Plan): Promise<string> {
  const isBad = async (plan: Plan): Promise<boolean> => (await runWorld(plan)).problems.length > 0;
  const plan = await shrinkPlan(whole, isBad);
  const { problems } = await runWorld(plan);
  const steps = plan.steps.map(
    ({ atMs, ...step }) => `  ${(atMs / 1000).toFixed(3)} ${JSON.stringify(step)}`,
  );
  return [
    `seed ${plan.seed}, ${plan.stations} stations, ${plan.centres} servers:`,
    ...steps,
    ...problems.slice(0, 5),
    `  again: npm run reliability -- simulation --replay ${formatPlan(plan, whole)}`,
  ].join('\n');
}

async function simulateAgain(replay: string): Promise<Outcome> {
  const { problems, lines } = await runWorld(parsePlan(replay, makePlan), { keepsLines: true });
  for (const line of lines) console.error(`  ${line}`);
  return { figures: [{ what: 'worlds seen again', value: 1 }], failures: problems };
}
