/** Fields that were parsed and are not checked yet. */
export type Unchecked<T> = { readonly [K in keyof T]?: unknown };

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Parses JSON in UTF-8. Throws if the value is no JSON. */
export function parseJson(value: Buffer): unknown {
  return JSON.parse(utf8.decode(value));
}

/** The fields of a JSON object in UTF-8. Throws if the value is no such object. */
export function parseObject(value: Buffer): Readonly<Record<string, unknown>> {
  const parsed = parseJson(value);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new TypeError('it is no object');
  }
  return parsed as Readonly<Record<string, unknown>>;
}

/** Throws if a value is no text. */
export function readText(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('a text is missing');
  return value;
}
