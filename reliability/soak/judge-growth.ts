import type { Held } from './measure.js';

/** Measurements after some simulated days. */
export interface Sample {
  readonly day: number;
  /** With the service open and without clients. */
  readonly open: Held;
  /** With the service closed. */
  readonly closed: Held;
  /** Bytes of the files of the store. */
  readonly disk: number;
  /** Bytes of its rows. */
  readonly data: number;
}

const MIB = 2 ** 20;

/** Allowed growth from the first third of the samples to the last one: data that is kept on purpose, and noise. */
export const ALLOWED_GROWTH: Readonly<Record<'heap' | 'buffers' | 'rss', number>> = {
  // A revision for each written day, and the keys of a thousand cached answers, take a few hundred KiB.
  heap: 2 * MIB,
  // The cache of answers may grow up to 8 MiB; an event history of 1,024 events takes a quarter of a MiB.
  buffers: 9 * MIB,
  // Freed memory is given back to the system later, and in pages.
  rss: 48 * MIB,
};

/**
 * A row is written again with every scan of its tag on its day. LevelDB merges its new files, each as large as a
 * write buffer, when there are four. So it may take twice the data, and four such files.
 */
const MOST_DISK_PER_DATA = 2;
export const MOST_DISK_BESIDE: number = MIB;

/**
 * Finds forbidden growth.
 *
 * @param baseline Measurements with the service closed, before the first day but after one start and stop.
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
