/** Makes something when it is first needed: what writes dates and numbers in a language takes a tablet 20 ms each. */
export function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
