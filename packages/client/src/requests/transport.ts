import { failureOf, problemOf, refusePage } from './read-answer.js';
import { TallybookClientError } from '../tallybook-client-error.js';

/** A file that is being downloaded. */
export interface Download {
  /** Name that the service gives the file; `undefined` if it gives none. */
  readonly fileName: string | undefined;
  /** The media type, such as `text/csv; charset=utf-8`. */
  readonly type: string;
  /** The bytes. The stream fails if the connection breaks, so the file is complete if the stream ends. */
  readonly stream: ReadableStream<Uint8Array>;
}

/** A file from an answer. */
export function downloadOf(response: Response): Download {
  refusePage(response);
  const { headers } = response;
  return {
    fileName: /filename="([^"]+)"/.exec(headers.get('Content-Disposition') ?? '')?.[1],
    type: headers.get('Content-Type') ?? '',
    stream: bodyOf(response),
  };
}

/** The body of an answer as a stream, which is empty if there is none. */
export function bodyOf({ body }: Response): ReadableStream<Uint8Array> {
  return body ?? new ReadableStream({ start: (controller) => controller.close() });
}

/**
 * The URL before the paths of the interface, with a slash at the end.
 *
 * In a page, a relative URL is relative to the page, so that it works below any path.
 *
 * @throws {TypeError} if it is not a URL of http or https, or is relative where there is no page.
 */
function baseUrl(text: string): string {
  const { document, location } = globalThis as Surroundings;
  let url: URL | undefined;
  try {
    url = new URL(text, document?.baseURI ?? location?.href);
  } catch {
    // Refused below.
  }
  // The text is not shown: it may have a password.
  if (!url || !/^https?:$/.test(url.protocol) || url.username + url.password !== '') {
    throw new TypeError('the base URL must be whole, without a password, such as http://pi:8080/');
  }
  return `${url.origin}${url.pathname.replace(/\/*$/, '/')}`;
}

/** Globals of a page; a worker has some of them, and Node has none. */
interface Surroundings {
  readonly document?: { readonly baseURI: string };
  readonly location?: { readonly href: string };
}

/** How to reach a service. */
export interface TransportOptions {
  /** Sent as `Authorization: Bearer …`. Default: none. */
  readonly token?: string;
  /** Sent with every request; a function is called for each one. Default: none. */
  readonly headers?: HeaderFields | (() => HeaderFields);
  /**
   * Milliseconds within which the whole answer has to come, default 30000; 0: no limit. Downloads and events may take
   * longer.
   */
  readonly timeoutMs?: number;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch;
}

export type HeaderFields = Readonly<Record<string, string>>;

/** Parameters by name; those that are `undefined` are left out. */
export type Query = Readonly<Record<string, string | number | bigint | undefined>>;

export interface ServiceRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path below the base URL, without a slash before it. */
  readonly path: string;
  readonly query?: Query;
  readonly headers?: HeaderFields;
  readonly body?: string | Blob | FormData | Uint8Array<ArrayBuffer>;
  /** Additional milliseconds that the service may take, because it was asked to wait. */
  readonly waitMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Sends requests. Every failure becomes a {@link TallybookClientError}. */
export class Transport {
  private readonly base: string;
  private readonly options: TransportOptions;

  constructor(base: string, options: TransportOptions) {
    this.base = baseUrl(base);
    this.options = options;
  }

  url(path: string, query: Query = {}): string {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) parameters.set(name, String(value));
    }
    const text = parameters.toString();
    return this.base + path + (text === '' ? '' : `?${text}`);
  }

  /** Resolves with the result of `use` for an answer. The time limit includes the work of `use`. */
  async exchange<T>(request: ServiceRequest, use: (response: Response) => Promise<T>): Promise<T> {
    const { timeoutMs = 30_000 } = this.options;
    const { signal, waitMs = 0 } = request;
    const controller = new AbortController();
    const abort = (): void => controller.abort();
    const deadline = { isOver: false };
    const expire = (): void => {
      deadline.isOver = true;
      abort();
    };
    const timer = timeoutMs > 0 ? setTimeout(expire, timeoutMs + waitMs) : undefined;
    signal?.addEventListener('abort', abort);
    try {
      if (signal?.aborted === true) abort();
      return await use(await this.send(request, controller.signal));
    } catch (error) {
      if (!deadline.isOver) throw failureOf(error, signal);
      throw new TallybookClientError('network', `no answer within ${(timeoutMs + waitMs) / 1000} seconds`, {
        cause: error,
      });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Resolves when an answer has begun; its body may take any time. The signal can end it at any time. */
  async begin(request: ServiceRequest): Promise<Response> {
    try {
      return await this.send(request, request.signal);
    } catch (error) {
      throw failureOf(error, request.signal);
    }
  }

  private async send(request: ServiceRequest, signal: AbortSignal | undefined): Promise<Response> {
    const { method = 'GET', path, query, body } = request;
    const { token, headers, fetch: send = fetch } = this.options;
    const response = await send(this.url(path, query), {
      method,
      headers: {
        // Prefers JSON, also for errors and for the time.
        Accept: 'application/json, */*;q=0.1',
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(typeof headers === 'function' ? headers() : headers),
        ...request.headers,
      },
      ...(body !== undefined && { body }),
      ...(signal !== undefined && { signal }),
    });
    if (!response.ok && response.status !== 304) throw await problemOf(response);
    return response;
  }
}
