import { definition, operations, type Answers, type Schema } from '@tallybook/http-contract';

/** A value with at least what its JSON has; what JSON writes as null may be missing. */
export type Shown<T> = T extends readonly (infer U)[]
  ? readonly Shown<U>[]
  : T extends object
    ? { readonly [K in keyof T as null extends T[K] ? never : K]: Shown<T[K]> } & {
        readonly [K in keyof T as null extends T[K] ? K : never]?: Shown<T[K]> | undefined;
      }
    : T;

/**
 * The JSON of a value: what its schema has, and null for what is missing where the schema allows null. A value of several forms is
 * sent as it is.
 */
export function jsonOf(of: Schema, value: unknown): unknown {
  const { [definition]: own } = of;
  if (own !== undefined) return jsonOf(own.schema, value);
  const { items, properties, additionalProperties, oneOf } = of as {
    readonly items?: Schema;
    readonly properties?: Readonly<Record<string, Schema>>;
    readonly additionalProperties?: Schema;
    readonly oneOf?: readonly Schema[];
  };
  const orNull = oneOf?.find(({ type }) => type === 'null') && oneOf[0];
  if (orNull !== undefined) return value === undefined || value === null ? null : jsonOf(orNull, value);
  if (value === undefined) return undefined;
  if (items !== undefined) return (value as readonly unknown[]).map((each) => jsonOf(items, each));
  if (additionalProperties !== undefined && properties === undefined) {
    const entries = Object.entries(value as object);
    return Object.fromEntries(entries.map(([name, each]) => [name, jsonOf(additionalProperties, each)]));
  }
  // An object without known properties may have any.
  if (properties === undefined || Object.keys(properties).length === 0) return value;
  const found = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(properties).map(([name, its]) => [name, jsonOf(its, found[name])]),
  );
}

/** The status of a success, and the schema of its JSON. */
export function successOf(answers: Answers): { readonly status: number; readonly schema: Schema } {
  const [status, answer] = Object.entries(answers).find(([each]) => each.startsWith('2')) ?? ['200'];
  return { status: Number(status), schema: answer?.content?.['application/json']?.schema ?? {} };
}

/** The text of a success of an operation, for handlers that answer by themselves. */
export function textFor(address: keyof typeof operations, value: unknown): string {
  return JSON.stringify(jsonOf(successOf(operations[address].answers).schema, value));
}
