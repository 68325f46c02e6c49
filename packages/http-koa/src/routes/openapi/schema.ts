/** A JSON Schema, as OpenAPI 3.1 takes it. */
export type Schema = Readonly<Record<string, unknown>>;

/** A schema of the document, by its name. */
export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** The same, or null. */
export function orNull(name: string): Schema {
  return { oneOf: [ref(name), { type: 'null' }] };
}
