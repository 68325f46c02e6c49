/** A JSON Schema for OpenAPI 3.1. */
export type Schema = Readonly<Record<string, unknown>>;

/** A schema of the document, by its name. */
export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** A schema of the document, or null. */
export function orNull(name: string): Schema {
  return { oneOf: [ref(name), { type: 'null' }] };
}
