import { stationName, type Plan, type Step } from './plan.js';

/** Most worlds that are tried to reduce one. */
const ATTEMPTS_MAX = 400;

/**
 * Leaves out of a plan all that is not needed for its failure: steps, then stations and servers.
 *
 * @param isBad Tells whether a plan still fails.
 */
export async function shrinkPlan(plan: Plan, isBad: (plan: Plan) => Promise<boolean>): Promise<Plan> {
  let attempts = 0;
  let best = plan;
  const tryOut = async (smaller: Plan): Promise<boolean> => {
    if (attempts++ >= ATTEMPTS_MAX || !(await isBad(smaller))) return false;
    best = smaller;
    return true;
  };
  // Tries to leave out half of the steps, a quarter and so on. Repeats this with the remaining steps as long as some
  // can be left out.
  for (let size = Math.ceil(best.steps.length / 2); size >= 1;) {
    let hasShrunk = false;
    for (let start = 0; start < best.steps.length && attempts < ATTEMPTS_MAX;) {
      const steps = [...best.steps.slice(0, start), ...best.steps.slice(start + size)];
      if (await tryOut({ ...best, steps })) hasShrunk = true;
      else start += size;
    }
    if (size > 1) size = Math.ceil(size / 2);
    else if (!hasShrunk) break;
  }
  await tryOut({ ...best, stations: stationsNeeded(best) });
  await tryOut({ ...best, centres: 1 });
  return best;
}

/** Number of stations that the steps need; at least one. */
function stationsNeeded({ stations, steps }: Plan): number {
  const places = new Set(steps.map(({ place }) => place));
  for (let count = stations; count > 1; count--) if (places.has(stationName(count - 1))) return count;
  return 1;
}

/** A plan as a value of `--replay`: its differences from the plan of its seed. */
export function formatPlan(plan: Plan, whole: Plan): string {
  const kept = plan.steps.map((step) => whole.steps.indexOf(step));
  return [plan.seed, plan.stations, plan.centres, kept.join(',')].join(':');
}

/** @param make Makes the plan of a seed. */
export function parsePlan(text: string, make: (seed: number) => Plan): Plan {
  const [seed = '', stations, centres, kept] = text.split(':');
  if (!/^[0-9]+$/.test(seed)) throw new Error(`--replay takes what a failure prints; got ${text}`);
  const whole = make(Number(seed));
  if (kept === undefined) return whole;
  const indices = kept === '' ? [] : kept.split(',').map(Number);
  const steps = indices.map((index) => whole.steps[index]).filter((step): step is Step => step !== undefined);
  return { ...whole, stations: Number(stations), centres: Number(centres), steps };
}
