import type { Action } from '@tallybook/domain/access';
import { named, object, string, type Fields, type ObjectOf, type Schema, type TypeOf } from './schema.js';
import { Problem } from './values.js';

declare const answered: unique symbol;
declare const sent: unique symbol;

/** What the sender of a request needs: the right to an action, any sign-in, or nothing. */
export type Requirement = Action | 'signed-in' | 'public';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A method and a path below `/api`, in which `{name}` is a parameter. `GET` answers `HEAD` too. */
export type Address = `${Method} /api/${string}`;

/** Bodies by type. */
export type Content = Readonly<Record<string, { readonly schema: Schema }>>;

/** What a service answers with one status. `T` is the type of the JSON; `undefined` for an empty body, `never` for a refusal. */
export interface Answer<T = unknown> {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly schema: Schema; readonly description: string }>>;
  /** Absent: the body is empty. */
  readonly content?: Content;
  readonly [answered]?: T;
}

export type Answers = Readonly<Record<number, Answer>>;

/** The body of a request. `T` is the type of what a client sends. */
export interface Body<T = unknown, P extends Fields = Fields> {
  readonly description: string;
  readonly content: Content;
  /** Fields of a JSON object that the service reads one by one. Absent: the handler reads the body. */
  readonly fields?: P;
  readonly [sent]?: T;
}

/** Needed rights by the case of a request, such as `of today`; the first case needs least. */
export type Cases = Readonly<Record<string, Requirement>>;

/** One request of the interface: all that the service, its description and its clients say of it. */
export interface Operation<
  P extends Fields = Fields,
  Q extends Fields = Fields,
  B extends Body = Body,
  A extends Answers = Answers,
  I extends Instead = Instead,
> {
  /** Name of the operation in OpenAPI. */
  readonly id: string;
  readonly summary: string;
  readonly action: Requirement | Cases;
  /** Whether a user who is bound to groups may send it: it is answered for their groups only. A public one needs no mark. */
  readonly isByGroup?: true;
  /** Whether it reads much of the store. If so, each client may request it less often. */
  readonly isCostly?: true;
  /** Parameters of the path. */
  readonly params?: P;
  /** Headers that the handler reads. */
  readonly headers?: Fields;
  readonly query?: Q;
  readonly body?: B;
  /** Successes, and those refusals that are its own. */
  readonly answers: A;
  /** The JSON of a success by the parameter of the query that changes it. */
  readonly instead?: I;
  /** What is wrong with a request that gets 400, if that needs saying. */
  readonly invalid?: string;
}

/** The JSON that answers a request with this parameter of the query. */
export type Instead = Readonly<Record<string, Schema>>;

/** Operations by method and path. */
export type Operations = Readonly<Record<Address, Operation>>;

type None = Record<never, never>;

/** A request of the interface, with its types. */
export function operation<
  const P extends Fields = None,
  const Q extends Fields = None,
  B extends Body = Body<undefined, None>,
  const A extends Answers = Answers,
  const I extends Instead = None,
>(of: Operation<P, Q, B, A, I>): Operation<P, Q, B, A, I> {
  return of;
}

/** Types of the parameters of the path. */
export type ParamsOf<O> = O extends Operation<infer P> ? ObjectOf<P> : never;

/** Types of the parameters of the query. */
export type QueryOf<O> = O extends Operation<Fields, infer Q> ? ObjectOf<Q> : never;

/** Type of the body that a client sends; `undefined` if there is none. */
export type BodyOf<O> =
  O extends Operation<Fields, Fields, infer B>
    ? B extends { readonly [sent]?: infer T }
      ? T
      : never
    : never;

type Answered<A> = A extends { readonly [answered]?: infer T } ? T : never;

/** Type of the JSON of a success; `Q` is the type of the given query. */
export type AnswerOf<O, Q = undefined> = O extends {
  readonly answers: infer A;
  readonly instead?: infer I;
}
  ? TypeOf<NonNullable<I>[keyof I & keyof Q]> | (IsGiven<Q, keyof I> extends true ? never : JsonOf<A>)
  : never;

type JsonOf<A> = Exclude<Answered<A[keyof A]>, undefined>;

/** Whether a query certainly has one of these parameters. */
type IsGiven<Q, K> = [K & keyof Q] extends [never] ? false : undefined extends Q[K & keyof Q] ? false : true;

/** The statuses of successes with an empty body. */
export type StatusOf<O> = O extends { readonly answers: infer A }
  ? {
      [K in keyof A]: [Answered<A[K]>] extends [never] ? never : undefined extends Answered<A[K]> ? K : never;
    }[keyof A]
  : never;

const notStored = {
  'Cache-Control': {
    schema: { const: 'no-store' },
    description: 'The answer is valid at this moment only.',
  },
} as const;

/**
 * JSON that is valid at this moment only.
 *
 * @param text The same as plain text, for clients that prefer it.
 */
export function json<S extends Schema>(
  schema: S,
  description = 'The present state.',
  text?: Schema,
): Answer<TypeOf<S>> {
  const plain = text && { 'text/plain': { schema: text } };
  return { description, headers: notStored, content: { ...plain, 'application/json': { schema } } };
}

/** Answers with JSON that clients may keep while its `ETag` is current. */
export function cached<S extends Schema>(
  schema: S,
  description: string,
): { readonly 200: Answer<TypeOf<S>>; readonly 304: Answer<never>; readonly 503: Answer<never> } {
  const headers = { ETag: { schema: { type: 'string' }, description: 'Strong.' } };
  return {
    200: { description, headers, content: { 'application/json': { schema } } },
    304: { description: 'Not changed: the `ETag` in `If-None-Match` is still current.', headers },
    503: tooManyReads,
  };
}

/** A success without a body. */
export function empty(description: string): Answer<undefined> {
  return { description };
}

/** The same answer with one more header, a text. */
export function withHeader<T>(answer: Answer<T>, name: string, description: string): Answer<T> {
  return { ...answer, headers: { ...answer.headers, [name]: { schema: string(), description } } };
}

/**
 * A file, which is described and not typed.
 *
 * @param name What the name of the file says; absent if it has none.
 */
export function file(
  type: string,
  description: string,
  name?: string,
  schema: Schema = string(),
): Answer<never> {
  const answer = { description, headers: notStored, content: { [type]: { schema } } };
  return name === undefined ? answer : withHeader(answer, 'Content-Disposition', name);
}

/** A refusal, with its reason for people. */
export function refusal(description: string): Answer<never> {
  const text = { schema: string({ pattern: '^[^\\n]+$' }) };
  return { description, content: { 'text/plain': text, 'application/problem+json': { schema: Problem } } };
}

/** A JSON object whose fields the service reads one by one; others are ignored. */
export function fields<P extends Fields>(of: P, name?: string): Body<ObjectOf<P>, P> {
  const schema = object(of);
  return { ...jsonBody(name === undefined ? schema : named(name, schema)), fields: of };
}

/** JSON that the handler reads. */
export function jsonBody<S extends Schema>(schema: S, maxBytes: number = JSON_MAX_BYTES): Body<TypeOf<S>> {
  return {
    description: `JSON in UTF-8, at most ${maxBytes} bytes.`,
    content: { 'application/json': { schema } },
  };
}

/** Largest JSON body: 16 KiB. */
export const JSON_MAX_BYTES = 16_384;

export const tooManyReads: Answer<never> = refusal(
  'Other reads or large answers are under way (`Retry-After` says when to try again), or the data need more memory than the service has (`NOT_ENOUGH_MEMORY`).',
);

export const tooManyExports: Answer<never> = refusal(
  'The maximum number of exports, in all or for this client, is running (`Retry-After` says when to try again), or the data need more memory than the service has (`NOT_ENOUGH_MEMORY`).',
);
