declare const value: unique symbol;
declare const format: unique symbol;
/** Key of the definition of a schema that has a name. JSON leaves it out. */
export const definition: unique symbol = Symbol('definition');

/**
 * A JSON Schema as it stands in the OpenAPI document, with the type of its values for TypeScript.
 *
 * @typeParam T - Type of the values as JSON has them.
 * @typeParam F - The `format`: names the parser that a service uses, and that refuses wrong values.
 */
export interface Schema<T = unknown, F extends string = string> {
  readonly [keyword: string]: unknown;
  readonly [definition]?: { readonly name: string; readonly schema: Schema };
  readonly [value]?: T;
  readonly [format]?: F;
}

/** A property or parameter that may be absent. */
export interface Optional<S extends Schema = Schema> {
  readonly optional: S;
  /** A field beside which this one is ignored, whatever its value. */
  readonly unless?: string | undefined;
}

/** Properties of an object, or parameters of a request, by name. */
export type Fields = Readonly<Record<string, Schema | Optional>>;

/** Type of the values of a schema. */
export type TypeOf<S> = S extends { readonly [value]?: infer T } ? T : never;

/** The `format` of a schema; `never` if it has none. */
export type FormatOf<S> = S extends { readonly [format]?: infer F } ? (string extends F ? never : F) : never;

type Flat<T> = { [K in keyof T]: T[K] };

/** Type of an object with these fields. */
export type ObjectOf<P extends Fields> = Flat<
  { readonly [K in keyof P as P[K] extends Optional ? never : K]: TypeOf<P[K]> } & {
    readonly [K in keyof P as P[K] extends Optional ? K : never]?: P[K] extends Optional<infer S>
      ? TypeOf<S> | undefined
      : never;
  }
>;

/** Further keywords of JSON Schema, or only the description. */
type More = string | Readonly<Record<string, unknown>>;

function schema<T, F extends string = string>(keywords: object, more: More = {}): Schema<T, F> {
  return { ...keywords, ...(typeof more === 'string' ? { description: more } : more) };
}

export function string(more?: More): Schema<string> {
  return schema({ type: 'string' }, more);
}

/** A whole number that a program can hold exactly. Default: 0 or more. */
export function integer(more?: More): Schema<number> {
  return schema({ type: 'integer', minimum: 0 }, more);
}

export function number(more?: More): Schema<number> {
  return schema({ type: 'number' }, more);
}

export function boolean(more?: More): Schema<boolean> {
  return schema({ type: 'boolean' }, more);
}

/** One of a few texts or numbers, or a constant. */
export function oneOf<const T extends string | number | boolean | null>(
  values: readonly T[],
  more?: More,
): Schema<T> {
  return schema(values.length === 1 ? { const: values[0] } : { enum: values }, more);
}

export function array<S extends Schema>(items: S, more?: More): Schema<readonly TypeOf<S>[]> {
  return schema({ type: 'array', items }, more);
}

/** An object with these properties, and perhaps others that mean nothing. */
export function object<P extends Fields>(fields: P, more?: More): Schema<ObjectOf<P>> {
  const required = Object.keys(fields).filter((name) => !isOptional(fields[name]));
  return schema({ type: 'object', properties: schemasOf(fields), required }, more);
}

/** An object with a value for each key, such as the id of a tag. */
export function record<S extends Schema>(
  keys: Schema<string>,
  values: S,
  more?: More,
): Schema<Readonly<Record<string, TypeOf<S>>>> {
  return schema({ type: 'object', propertyNames: keys, additionalProperties: values }, more);
}

/** One of several forms. */
export function either<const S extends readonly Schema[]>(forms: S, more?: More): Schema<TypeOf<S[number]>> {
  return schema({ oneOf: forms }, more);
}

export function orNull<S extends Schema>(other: S, more?: More): Schema<TypeOf<S> | null> {
  return schema({ oneOf: [other, { type: 'null' }] }, more);
}

/**
 * A field that may be absent.
 *
 * @param unless A field beside which this one is ignored.
 */
export function optional<S extends Schema>(field: S, unless?: string): Optional<S> {
  return { optional: field, unless };
}

/** A schema with a name in the document; others refer to it. */
export function named<T>(name: string, { ...described }: Schema<T>): Schema<T> {
  return { $ref: `#/components/schemas/${name}`, [definition]: { name, schema: described } };
}

/** An object with a name in the document. */
export function component<P extends Fields>(name: string, fields: P, more?: More): Schema<ObjectOf<P>> {
  return named(name, object(fields, more));
}

/** Text of a query or body that a parser of this name takes; `T` is what a client gives, by default what the schema says. */
export function parsed<T, const F extends string>(
  name: F,
  of: Schema<T> | Schema,
  more?: More,
): Schema<T, F> {
  return schema({ ...of, format: name }, more);
}

/** The same schema, described for its place. */
export function described<S extends Schema>(of: S, description: string): S {
  return { ...of, description };
}

export function isOptional(field: Schema | Optional | undefined): field is Optional {
  return field !== undefined && 'optional' in field;
}

/** The schema of a field, whether it may be absent or not. */
export function schemaOf(field: Schema | Optional): Schema {
  return isOptional(field) ? field.optional : field;
}

function schemasOf(fields: Fields): Readonly<Record<string, Schema>> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field)]));
}
