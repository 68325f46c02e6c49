import type {
  AnswerOf,
  BodyOf,
  IdFormat,
  ParamsOf,
  QueryOf,
  StatusOf,
  TallybookOperations,
} from '@tallybook/http-contract';
import { EventStream, type EventStreamOptions } from './events/event-stream.js';
import { downloadOf, Transport, type Download, type TransportOptions } from './requests/transport.js';
import { readJson, readNothing } from './requests/read-answer.js';
import { TallybookClientError } from './tallybook-client-error.js';

/** The paths that a method has. */
type PathOf<T, M extends string> = keyof T extends infer A
  ? A extends `${M} ${infer P}`
    ? P
    : never
  : never;

type At<T, A extends string> = A extends keyof T ? T[A] : never;

/** The spelling has to be given beside an id: otherwise the readers of the service would decide what the id means. */
type Spelt<T> = T extends readonly (infer U)[]
  ? readonly Spelt<U>[]
  : T extends { readonly format?: unknown }
    ? T extends { readonly tag?: unknown }
      ? | Omit<T, 'tag' | 'format'>
        | (Omit<T, 'id' | 'tag' | 'format'> & InFormat & { readonly tag: NonNullable<T['tag']> })
      : T extends { readonly id?: unknown }
        ? | IfId<T>
          | (undefined extends T['id'] ? Omit<T, 'id' | 'format'> & { readonly id?: undefined } : never)
        : Omit<T, 'format'> & InFormat
    : T extends { readonly corrections: readonly (infer U)[] }
      ? { readonly corrections: readonly Spelt<U>[] }
      : T;

type IfId<T extends { readonly id?: unknown }> = Omit<T, 'id' | 'format'> &
  InFormat & { readonly id: NonNullable<T['id']> };

interface InFormat {
  readonly format: IdFormat | undefined;
}

/** A part of a request: it may be left out if nothing in it is required. */
type Part<K extends string, V> = [V] extends [undefined]
  ? Readonly<Partial<Record<K, undefined>>>
  : Record<never, never> extends V
    ? Readonly<Partial<Record<K, V>>>
    : Readonly<Record<K, V>>;

/** A body in text, a file or a form is sent as it is, everything else as JSON. */
type Sent<B> = string extends B ? B | Blob | FormData | Uint8Array<ArrayBuffer> : B;

/** Parameters and body of a request, and how to send it. */
export type CallOptions<O> = Part<'params', ParamsOf<O>> &
  Part<'query', Spelt<QueryOf<O>>> &
  Part<'body', Spelt<Sent<BodyOf<O>>>> & {
    /** Ends the request, which then rejects with the kind `aborted`. */
    readonly signal?: AbortSignal | undefined;
    /** Milliseconds that the service may take longer than usual, because it is asked to wait. */
    readonly waitMs?: number;
  };

/**
 * An earlier answer to the same request. If the data has not changed, the same object is returned, and the data is not sent
 * again.
 */
interface Known<R> {
  readonly known?: R | undefined;
}

/** The options, which may be left out if no parameter is required. */
type Given<C> = Record<never, never> extends C ? [options?: C] : [options: C];

/** The given query; `undefined` without one. */
type QueryIn<C> = C extends { readonly query: infer Q } ? Q : undefined;

/** What the parts of any request have. */
interface AnyCall {
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly waitMs?: number;
  readonly known?: object | undefined;
}

/**
 * The HTTP interface of a Tallybook service: paths, parameters, bodies and answers are those of its reference, with their types.
 *
 * Failures reject with a `TallybookClientError`. Requests are not repeated; only the event stream reconnects by itself.
 *
 * @typeParam T - The operations of the service. Add those of your own: `TallybookOperations & typeof own`.
 */
export class TallybookClient<T extends object = TallybookOperations> {
  private readonly transport: Transport;
  /** ETag and URL of each object that was read. */
  private readonly tags = new WeakMap<object, { readonly url: string; readonly tag: string }>();

  /**
   * @param base URL of the service: the part before `api/`. In a page, it may be relative to the page.
   * @throws {TypeError} if `base` is not a URL of http or https.
   */
  constructor(base: string, options: TransportOptions = {}) {
    this.transport = new Transport(base, options);
  }

  /** Reads JSON. */
  get<P extends PathOf<T, 'GET'>, const C extends CallOptions<At<T, `GET ${P}`>>>(
    path: P,
    ...[options]: Given<C & Known<AnswerOf<At<T, `GET ${P}`>, QueryIn<C>>>>
  ): Promise<AnswerOf<At<T, `GET ${P}`>, QueryIn<C>>> {
    return this.read(path, options ?? {}) as never;
  }

  /** Reads JSON; resolves with `undefined` if the service has none (404). */
  find<P extends PathOf<T, 'GET'>, const C extends CallOptions<At<T, `GET ${P}`>>>(
    path: P,
    ...[options]: Given<C & Known<AnswerOf<At<T, `GET ${P}`>, QueryIn<C>>>>
  ): Promise<AnswerOf<At<T, `GET ${P}`>, QueryIn<C>> | undefined> {
    return unless404(this.read(path, options ?? {}), undefined) as never;
  }

  /** Sends JSON, or a text, file or form as it is. Resolves with the JSON of the answer, or with the status if it has no body. */
  post<P extends PathOf<T, 'POST'>, const C extends CallOptions<At<T, `POST ${P}`>>>(
    path: P,
    ...[options]: Given<C>
  ): Promise<AnswerOf<At<T, `POST ${P}`>> | StatusOf<At<T, `POST ${P}`>>> {
    return this.send('POST', path, options ?? {}) as never;
  }

  /** Replaces JSON. Resolves with the JSON of the answer. */
  put<P extends PathOf<T, 'PUT'>, const C extends CallOptions<At<T, `PUT ${P}`>>>(
    path: P,
    ...[options]: Given<C>
  ): Promise<AnswerOf<At<T, `PUT ${P}`>>> {
    return this.send('PUT', path, options ?? {}) as never;
  }

  /** Removes something. Resolves with whether it was there. */
  delete<P extends PathOf<T, 'DELETE'>, const C extends CallOptions<At<T, `DELETE ${P}`>>>(
    path: P,
    ...[options]: Given<C>
  ): Promise<boolean> {
    const request = { ...partsOf(path, options ?? {}), method: 'DELETE' } as const;
    return unless404(
      this.transport.exchange(request, readNothing).then(() => true),
      false,
    );
  }

  /** Reads a file of any type. */
  async download<P extends PathOf<T, 'GET'>, const C extends CallOptions<At<T, `GET ${P}`>>>(
    path: P,
    ...[options]: Given<C>
  ): Promise<Download> {
    return downloadOf(await this.transport.begin(partsOf(path, options ?? {})));
  }

  /** URL of a file, for a link. Like all links, it sends neither token nor headers. */
  url<P extends PathOf<T, 'GET'>, const C extends CallOptions<At<T, `GET ${P}`>>>(
    path: P,
    ...[options]: Given<C>
  ): string {
    const { path: below, query } = partsOf(path, options ?? {});
    return this.transport.url(below, query);
  }

  /** Every tap, live. The connection is opened when you loop over the stream. */
  events(options: EventStreamOptions = {}): EventStream {
    return new EventStream(this.transport, options);
  }

  private send(method: 'POST' | 'PUT', path: string, call: AnyCall): Promise<unknown> {
    const { body } = call;
    const isForm = body instanceof FormData;
    const isRaw = typeof body === 'string' || body instanceof Blob || body instanceof Uint8Array;
    const request = {
      ...partsOf(path, call),
      method,
      // A form says its type itself, with the boundary of its parts.
      ...(!isForm && { headers: { 'Content-Type': isRaw ? 'text/csv' : 'application/json' } }),
      body: isRaw || isForm ? (body as Blob | FormData) : JSON.stringify(body ?? {}),
    } as const;
    return this.transport.exchange<unknown>(request, async (response) => {
      if (response.headers.has('Content-Type')) return readJson(response);
      await readNothing(response);
      return response.status;
    });
  }

  private read(path: string, call: AnyCall): Promise<object> {
    const { known } = call;
    const parts = partsOf(path, call);
    const url = this.transport.url(parts.path, parts.query);
    const kept = known && this.tags.get(known);
    const headers = kept?.url === url ? { 'If-None-Match': kept.tag } : {};
    return this.transport.exchange({ ...parts, headers }, async (response) => {
      if (response.status === 304 && known !== undefined) return known;
      const value = (await readJson(response)) as object;
      const tag = response.headers.get('ETag');
      if (tag !== null) this.tags.set(value, { url, tag });
      return value;
    });
  }
}

/** The parts of a request; the path is below the base URL. */
function partsOf(
  path: string,
  { params = {}, query, signal, waitMs }: AnyCall,
): {
  readonly path: string;
  readonly query: never;
  readonly signal: AbortSignal | undefined;
  readonly waitMs: number;
} {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  return { path: filled.slice(1), query: query as never, signal, waitMs: waitMs ?? 0 };
}

/** The answer; something else if the service has nothing of this kind. */
async function unless404<R, U>(answer: Promise<R>, other: U): Promise<R | U> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof TallybookClientError && error.kind === 'http' && error.status === 404) return other;
    throw error;
  }
}
