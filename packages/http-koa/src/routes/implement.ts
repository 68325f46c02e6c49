import type { SpellingName } from '@tallybook/domain';
import type { TagFinder } from '@tallybook/domain/record';
import {
  isOptional,
  schemaOf,
  type Address,
  type AnswerOf,
  type Body,
  type Fields,
  type FormatOf,
  type Operation,
  type Operations,
  type Optional,
  type StatusOf,
  type TallybookOperations,
  type TypeOf,
} from '@tallybook/http-contract';
import type Koa from 'koa';
import { sendEmpty, sendState } from '../answers/representation.js';
import { jsonOf, successOf, type Shown } from '../answers/json-of.js';
import { readerOf, type Parsed, type ReadRequest } from '../requests/parsers.js';
import { Query } from '../requests/query.js';
import { readJsonObject } from '../requests/read-body.js';
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
 * itself. If the needed right depends on the request, it asks for all but the first case of the operation.
 */
export type Handler<O> = (request: Request<O>) => Reply<O> | Promise<Reply<O>>;
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
export function emptyAnswer<const S extends number>(status: S): Empty<S> {
  return new Empty(status);
}

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

function routeOf(address: Address, operation: Operation, handle: Handler<Operation>, tags: TagFinder): Route {
  const { action, isByGroup, isCostly, answers } = operation;
  const [method, path] = address.split(' ') as [Route['method'], Route['path']];
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
    action: typeof action === 'string' ? action : (Object.values(action)[0] ?? 'signed-in'),
    ...(isByGroup && { isByGroup }),
    ...(isCostly && { isCostly }),
    handle: (ctx) => goOn(goOn(read(ctx), handle), (given) => reply(ctx, given)),
  };
}

function sendStatus(ctx: Koa.Context, status: number): void {
  if (status === 204) ctx.status = status;
  else sendEmpty(ctx, status);
}

type Values = Readonly<Record<string, unknown>>;
type Reader = (request: ReadRequest, valueOf: (name: string) => unknown) => Values | Promise<Values>;

/** What is read of no fields. */
const nothing: Values = {};

/** Reads fields in their order, so that the first wrong one is refused; a spelling before all, because ids need it. */
function fieldsReader(fields: Fields = {}, isText: boolean): Reader {
  const readers = Object.entries(fields).map(([name, given]) => {
    const schema = schemaOf(given);
    const unless = isOptional(given) ? given.unless : undefined;
    const isSpelling = schema['format'] === 'spelling';
    return {
      field: { name, schema, isOptional: isOptional(given) },
      unless,
      isSpelling,
      read: readerOf(schema, isText),
    };
  });
  readers.sort((a, b) => Number(b.isSpelling) - Number(a.isSpelling));
  const readFrom = (
    first: number,
    found: Record<string, unknown>,
    ...[request, valueOf]: Parameters<Reader>
  ): Values | Promise<Values> => {
    for (let index = first; ; index++) {
      const reader = readers[index];
      if (reader === undefined) return found;
      const { field, unless, isSpelling, read } = reader;
      const { name } = field;
      if (unless !== undefined && unless in found) continue;
      const value = valueOf(name);
      if (value === undefined && field.isOptional) continue;
      const parsed = read(value, field, request);
      if (parsed instanceof Promise) {
        return parsed.then((settled) => {
          found[name] = settled;
          return readFrom(index + 1, found, request, valueOf);
        });
      }
      if (isSpelling) request.spelling = parsed as SpellingName | undefined;
      found[name] = parsed;
    }
  };
  return (request, valueOf) => (readers.length === 0 ? nothing : readFrom(0, {}, request, valueOf));
}

/**
 * Reads the parameters of the path and the query, then the fields of the body. Waits only if it has to: each wait costs a
 * request as much as reading a field.
 */
function requestReader(
  { params, query, body }: Operation,
  tags: TagFinder,
): (ctx: Koa.Context) => Request<Operation> | Promise<Request<Operation>> {
  const readParams = fieldsReader(params, true);
  const readQuery = fieldsReader(query, true);
  const readBody = body?.fields && fieldsReader(body.fields, false);
  const ofPath = (read: ReadRequest): Values | Promise<Values> => {
    const texts = read.ctx['params'] as Readonly<Record<string, string>>;
    return readParams(read, (name) => texts[name]);
  };
  const ofQuery = (read: ReadRequest): Values | Promise<Values> => {
    const texts = query && new Query(read.ctx);
    return readQuery(read, (name) => texts?.text(name));
  };
  const ofBody = (read: ReadRequest): Values | undefined | Promise<Values> =>
    readBody && readJsonObject(read.ctx).then((object) => readBody(read, (name) => object[name]));
  return (ctx) => {
    const read: ReadRequest = { ctx, tags, spelling: undefined };
    return goOn(ofPath(read), (path) =>
      goOn(ofQuery(read), (found) =>
        goOn(
          ofBody(read),
          (fields) => ({ ctx, params: path, query: found, body: fields }) as unknown as Request<Operation>,
        ),
      ),
    );
  };
}

/** Goes on with a value, at once if it is there. */
function goOn<T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
