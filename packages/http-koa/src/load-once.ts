/** Loads at the first call, and shares the result with all calls. If loading fails, the next call tries again. */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  const forget = (failed: Promise<T>): void => {
    if (loading === failed) loading = undefined;
  };
  return async () => {
    const mine = (loading ??= load());
    try {
      return await mine;
    } catch (error) {
      forget(mine);
      throw error;
    }
  };
}
