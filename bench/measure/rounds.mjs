/**
 * Measures each contestant once a round, beginning with another one each time, so that what else goes on in the
 * machine meets all alike.
 *
 * @param contestants By name, how to measure one of them once.
 * @returns By name, the value of each round.
 */
export async function valuesOfRounds(rounds, contestants) {
  const names = Object.keys(contestants);
  const values = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + turn) % names.length];
      values[name].push(await contestants[name]());
    }
  }
  return values;
}

/** The same, as the median of the rounds. */
export async function medianOfRounds(rounds, contestants) {
  const values = await valuesOfRounds(rounds, contestants);
  return Object.fromEntries(Object.entries(values).map(([name, each]) => [name, median(each)]));
}

export function median(values) {
  return quantile(values, 1 / 2);
}

/** The value below which this part of all values is, from 0 to 1; between two values if it falls there. */
export function quantile(values, part) {
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * part;
  const below = Math.floor(place);
  const next = sorted[Math.ceil(place)];
  return sorted[below] + (next - sorted[below]) * (place - below);
}
