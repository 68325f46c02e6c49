import { quote, TallybookError } from '@tallybook/domain';

/** Minimum, maximum and default of each option that is a number: see the options for their meaning. */
export const httpLimits = {
  maxSubscribers: [1, 1_000_000, 1_000],
  maxBufferedBytes: [0, 1_073_741_824, 262_144],
  keepAliveMs: [1, 3_600_000, 15_000],
  retryMs: [0, 3_600_000, 2_000],
  maxStreamsPerAddress: [1, 1_000_000, 100],
  maxStreamsPerSession: [1, 1_000_000, 20],
  maxReadsPerSecond: [0, 100_000, 200],
  maxWritesPerSecond: [0, 100_000, 50],
  maxExportsPerMinute: [0, 100_000, 60],
  maxExports: [1, 100, 2],
  answerStallMs: [1, 3_600_000, 30_000],
  answerDeadlineMs: [1, 86_400_000, 600_000],
  maxAnswerBytes: [1, 17_179_869_184, 134_217_728],
  answerWaitMs: [1, 3_600_000, 25_000],
  maxCachedBytes: [1, 17_179_869_184, 8_388_608],
} as const;

/**
 * Reads an option that is a whole number.
 *
 * @throws {TallybookError} `INVALID_OPTION` if it is out of range.
 */
export function limitedOption<Name extends keyof typeof httpLimits>(
  name: Name,
  options: Readonly<Partial<Record<Name, number>>>,
): number {
  const [least, most, fallback] = httpLimits[name];
  const value = options[name] ?? fallback;
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new TallybookError('INVALID_OPTION', `${name} is ${least} to ${most}; got ${quote(value)}`);
}
