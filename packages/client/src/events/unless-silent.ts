/** In how many parts a silence is measured. */
const TICKS = 4;

/**
 * Waits, but says so when that takes longer than `silenceMs`.
 *
 * A machine that sleeps does not count: right after it wakes, the time of day says how long it was.
 */
export async function unlessSilent<T>(
  wait: Promise<T>,
  silenceMs: number,
  onSilence: () => void,
): Promise<T> {
  const began = Date.now();
  let ticks = 0;
  const timer = setInterval(() => {
    ticks++;
    if (ticks >= TICKS || Date.now() - began >= silenceMs) onSilence();
  }, silenceMs / TICKS);
  try {
    return await wait;
  } finally {
    clearInterval(timer);
  }
}
