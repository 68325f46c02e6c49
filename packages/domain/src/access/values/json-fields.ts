/** The fields of an object. Throws if the value is not an object. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (isObject) return value as Readonly<Record<string, unknown>>;
  throw new TypeError('not an object');
}

/** Returns a text. Throws if the value is not text. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new TypeError('not a text');
}

/** Returns a list. Throws if the value is not a list. */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new TypeError('not a list');
}
