/** Keeps the screen on, without which a phone reads no tags. Where the browser cannot, it goes off as always. */
export function keepAwake(): () => void {
  let isOver = false;
  let lock: WakeLockSentinel | undefined;
  const request = async (): Promise<void> => {
    if (isOver || document.visibilityState === 'hidden' || !('wakeLock' in navigator)) return;
    lock = await navigator.wakeLock.request('screen').catch(() => undefined);
    if (isOver) await lock?.release();
  };
  // The browser takes it away while the page is hidden.
  const again = (): void => void request();
  document.addEventListener('visibilitychange', again);
  void request();
  return () => {
    isOver = true;
    document.removeEventListener('visibilitychange', again);
    void lock?.release();
  };
}
