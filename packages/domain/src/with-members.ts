/** An object with some members in place of its own. All others are those of the object itself. */
export function withMembers<T extends object>(object: T, members: Partial<T>): T {
  return new Proxy(object, {
    get: (target, key) => {
      const owner = key in members ? members : target;
      const value: unknown = Reflect.get(owner, key, owner);
      // A method of a class with private fields needs its own object.
      return typeof value === 'function' ? (value.bind(owner) as unknown) : value;
    },
    set: (_, key, value) => Reflect.set(members, key, value),
  });
}
