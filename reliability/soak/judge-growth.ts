import type { Held } from './measure.js';

/** What was measured after a stretch of simulated days. */
export interface Sample {
  readonly day: number;
  /** With the service open and nobody there. */
  readonly open: Held;
  /** With the service closed. */
  readonly closed: Held;
  /** Bytes of the files of the store. */
  readonly disk: number;
  /** Bytes of its rows. */
  readonly data: number;
}

const MIB = 2 ** 20;

/** How much more there may be in the last third than in the first: what is kept on purpose, and noise. */
export const ALLOWED_GROWTH: Readonly<Record<'heap' | 'buffers' | 'rss', number>> = {
  // A revision for each day that was written and the keys of a thousand cached answers are a few hundred KiB.
  heap: 2 * MIB,
  // The cache of answers may fill up to 8 MiB; an event history of 1,024 events is a quarter of one.
  buffers: 9 * MIB,
  // What was freed is not given back to the system at once, and in pages.
  rss: 48 * MIB,
};

/**
 * A row is written again with every scan of its tag on its day, and LevelDB merges what it wrote in files of the size
 * of a write buffer when there are four: twice the data, and four such files.
 */
const MOST_DISK_PER_DATA = 2;
export const MOST_DISK_BESIDE: number = MIB;

/**
 * Says what grew that should not have.
 *
 * @param baseline What was held with the service closed, before the first day but after one start and stop.
 */
export function judgeGrowth(baseline: Held, samples: readonly Sample[]): readonly string[] {
  const findings: string[] = [];
  for (const { day, closed, disk, data } of samples) {
    for (const what of ['descriptors', 'handles'] as const) {
      if (closed[what] > baseline[what]) {
        findings.push(
          `after day ${day} the closed service holds ${closed[what]} ${what}; at first ${baseline[what]}`,
        );
      }
    }
    const most = MOST_DISK_PER_DATA * data + MOST_DISK_BESIDE;
    if (disk > most)
      findings.push(`after day ${day} the store takes ${disk} bytes for ${data} of data; ${most} allowed`);
  }
  const third = Math.ceil(samples.length / 3);
  for (const what of ['heap', 'buffers', 'rss'] as const) {
    for (const state of ['open', 'closed'] as const) {
      const values = samples.map((sample) => sample[state][what]);
      const [early, late] = [Math.max(...values.slice(0, third)), Math.max(...values.slice(-third))];
      if (late - early <= ALLOWED_GROWTH[what]) continue;
      findings.push(
        `${what} of the ${state} service grew by ${late - early} bytes from the first third to the last; ${ALLOWED_GROWTH[what]} allowed`,
      );
    }
  }
  return findings;
}
