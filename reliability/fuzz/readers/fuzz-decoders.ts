import type { DecodedFrame, FrameDecoder } from '@tallybook/readers';
import { randomOf } from '../../random.js';
import { makeNoise } from './line-noise.js';
import { escapeBytes } from '../script.js';

/** Longer than any silence that ends a frame. */
const SILENCE_MS = 10_000;

/** The result of fuzzing the decoder of a protocol. */
export interface DecoderTally {
  readonly bytes: number;
  readonly failures: readonly string[];
}

/**
 * Passes noise, cut at random places, to decoders, then a sound frame.
 *
 * @param cases Number of cases. Each has a decoder of its own and up to 4,000 bytes.
 */
export function fuzzDecoder(
  protocol: string,
  createDecoder: () => FrameDecoder,
  { id, frame }: { readonly id: string; readonly frame: Buffer },
  cases: number,
  seed: number,
): DecoderTally {
  let bytes = 0;
  const failures: string[] = [];
  for (let number = 0; number < cases && failures.length < 3; number++) {
    const random = randomOf(seed, `decoder ${protocol} ${number}`);
    const noise = makeNoise(random, random.between(1, 4_000), [frame]);
    bytes += noise.length;
    const problem = findProblem();
    if (problem !== undefined) {
      failures.push(
        `decoder ${protocol}, case ${number} of seed ${seed}: ${problem}; noise ${escapeBytes(noise, 4_000)}`,
      );
    }

    function findProblem(): string | undefined {
      const decoder = createDecoder();
      let nowMs = 0;
      const fallSilent = (): readonly DecodedFrame[] => {
        nowMs += SILENCE_MS;
        return decoder.silence?.() ?? [];
      };
      try {
        for (let at = 0, end = 0; at < noise.length; at = end) {
          end = at + random.between(1, 200);
          nowMs += random.between(0, 5);
          if (random.chance(0.1)) fallSilent();
          decoder.push(noise.subarray(at, end), nowMs);
        }
        fallSilent();
        const decoded = [...decoder.push(frame, nowMs), ...fallSilent()];
        return decoded.some(
          (each) => ('id' in each && each.id === id) || ('text' in each && each.text === id),
        )
          ? undefined
          : 'a sound frame after it is not read';
      } catch (error) {
        return `it threw ${String(error)}`;
      }
    }
  }
  return { bytes, failures };
}
