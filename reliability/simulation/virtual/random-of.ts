import { Random } from '../../random.js';

/**
 * Random numbers for one part of a simulated world. Each part has its own: a part that draws more numbers, or is left
 * out, does not change the others.
 */
export function randomOf(seed: number, part: string): Random {
  let hash = 0x811c9dc5;
  // FNV-1a.
  for (const character of `${seed} ${part}`) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return new Random(hash).fork();
}
