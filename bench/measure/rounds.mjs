/**
 * Measures each contestant once a round. Each round begins with another one, so that other work of the machine affects all
 * alike.
 *
 * @param contestants Functions that measure a contestant once, by name.
 * @returns The values of all rounds, by name.
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

/** Measures each peer once a round, and once before that: a program is slow at first. */
export async function valuesOfPeers(rounds, peers, measure) {
  const contestants = Object.fromEntries(
    Object.entries(peers).map(([name, peer]) => [name, () => measure(peer, name)]),
  );
  for (const warmUp of Object.values(contestants)) await warmUp();
  return valuesOfRounds(rounds, contestants);
}

/** The medians of all rounds, by name. */
export async function medianOfRounds(rounds, contestants) {
  const values = await valuesOfRounds(rounds, contestants);
  return Object.fromEntries(Object.entries(values).map(([name, each]) => [name, median(each)]));
}

export function median(values) {
  return quantile(values, 1 / 2);
}

/** The quantile of values for a part from 0 to 1, interpolated between two values. */
export function quantile(values, part) {
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * part;
  const below = Math.floor(place);
  const next = sorted[Math.ceil(place)];
  return sorted[below] + (next - sorted[below]) * (place - below);
}
