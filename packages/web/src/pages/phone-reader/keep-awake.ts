/** Keeps the screen on: a phone reads no tags when it is off. Does nothing if the browser cannot. */
export function keepAwake(): () => void {
  const leaving = new AbortController();
  const { signal } = leaving;
  const isLeft = (): boolean => signal.aborted;
  let lock: WakeLockSentinel | undefined;
  const request = async (): Promise<void> => {
    if (isLeft() || document.visibilityState === 'hidden' || !('wakeLock' in navigator)) return;
    lock = await navigator.wakeLock.request('screen').catch(() => undefined);
    if (isLeft()) await lock?.release();
  };
  // The browser ends this while the page is hidden.
  const again = (): void => void request();
  document.addEventListener('visibilitychange', again, { signal });
  void request();
  return () => {
    leaving.abort();
    void lock?.release();
  };
}
