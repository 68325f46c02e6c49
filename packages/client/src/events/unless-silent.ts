/** How often the time is checked within `silenceMs`. */
const TICKS = 4;

/**
 * Waits, and calls `onSilence` when the wait takes longer than `silenceMs`.
 *
 * Timers stand still while a machine sleeps. So the time of day is checked too: it shows a long sleep soon after the machine
 * wakes.
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
