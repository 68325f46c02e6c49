/** Makes a value when it is first needed: a tablet needs 20 ms for each formatter of dates or numbers. */
export function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
