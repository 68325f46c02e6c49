/**
 * Measures each contestant once a round, beginning with another one each time, so that what else goes on in the
 * machine meets all alike.
 *
 * @param contestants By name, how to measure one of them once.
 * @returns By name, the median of the rounds.
 */
export async function medianOfRounds(rounds, contestants) {
  const names = Object.keys(contestants);
  const values = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + turn) % names.length];
      values[name].push(await contestants[name]());
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(values[name])]));
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
