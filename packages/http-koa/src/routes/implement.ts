import type { SpellingName } from '@tallybook/domain';
import type { Action } from '@tallybook/domain/access';
import type { TagFinder } from '@tallybook/domain/record';
import {
  isOptional,
  schemaOf,
  type Address,
  type AnswerOf,
  type Answers,
  type Body,
  type Fields,
  type FormatOf,
  type Operation,
  type Operations,
  type Optional,
  type Requirement,
  type Schema,
  type StatusOf,
  type TallybookOperations,
  type TypeOf,
} from '@tallybook/http-contract';
import type Koa from 'koa';
import { sendEmpty, sendState } from '../answers/representation.js';
import { jsonOf, type Shown } from '../answers/json-of.js';
import { readerOf, type Parsed, type Place } from '../requests/parsers.js';
import { Query } from '../requests/query.js';
import { readJsonObject } from '../requests/read-json.js';
import type { Route } from './route.js';

/** What the parser of a field gives; `Other` if its schema has none. */
type ReadOf<S, Other> =
  S extends Optional<infer O>
    ? ReadOf<O, Other> | undefined
    : FormatOf<S> extends infer F
      ? [F] extends [keyof Parsed]
        ? [F] extends [never]
          ? Other extends 'text'
            ? TypeOf<S>
            : unknown
          : Awaited<Parsed[F & keyof Parsed]>
        : never
      : never;

type FieldsOf<P, Other> = { readonly [K in keyof P]: ReadOf<P[K], Other> };

/** A request whose parameters and fields were read. */
export interface Request<O> {
  readonly ctx: Koa.Context;
  readonly params: O extends Operation<infer P> ? FieldsOf<P, 'text'> : never;
  readonly query: O extends Operation<Fields, infer Q> ? FieldsOf<Q, 'text'> : never;
  /** The fields of the JSON object; empty if the handler reads the body. */
  readonly body: O extends Operation<Fields, Fields, infer B>
    ? B extends Body<unknown, infer P>
      ? FieldsOf<P, 'value'>
      : never
    : never;
}

/** A request of one operation of the interface. */
export type RequestOf<A extends keyof TallybookOperations> = Request<TallybookOperations[A]>;

/**
 * Gives the data of the answer, of which its schema is sent, or the status of an empty one; nothing if it has answered
 * itself.
 */
type Handle<O> = (request: Request<O>) => Reply<O> | Promise<Reply<O>>;
// oxlint-disable-next-line typescript/no-invalid-void-type
type Reply<O> = Shown<AnswerOf<O>> | Empty<StatusOf<O>> | void;

/** An answer without a body. */
class Empty<S> {
  readonly status: S;

  constructor(status: S) {
    this.status = status;
  }
}

/** Answers with a status and no body. */
export function empty<const S extends number>(status: S): Empty<S> {
  return new Empty(status);
}

/** A handler; with `choose`, which gives the case of a request, if the needed right depends on the request. */
export type Handler<O> =
  | Handle<O>
  | {
      readonly choose: (ctx: Koa.Context, may: (action: Action) => boolean) => Requirement;
      readonly handle: Handle<O>;
    };

/** Handlers of some operations. */
export type Handlers<A extends keyof T, T extends Operations = TallybookOperations> = {
  readonly [K in A]: Handler<T[K]>;
};

/** Operations of an app, with their handlers. */
export interface Implementation {
  readonly operations: Operations;
  readonly handlers: Handlers<Address, Operations>;
}

/** Operations that an app adds to the interface. `createApp` serves them as its own: with rights, refusals and description. */
export function implement<T extends Operations>(
  of: T,
  handlers: Handlers<keyof T & Address, T>,
): Implementation {
  return { operations: of, handlers: handlers };
}

/** The operations that have a handler. */
export function servedOf(operations: Operations, handlers: object): Operations {
  return Object.fromEntries(Object.entries(operations).filter(([address]) => address in handlers));
}

/** The routes of operations that have a handler. */
export function routesOf<T extends Operations>(
  operations: T,
  handlers: Partial<Handlers<keyof T & Address, T>>,
  tags: TagFinder,
): readonly Route[] {
  return Object.entries(handlers).map(([address, handler]) => {
    const operation = operations[address as Address] as Operation;
    return routeOf(address as Address, operation, handler as Handler<Operation>, tags);
  });
}

function routeOf(
  address: Address,
  operation: Operation,
  handler: Handler<Operation>,
  tags: TagFinder,
): Route {
  const { action, isCostly, answers } = operation;
  const [method, path] = address.split(' ') as [Route['method'], Route['path']];
  const { handle, choose } = typeof handler === 'function' ? { handle: handler, choose: undefined } : handler;
  const read = requestReader(operation, tags);
  const { status, schema } = successOf(answers);
  const reply = (ctx: Koa.Context, answer: unknown): void => {
    if (answer instanceof Empty) sendStatus(ctx, Number(answer.status));
    else if (answer !== undefined) {
      if (status !== 200) ctx.status = status;
      sendState(ctx, jsonOf(schema, answer) as object);
    }
  };
  return {
    method,
    path: path.replaceAll(/\{(\w+)\}/g, ':$1') as Route['path'],
    action: choose ?? (action as Requirement),
    ...(typeof action === 'object' && { actions: Object.values(action) }),
    ...(isCostly && { isCostly }),
    handle: (ctx) => {
      const request = read(ctx);
      const answer = isPromise(request) ? request.then(handle) : handle(request);
      return isPromise(answer) ? answer.then((given) => reply(ctx, given)) : void reply(ctx, answer);
    },
  };
}

/** The status of a success, and the schema of its JSON. */
function successOf(answers: Answers): { readonly status: number; readonly schema: Schema } {
  const [status, answer] = Object.entries(answers).find(([each]) => each.startsWith('2')) ?? ['200'];
  return { status: Number(status), schema: answer?.content?.['application/json']?.schema ?? {} };
}

function sendStatus(ctx: Koa.Context, status: number): void {
  if (status === 204) ctx.status = status;
  else sendEmpty(ctx, status);
}

type Reader = (
  place: Omit<Place, 'name' | 'schema' | 'isOptional'>,
  valueOf: (name: string) => unknown,
) => Record<string, unknown> | Promise<Record<string, unknown>>;

/** Reads fields in their order; a spelling first, because ids need it. */
function fieldsReader(fields: Fields = {}, isText: boolean): Reader {
  const readers = Object.entries(fields).map(([name, field]) => {
    const schema = schemaOf(field);
    const unless = isOptional(field) ? field.unless : undefined;
    return { name, schema, isOptional: isOptional(field), unless, read: readerOf(schema, isText) };
  });
  readers.sort(
    (a, b) => Number(b.schema['format'] === 'spelling') - Number(a.schema['format'] === 'spelling'),
  );
  return (place, valueOf) => {
    const found: Record<string, unknown> = {};
    let waits: Promise<void> | undefined;
    let spelling: SpellingName | undefined;
    for (const { unless, read, ...field } of readers) {
      const { name, schema } = field;
      if (unless !== undefined && unless in found) continue;
      const value = valueOf(name);
      if (value === undefined && field.isOptional) continue;
      const parsed = read(value, { ...place, ...field, spelling });
      if (schema['format'] === 'spelling') spelling = parsed as SpellingName | undefined;
      if (parsed instanceof Promise) {
        waits = Promise.all([waits, parsed]).then(([, settled]) => void (found[name] = settled));
      } else found[name] = parsed;
    }
    return waits === undefined ? found : waits.then(() => found);
  };
}

/** Reads the parameters of the path and the query, then the fields of the body. Waits only if it has to. */
function requestReader(
  { params, query, body }: Operation,
  tags: TagFinder,
): (ctx: Koa.Context) => Request<Operation> | Promise<Request<Operation>> {
  const readParams = fieldsReader(params, true);
  const readQuery = fieldsReader(query, true);
  const readBody = body?.fields && fieldsReader(body.fields, false);
  return (ctx) => {
    const place = { ctx, tags, spelling: undefined };
    const texts = query && new Query(ctx);
    const pathTexts = ctx['params'] as Readonly<Record<string, string>> | undefined;
    const parts = [
      readParams(place, (name) => pathTexts?.[name]),
      readQuery(place, (name) => texts?.text(name)),
    ];
    const requestOf = ([ofPath, ofQuery, ofBody]: readonly unknown[]): Request<Operation> =>
      ({ ctx, params: ofPath, query: ofQuery, body: ofBody }) as Request<Operation>;
    if (readBody === undefined)
      return parts.some(isPromise) ? settle(parts).then(requestOf) : requestOf(parts);
    return (async () => {
      const settled = await settle(parts);
      const object = await readJsonObject(ctx);
      return requestOf([...settled, await readBody(place, (name) => object[name])]);
    })();
  };
}

function settle(parts: readonly unknown[]): Promise<readonly unknown[]> {
  return Promise.all(parts.map((part) => Promise.resolve(part)));
}

function isPromise(value: unknown): value is Promise<unknown> {
  return value instanceof Promise;
}
