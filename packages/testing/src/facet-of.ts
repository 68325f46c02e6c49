import type { Lifecycle } from '@tallybook/domain';

const lifecycle: ReadonlySet<PropertyKey> = new Set<keyof Lifecycle>([
  'status',
  'open',
  'close',
  Symbol.asyncDispose,
]);

/** A facet of a storage with the lifecycle of the storage, for the suite of its port. */
export function facetOf<S extends Lifecycle, Name extends keyof S>(
  storage: S,
  name: Name,
): NonNullable<S[Name]> & Lifecycle {
  const facet = storage[name] as object;
  return new Proxy(facet, {
    get: (_, key) => {
      const owner: object = lifecycle.has(key) ? storage : facet;
      const member: unknown = Reflect.get(owner, key, owner);
      return typeof member === 'function' ? (member.bind(owner) as unknown) : member;
    },
    set: (_, key, value) => Reflect.set(facet, key, value),
  }) as NonNullable<S[Name]> & Lifecycle;
}
