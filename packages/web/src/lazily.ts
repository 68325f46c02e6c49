/** Makes something when it is first needed: each formatter of dates or numbers takes a tablet 20 ms. */
export function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
